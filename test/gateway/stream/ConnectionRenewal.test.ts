import { expect, test } from 'vitest';
import { ConnectionRenewal } from '../../../gateway/stream/ConnectionRenewal.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const ASKING = { isAsking: true };

function open(...refs: readonly string[]) {
  const clock = new FakeClock();
  const renewal = new ConnectionRenewal(clock);
  renewal.want(new Set(refs), ASKING);
  return { clock, renewal, connection: renewal.begin() };
}

test('however often the choice changes in a second, the connection makes room once, for the last one', () => {
  const { clock, renewal, connection } = open('one');
  for (let count = 0; count < 50; count += 1) renewal.want(new Set([`ref ${count}`]), ASKING);
  clock.advance(999);
  expect(connection.signal.aborted).toBe(false);
  clock.advance(1);
  expect(connection.signal.aborted).toBe(true);
  renewal.end(connection);
  expect([...renewal.begin().asked]).toEqual(['ref 49']);
});

test('a choice that is what it was leaves the connection alone', () => {
  const { clock, renewal, connection } = open('one', 'two');
  renewal.want(new Set(['three']), ASKING);
  renewal.want(new Set(['two', 'one']), ASKING);
  clock.advance(5000);
  expect(connection.signal.aborted).toBe(false);
  expect(renewal.pending).toBeUndefined();
});

test('a member that is not to be asked keeps its connection, which was asked for nothing', () => {
  const clock = new FakeClock();
  const renewal = new ConnectionRenewal(clock);
  const connection = renewal.begin();
  clock.advance(5000);
  renewal.want(new Set(['one']), { isAsking: false });
  clock.advance(5000);
  expect(connection.signal.aborted).toBe(false);
  expect(renewal.isAsked('one')).toBe(false);
});

test.each([
  ['the next connection begins', (renewal: ConnectionRenewal) => renewal.begin()],
  ['it is given up', (renewal: ConnectionRenewal) => renewal.giveUp()],
])('who waits for the next connection goes on when %s', async (_title, act) => {
  const { clock, renewal, connection } = open('one');
  clock.advance(1000);
  renewal.want(new Set(['two']), ASKING);
  expect(connection.signal.aborted).toBe(true);
  const { pending } = renewal;
  expect(pending).toBeInstanceOf(Promise);
  renewal.end(connection);
  act(renewal);
  await pending;
  expect(renewal.pending).toBeUndefined();
});

test('an older connection that ends late takes nothing from the newer one', () => {
  const { clock, renewal, connection } = open('one');
  const newer = renewal.begin();
  expect(renewal.end(connection)).toBe(false);
  clock.advance(1000);
  renewal.want(new Set(['two']), ASKING);
  expect(newer.signal.aborted).toBe(true);
});
