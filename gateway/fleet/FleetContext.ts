/** What one client request carries through the gateway, and what the gateway tells of it beside the data. */

/** Why a member's rows are missing from an answer. */
export interface Unreachable {
  readonly instance: string;
  /** `unreachable` and `mismatched` as probed; `timeout` and `error` as met while answering. */
  readonly state: 'unreachable' | 'mismatched' | 'timeout' | 'error';
  readonly detail: string;
}

export interface FleetContext {
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Filled while the request is answered: who was left out of some list, by name. */
  readonly unreachable: Map<string, Unreachable>;
  /** Filled while the request is answered: fields that a member does not have and were not asked of it. */
  readonly warnings: string[];
  /** Filled while the request is answered: members that the request was sent to; the own half is none. */
  readonly contacted: Set<string>;
  /** The face that took the request writes its audit event itself. */
  readonly isAudited: boolean;
}

/** @param options.isAudited see `FleetContext` @default false */
export function createFleetContext(signal: AbortSignal, { isAudited = false } = {}): FleetContext {
  return { signal, unreachable: new Map(), warnings: [], contacted: new Set(), isAudited };
}
