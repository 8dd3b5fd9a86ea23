import { expect, test } from 'vitest';
import type { LiveEventFragment } from '../../../web/src/gql/graphql.ts';
import { connectionWord } from '../../../web/src/live/connection.ts';
import { type EventSink, type EventSource, LiveStream } from '../../../web/src/live/LiveStream.ts';
import type { Platform } from '../../../web/src/platform.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** A wire in the hands of the test: it keeps what was asked and tells what it is told to. */
class FakeSource implements EventSource {
  readonly cursors: (string | undefined)[] = [];
  position: () => Promise<string | undefined> = async () => 'alpha=3';
  /** Of the newest stream. */
  sink!: EventSink;
  opened = 0;

  readPosition(): Promise<string | undefined> {
    return this.position();
  }

  open(cursor: string | undefined, sink: EventSink): () => void {
    this.cursors.push(cursor);
    this.sink = sink;
    this.opened += 1;
    return () => {
      this.opened -= 1;
    };
  }
}

function event(offset: number, type = 'task.status'): LiveEventFragment {
  return {
    cursor: `alpha=${offset}`,
    instance: 'alpha',
    offset,
    type,
    at: '2026-01-01T00:00:00.000Z',
    ref: 'o/r#1',
    task: null,
    data: {},
  };
}

function setUp() {
  const clock = new FakeClock();
  const platform: Platform = {
    nowMs: () => clock.nowMs(),
    schedule(delayMs, callback) {
      const timer = clock.schedule(delayMs, callback);
      return () => timer[Symbol.dispose]();
    },
    random: () => 0.5,
    newId: () => 'id',
  };
  const source = new FakeSource();
  const stream = new LiveStream(source, platform);
  const heard: (number | 'gap')[] = [];
  stream.listen({ event: ({ offset }) => heard.push(offset), gap: () => heard.push('gap') });
  return { clock, source, stream, heard };
}

test('LiveStream begins after the position that was read before any list', async () => {
  const { source, stream, heard } = setUp();
  await stream.open();
  await stream.positioned;
  source.sink.connected();
  source.sink.event(event(4));
  expect(source.cursors).toEqual(['alpha=3']);
  expect(heard).toEqual([4]);
});

test('LiveStream resumes after the last cursor and tells nothing twice', async () => {
  const { clock, source, stream, heard } = setUp();
  await stream.open();
  source.sink.connected();
  source.sink.event(event(4));
  source.sink.event(event(5));
  source.sink.lost({ isRefused: false });
  clock.advance(500);
  source.sink.connected();
  source.sink.event(event(5));
  source.sink.event(event(6));
  expect(source.cursors).toEqual(['alpha=3', 'alpha=5']);
  expect(heard).toEqual([4, 5, 6]);
});

test('LiveStream resumes after a bookmark', async () => {
  const { clock, source, stream, heard } = setUp();
  await stream.open();
  source.sink.event(event(40, 'stream.bookmark'));
  source.sink.lost({ isRefused: false });
  clock.advance(500);
  expect(source.cursors.at(-1)).toBe('alpha=40');
  expect(heard).toEqual([]);
});

test('LiveStream waits longer after each loss and has one stream open at most', async () => {
  const { clock, source, stream } = setUp();
  await stream.open();
  const delaysMs: number[] = [];
  for (let loss = 0; loss < 7; loss += 1) {
    source.sink.lost({ isRefused: false });
    const delayMs = clock.delaysMs[0]!;
    delaysMs.push(delayMs);
    clock.advance(delayMs);
    expect(source.opened).toBe(1);
  }
  expect(delaysMs).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
});

test('LiveStream tells a gap when the server sends a desync', async () => {
  const { source, stream, heard } = setUp();
  await stream.open();
  source.sink.event(event(9, 'stream.desync'));
  expect(heard).toEqual(['gap']);
});

test('LiveStream forgets a cursor that the server refuses and tells a gap once it is connected', async () => {
  const { clock, source, stream, heard } = setUp();
  await stream.open();
  source.sink.lost({ isRefused: true });
  clock.advance(500);
  expect(source.cursors.at(-1)).toBeUndefined();
  expect(heard).toEqual([]);
  source.sink.connected();
  expect(heard).toEqual(['gap']);
});

test('LiveStream tells a gap on the first connection when no position could be read', async () => {
  const { source, stream, heard } = setUp();
  source.position = () => Promise.reject(new Error('connection refused'));
  await stream.open();
  await stream.positioned;
  source.sink.connected();
  expect(heard).toEqual(['gap']);
});

test('LiveStream tells a gap when an event cannot be read, and goes on', async () => {
  const { source, stream, heard } = setUp();
  await stream.open();
  source.sink.unreadable();
  source.sink.event(event(5));
  expect(heard).toEqual(['gap', 5]);
});

test('LiveStream tries at once when the machine is online again', async () => {
  const { clock, source, stream } = setUp();
  await stream.open();
  source.sink.lost({ isRefused: false });
  stream.retry();
  expect(source.cursors).toHaveLength(2);
  clock.advance(60_000);
  expect(source.cursors).toHaveLength(2);
});

test('LiveStream shows its watchers each change of the connection', async () => {
  const { clock, source, stream } = setUp();
  const words: string[] = [];
  stream.watch(() => words.push(connectionWord(stream.connection())));
  await stream.open();
  source.sink.connected();
  source.sink.lost({ isRefused: false });
  clock.advance(500);
  source.sink.connected();
  expect(words).toEqual(['live', 'reconnecting…', 'reconnecting…', 'live']);
});

test('LiveStream neither tries nor tells after it was closed', async () => {
  const { clock, source, stream, heard } = setUp();
  await stream.open();
  source.sink.lost({ isRefused: false });
  stream.close();
  clock.advance(60_000);
  expect(source.cursors).toHaveLength(1);
  expect(source.opened).toBe(0);
  expect(heard).toEqual([]);
});
