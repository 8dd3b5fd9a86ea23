export { createManager, type ManagerOptions } from './createManager.ts';
export { createFleetContext, type FleetContext, type Unreachable } from './fleet/FleetContext.ts';
export type { FleetExecutor } from './fleet/FleetDataSource.ts';
export type { Manager, SubscriptionRequest } from './Manager.ts';
export type { MemberObserver, ObservedCall } from './member/observeMember.ts';
export { ownSchemaHash } from './member/ownSchemaHash.ts';
export type { FleetEntry, MemberRegistry, MemberState } from './registry/MemberRegistry.ts';
export {
  buildRoutingTable,
  type FleetRoute,
  type OperationKind,
  type RoutingTable,
} from './routing/RoutingTable.ts';
export type { FleetStreamObserver, MemberLag, StreamStats } from './stream/FleetStream.ts';
