/**
 * The fan-in: one stream of the whole fleet's events (design § 5, spec/manager.md § 14).
 *
 * 1. Per member every event comes once, in order, without a gap, from the subscriber's position on. What cannot be
 *    replayed is told by exactly one desync that names the member; the stream goes on from the end of its log. So does
 *    what may have happened before a member's log was first read: it was down, joined later, or the cursor lacks it.
 * 2. A cursor names what the subscriber has seen, the item that carries it included; a resume goes on after it, also
 *    after a restart of the manager. Members that are away keep their position in it.
 * 3. However many subscribers there are, a live member has one upstream; when the last one leaves, all are closed.
 * 4. A slow or paused subscriber holds a position, and at most one page of 500 events, per member. It delays nobody: however
 *    many are behind, a member is asked for at most four pages at a time, and the event loop goes on after 16 items.
 * 5. `api.request` and `mcp.call` never appear.
 */
import type { EventLogFilter } from '../../subgraph/index.ts';
import type { MemberEvent } from '../member/Member.ts';

export type StreamItem =
  /** `instance` is the registered name of the member that the event is from. */
  | {
      readonly kind: 'event';
      readonly instance: string;
      readonly event: MemberEvent;
      readonly cursor: string;
    }
  /** The position alone: nothing that matches came for some seconds. */
  | { readonly kind: 'bookmark'; readonly cursor: string }
  /** Events were missed: of `instance`, or of anybody when it is absent. `reason` is one of the contract's. */
  | {
      readonly kind: 'desync';
      readonly reason: string;
      readonly instance?: string;
      readonly cursor: string;
    };

export interface StreamSubscription {
  /** Composite cursor of an earlier item; one that cannot be read is one desync `bad-cursor`. @default from now on */
  readonly after?: string;
  /** @default every event */
  readonly filter?: EventLogFilter;
  /** Only events with this ref; on top of `filter`. */
  readonly ref?: string;
  /** Only events of the member with this registered name. */
  readonly instance?: string;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

export interface FleetStream extends AsyncDisposable {
  /**
   * Takes its positions at the call, not at the first read. Never throws. It is held open until `signal` aborts or the
   * reader returns; `next` may be called again before the last call has settled.
   */
  subscribe(subscription: StreamSubscription): AsyncGenerator<StreamItem>;
  /** Whether an instance with this name is in the fleet, in whatever state. */
  knows(instance: string): boolean;
  counts(): StreamCounts;
}

/** spec/manager.md § 14.6 */
export interface StreamCounts {
  readonly subscribers: number;
  /** `wanted`: live members while anybody listens. `open`: those of them that are connected or connecting. */
  readonly upstreams: { readonly open: number; readonly wanted: number };
}
