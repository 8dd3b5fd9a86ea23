/** The set of members and what the last probes found (spec/manager.md §§ 4–5, 8): port. */
import type { Member } from '../member/Member.ts';

export type MemberState = 'live' | 'unreachable' | 'mismatched';

/** One row of the fleet: a member and its newest probe. */
export interface FleetEntry {
  readonly member: Member;
  readonly isLocal: boolean;
  readonly url: string;
  readonly state: MemberState;
  /** Why it is not live; `''` when live. */
  readonly detail: string;
  readonly version: string;
  /** Epoch milliseconds of the probe. */
  readonly probedAtMs: number;
  /** The accepted identity document; undefined unless live. */
  readonly identity: MemberIdentity | undefined;
}

/** What of a member's identity document the manager uses. */
export interface MemberIdentity {
  readonly name: string;
  readonly role: 'worker' | 'manager';
  readonly mode: string;
  readonly managed: readonly { readonly ref: string; readonly sources: readonly string[] }[];
  readonly sessionCount: number;
}

export interface FleetReadOptions {
  readonly signal: AbortSignal;
  /**
   * Waits for nobody's probe longer than for that of a member that is down; who is not known by then is unreachable. For
   * the own documents, which a member may wait for that the own probe waits for: it may be the manager itself.
   * @default false
   */
  readonly isHasty?: boolean;
}

export interface MemberRegistry extends AsyncDisposable {
  /** The own name. */
  readonly ownName: string;
  /** Local first, then registry order; stale probes refreshed first, single-flight, at most 8 at a time. */
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
