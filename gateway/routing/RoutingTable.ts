/** How each root field crosses the fleet, derived from the SDL's `@fleet(route:)` (design § 3). */
export const FLEET_ROUTES = [
  'UNION',
  'BY_REF',
  'BY_STANDING_NAME',
  'BY_INSTANCE',
  'SELF_OR_INSTANCE',
  'SELF',
  'FAN_IN',
] as const;
export type FleetRoute = (typeof FLEET_ROUTES)[number];

export type OperationKind = 'query' | 'mutation' | 'subscription';

export interface RoutingTable {
  readonly query: ReadonlyMap<string, FleetRoute>;
  readonly mutation: ReadonlyMap<string, FleetRoute>;
  readonly subscription: ReadonlyMap<string, FleetRoute>;
}
