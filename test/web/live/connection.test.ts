import { expect, test } from 'vitest';
import {
  type Connection,
  type ConnectionSignal,
  connectionWord,
  INITIAL_CONNECTION,
  nextConnection,
  retryDelayMs,
} from '../../../web/src/live/connection.ts';

function after(...signals: ConnectionSignal[]): Connection {
  return signals.reduce(nextConnection, INITIAL_CONNECTION);
}

test.each<[string, ConnectionSignal[]]>([
  ['connecting…', []],
  ['live', [{ kind: 'connected', atMs: 0 }]],
  ['reconnecting…', [{ kind: 'lost', atMs: 0 }]],
  ['reconnecting…', [{ kind: 'lost', atMs: 0 }, { kind: 'retried' }]],
  ['live', [{ kind: 'lost', atMs: 0 }, { kind: 'retried' }, { kind: 'connected', atMs: 5 }]],
])('connectionWord() says "%s" after %j', (word, signals) => {
  expect(connectionWord(after(...signals))).toBe(word);
});

test('nextConnection() counts on when a connection was lost as soon as it was there', () => {
  const { failures } = after(
    { kind: 'lost', atMs: 0 },
    { kind: 'retried' },
    { kind: 'connected', atMs: 1_000 },
    { kind: 'lost', atMs: 2_000 },
  );
  expect(failures).toBe(2);
});

test('nextConnection() starts the count anew when the lost connection was steady', () => {
  const { failures } = after(
    { kind: 'lost', atMs: 0 },
    { kind: 'retried' },
    { kind: 'connected', atMs: 1_000 },
    { kind: 'lost', atMs: 60_000 },
  );
  expect(failures).toBe(1);
});

test('nextConnection() leaves a waiting connection as it is when a late answer comes', () => {
  const waiting = after({ kind: 'lost', atMs: 0 });
  expect(nextConnection(waiting, { kind: 'connected', atMs: 1 })).toBe(waiting);
});

test('retryDelayMs() doubles up to 15 seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 40].map((failures) => retryDelayMs(failures, 0.5))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
  ]);
});

test('retryDelayMs() spreads each delay by a fifth to both sides', () => {
  expect(retryDelayMs(1, 0)).toBeCloseTo(400);
  expect(retryDelayMs(1, 1)).toBeCloseTo(600);
});
