/** A member's SSE stream as pages of its event log (spec/manager.md §§ 14.2, 14.5). */

import type { EventFrame } from '../EventStreamParser.ts';
import type { MemberEvent, MemberEventPage, TranscriptTick } from '../Member.ts';
import { type EventStreamOptions, openEventStream } from './openEventStream.ts';
import { RecentFrames } from './RecentFrames.ts';
import { readFrame } from './readFrame.ts';

/**
 * Pages of what has arrived, in order and each record once. A desync is a page of its own; it waits until it is known where
 * the log goes on. So does the first page of a stream that starts at the log's end: it says where that is.
 *
 * @throws {CallFailed} as `openEventStream`.
 */
export async function* watchStream(options: EventStreamOptions): AsyncGenerator<MemberEventPage, void> {
  const reader = new PageReader(options.after);
  for await (const frames of openEventStream(options)) yield* reader.read(frames);
}

class PageReader {
  readonly #after: number | undefined;
  readonly #recent = new RecentFrames();
  #seen: number | undefined;
  /** The reason of a desync whose position is not known yet. */
  #desync: string | undefined;

  constructor(after: number | undefined) {
    this.#after = after;
    this.#seen = after;
  }

  *read(frames: readonly EventFrame[]): Generator<MemberEventPage> {
    let events: MemberEvent[] = [];
    const transcripts: TranscriptTick[] = [];
    for (const frame of frames.map(readFrame)) {
      if (frame?.kind === 'transcript') transcripts.push(frame.tick);
      if (frame?.kind === 'desync') {
        this.#desync = frame.reason;
        // What was asked for comes back as it was; anything else is where the stream goes on.
        if (frame.position !== undefined && frame.position !== this.#after) {
          yield* this.#flush(events);
          events = [];
          yield* this.#startAt(frame.position);
        }
      }
      if (frame?.kind !== 'log') continue;
      const { event, startsAt } = frame;
      const sighting = this.#recent.see(event);
      if (sighting === 'again') continue;
      if (sighting === 'reset') this.#desync = 'truncated';
      if (this.#desync !== undefined || this.#seen === undefined) {
        yield* this.#flush(events);
        events = [];
        yield* this.#startAt(startsAt);
      }
      events.push(event);
    }
    yield* this.#flush(events, transcripts);
  }

  *#startAt(position: number): Generator<MemberEventPage> {
    this.#seen = position;
    const desync = this.#desync;
    this.#desync = undefined;
    yield { events: [], seen: position, ...(desync !== undefined && { desync }) };
  }

  *#flush(
    events: readonly MemberEvent[],
    transcripts: readonly TranscriptTick[] = [],
  ): Generator<MemberEventPage> {
    const seen = events.at(-1)?.offset ?? this.#seen;
    if (seen === undefined || (events.length === 0 && transcripts.length === 0)) return;
    this.#seen = seen;
    yield { events, seen, ...(transcripts.length > 0 && { transcripts }) };
  }
}
