/** The manager half of an instance, as the faces see it: a gateway for queries and mutations, a stream for subscriptions, and the registry. */
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { FleetContext } from './fleet/FleetContext.ts';
import type { MemberRegistry } from './registry/MemberRegistry.ts';
import type { StreamStats } from './stream/FleetStream.ts';

export interface Manager extends AsyncDisposable {
  /** The public API schema: both subgraphs and the configured ones, composed. Another one whenever these change. */
  readonly schema: GraphQLSchema;
  /** What Apollo Server is given. Its executor takes both roads of design § 3. */
  readonly gateway: GatewayInterface;
  readonly registry: MemberRegistry;
  /** How the fan-in is now. */
  streamStats(): StreamStats;
  /** Executes a valid subscription operation over the fan-in. Ends when `signal` aborts. */
  subscribe(request: SubscriptionRequest): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;
}

export interface SubscriptionRequest {
  readonly document: DocumentNode;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly context: FleetContext;
}
