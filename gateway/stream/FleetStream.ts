/**
 * The fan-in: one stream of the whole fleet's events (design § 5, spec/manager.md § 14).
 *
 * 1. Per member every event comes once, in order, without a gap, from the subscriber's position on. What cannot be
 *    replayed is told by exactly one desync that names the member; the stream goes on from the end of its log. So does
 *    what may have happened before a member's log was first read: it was down, joined later, or the cursor lacks it. A log that
 *    was replaced is known by its end, or by the event that was seen last in it; not across a restart of the manager.
 * 2. A cursor names what the subscriber has seen, the item that carries it included; a resume goes on after it, also
 *    after a restart of the manager. Members that are away keep their position in it.
 * 3. However many subscribers there are, a live member has one upstream; when the last one leaves, all are closed.
 * 4. A slow subscriber holds a position and at most one page of 500 events per member; one that is paused for two seconds holds
 *    the positions alone. Four pages of a member are kept while somebody asks for what is in them. It delays nobody: however many
 *    are behind, a member is asked for at most two pages at a time, who reads what comes is served before who is caught up, and
 *    the event loop goes on after 16 subscribers had 8 items each.
 * 5. `api.request` and `mcp.call` never appear.
 * 6. Of a watched transcript the newest length comes; lengths between may be left out, and no replay tells them again. A member
 *    that has to be told which transcripts are watched is connected to anew when that changes, and at most once a second.
 */
import type { EventLogFilter } from '../../subgraph/index.ts';
import type { MemberEvent, TranscriptTick } from '../member/Member.ts';

export type StreamItem =
  /** `instance` is the registered name of the member that the event is from. */
  | {
      readonly kind: 'event';
      readonly instance: string;
      readonly event: MemberEvent;
      readonly cursor: string;
    }
  /** A transcript that the subscriber watches has grown, of the member `instance`. It is no event: the position is where it was. */
  | {
      readonly kind: 'transcript';
      readonly instance: string;
      readonly tick: TranscriptTick;
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
  /** Refs whose transcripts are watched, whatever the filter; at most 64. @default none */
  readonly transcripts?: ReadonlySet<string>;
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
  /** How many instances are in the fleet, in whatever state; the own one counts. */
  readonly size: number;
  counts(): StreamCounts;
  stats(): StreamStats;
}

/** spec/manager.md § 14.6 */
export interface StreamCounts {
  readonly subscribers: number;
  /** `wanted`: live members while anybody listens. `open`: those of them that are connected or connecting. */
  readonly upstreams: { readonly open: number; readonly wanted: number };
}

/** For whoever watches the fan-in from outside. */
export interface StreamStats extends StreamCounts {
  /** Of each member that was live once since the first subscriber came. */
  readonly members: readonly MemberLag[];
}

export interface MemberLag {
  readonly name: string;
  readonly isOpen: boolean;
  /** Events that the slowest subscriber has not been given yet. */
  readonly lagEvents: number;
  /** Seconds between the newest event, by the member's clock, and its arrival. */
  readonly lagSeconds: number;
}

/** Hears of what subscribers are told and what is done for them; must not throw. */
export interface FleetStreamObserver {
  desync(reason: string): void;
  /** A page of a member's log was read for subscribers that have fallen behind. */
  catchUp(): void;
}
