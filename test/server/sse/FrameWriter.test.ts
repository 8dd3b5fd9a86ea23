import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { Turns } from '../../../lib/Turns.ts';
import { FrameWriter, type FrameWriterOptions } from '../../../server/sse/FrameWriter.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** A connection that takes nothing, and what became of it. */
function stalled(pace: Pick<FrameWriterOptions, 'keepAliveMs' | 'maxStallMs'>) {
  const clock = new FakeClock();
  const written: string[] = [];
  const connection = {
    writableNeedDrain: true,
    destroyed: false,
    write: (text: string) => written.push(text),
    destroy: () => {
      connection.destroyed = true;
    },
  };
  const writer = new FrameWriter(connection as unknown as ServerResponse, {
    ...pace,
    clock,
    turns: new Turns(1),
    signal: new AbortController().signal,
    cursor: '',
  });
  return { clock, connection, written, writer };
}

test.each([
  ['three intervals', { keepAliveMs: 1_000 }, 3_000],
  ['the time that it is given', { keepAliveMs: 1_000, maxStallMs: 10_000 }, 10_000],
])('FrameWriter cuts off a reader that takes nothing for %s', (_, pace, limitMs) => {
  const { clock, connection, writer } = stalled(pace);
  using _writer = writer;
  for (let passedMs = 0; passedMs < limitMs - 1_000; passedMs += 1_000) clock.advance(1_000);
  expect(connection.destroyed).toBe(false);
  clock.advance(1_000);
  expect(connection.destroyed).toBe(true);
});

test('FrameWriter counts anew when the reader takes something', () => {
  const { clock, connection, written, writer } = stalled({ keepAliveMs: 1_000 });
  using _writer = writer;
  for (const needsDrain of [true, true, false, true, true]) {
    connection.writableNeedDrain = needsDrain;
    clock.advance(1_000);
  }
  expect(connection.destroyed).toBe(false);
  expect(written).toEqual([': keep-alive\n\n']);
});
