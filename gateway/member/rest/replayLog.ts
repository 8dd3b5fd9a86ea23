/**
 * A piece of a member's log, read from the replay of a stream of its own that is closed at the end (spec/manager.md § 14.4):
 * the contract has no paged read of the log that tells positions.
 */
import type { MemberEvent } from '../Member.ts';
import { asRecord } from '../parseMemberJson.ts';
import { type EventStreamOptions, openEventStream } from './openEventStream.ts';
import { readFrame } from './readFrame.ts';

/** How far back a member replays, in bytes of its log. */
const MAX_REPLAY_BYTES = 262_144;
/** A service sends its replay at once: after so long a silence there is nothing more of it, in milliseconds. */
const QUIET_MS = 1500;

export interface ReplayOptions extends Omit<EventStreamOptions, 'transcripts'> {
  readonly after: number;
  /** Most events. */
  readonly first: number;
  /** Where the replay ends; undefined: where the log ended when it was asked for. */
  readonly until: number | undefined;
}

export interface Replay {
  /** Oldest first. */
  readonly events: readonly MemberEvent[];
  /** Everything up to here is in `events`. */
  readonly end: number;
  /** Whether there is more before `until`. */
  readonly hasMore: boolean;
}

/**
 * Undefined when the member cannot go back to `after`: it is further than its replay reaches, or in another log.
 *
 * @throws {CallFailed} as `openEventStream`.
 */
export async function replayLog(options: ReplayOptions): Promise<Replay | undefined> {
  const { after, first, until, clock, signal } = options;
  if (until !== undefined && until - after > MAX_REPLAY_BYTES) return undefined;
  const events: MemberEvent[] = [];
  const quiet = new AbortController();
  let timer: Disposable | undefined;
  try {
    for await (const frames of openEventStream({
      ...options,
      signal: AbortSignal.any([signal, quiet.signal]),
    })) {
      // A sign of life is no news of the log.
      if (!timer || frames.length > 0) {
        timer?.[Symbol.dispose]();
        timer = clock.schedule(QUIET_MS, () => quiet.abort());
      }
      for (const frame of frames.map(readFrame)) {
        if (frame?.kind === 'desync') return undefined;
        if (frame?.kind !== 'log') continue;
        const { event } = frame;
        if (until === undefined && isOwnArrival(event, after)) return toReplay(events, event.offset);
        if (until !== undefined && event.offset > until) return toReplay(events, until);
        if (event.offset <= (events.at(-1)?.offset ?? after)) continue;
        if (events.length === first) return { events, end: events.at(-1)?.offset ?? after, hasMore: true };
        events.push(event);
        if (event.offset === until) return toReplay(events, until);
      }
    }
  } finally {
    timer?.[Symbol.dispose]();
  }
  signal.throwIfAborted();
  return toReplay(events, until ?? events.at(-1)?.offset ?? after);
}

/** The record that a service writes of being asked for this very replay: what came before it was there already. */
function isOwnArrival({ type, data }: MemberEvent, after: number): boolean {
  return type === 'stream.subscribed' && asRecord(data)?.cursor === after;
}

function toReplay(events: readonly MemberEvent[], end: number): Replay {
  return { events, end, hasMore: false };
}
