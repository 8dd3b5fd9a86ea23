/** The set of members and what the last probes found (spec/manager.md §§ 4–5, 8): port. */
import type { Member } from '../member/Member.ts';

/** What answers at a registered address. */
export type MemberKind = 'worker' | 'a2a';

export type MemberState = 'live' | 'unreachable' | 'mismatched';

/** One row of the fleet: a member and its newest probe. */
export interface FleetEntry {
  readonly member: Member;
  readonly isLocal: boolean;
  /** As it is registered: what numbers the refs that are its own. @default 'worker' */
  readonly kind?: MemberKind | undefined;
  readonly url: string;
  readonly state: MemberState;
  /** Why it is not live; `''` when live. */
  readonly detail: string;
  readonly version: string;
  /** Epoch milliseconds of the probe. */
  readonly probedAtMs: number;
  /** The accepted identity document; undefined unless live. */
  readonly identity: MemberIdentity | undefined;
  /** What the probes have learned of its schema, another object when it may be another schema. @default nothing */
  readonly schema?: MemberSchema | undefined;
}

/** The schema of a member that speaks GraphQL. */
export interface MemberSchema {
  /** As the identity document tells it; undefined when it does not. */
  readonly hash: string | undefined;
  /** Undefined when the schema is our own, or not known. */
  readonly sdl: string | undefined;
}

/** What of a member's identity document the manager uses. */
export interface MemberIdentity {
  readonly name: string;
  readonly role: 'worker' | 'manager';
  readonly mode: string;
  readonly managed: readonly { readonly ref: string; readonly sources: readonly string[] }[];
  readonly sessionCount: number;
  /** Of a member that speaks GraphQL, with the hash of its schema when it tells one. @default it speaks none */
  readonly graphql?: { readonly schemaHash: string | undefined };
}

export interface FleetReadOptions {
  readonly signal: AbortSignal;
  /**
   * Waits for nobody's probe longer than for that of a member that is down; who is not known by then is unreachable. For
   * the own documents, which a member may wait for that the own probe waits for: it may be the manager itself.
   * @default false
   */
  readonly isHasty?: boolean;
  /**
   * Longest wait for probes, in milliseconds: who is not known by then is unreachable for this reader, and its probe goes on.
   * @default until all have ended
   */
  readonly patienceMs?: number;
}

export interface MemberRegistry extends AsyncDisposable {
  /** The own name. */
  readonly ownName: string;
  /**
   * Local first, then registry order; stale probes refreshed first, single-flight, at most `poolSize` at a time. A member that its last
   * probe found down keeps no reader waiting: it is as it was found until the probe that goes on in the background has ended.
   */
  fleet(options: FleetReadOptions): Promise<readonly FleetEntry[]>;
  /** The same without asking anybody: the newest known state of each; a member that was never probed is absent. */
  snapshot(): readonly FleetEntry[];
  /** Probes every member now, whatever the age of the last probe. */
  refresh(options: { readonly signal: AbortSignal }): Promise<readonly FleetEntry[]>;
  /** A call met a transport failure or timeout: the member is unreachable until its next probe. */
  reportFailure(name: string, reason: string): void;
  /** A write may have changed what the member manages: its identity is read again before the next use. */
  expire(name: string): void;
  /** Wakes when a member joins, leaves or changes state. */
  changes(signal: AbortSignal): AsyncIterable<void>;
}
