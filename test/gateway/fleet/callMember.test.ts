import { expect, test } from 'vitest';
import { callMember } from '../../../gateway/fleet/callMember.ts';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeMember, hanging } from '../../support/FakeMember.ts';
import { FakeRegistry } from '../../support/FakeRegistry.ts';

const TIMEOUT_MS = 1000;
const REQUEST = { text: '', document: { kind: 'Document' as never, definitions: [] }, variables: {} };

function call(name: 'hq' | 'alpha', clock: FakeClock) {
  const registry = new FakeRegistry(
    ['hq', 'alpha'].map((each) => ({ member: new FakeMember(each, hanging) })),
  );
  const entry = registry.snapshot().find(({ member }) => member.name === name)!;
  const context = createFleetContext(new AbortController().signal);
  return {
    registry,
    result: callMember(entry, REQUEST, { registry, clock, context, timeoutMs: TIMEOUT_MS }),
  };
}

test('callMember() gives up on a member after the timeout, and says so to the registry', async () => {
  const clock = new FakeClock();
  const { registry, result } = call('alpha', clock);
  clock.advance(TIMEOUT_MS);
  expect(await result).toMatchObject({ kind: 'failure', failure: { kind: 'timeout' } });
  expect(registry.failures).toEqual([['alpha', 'timed out']]);
});

test.each([
  [999, []],
  [1000, [['alpha', 'timed out']]],
])('callMember() after %i ms of a wave that ends says of the member: %j', async (timeMs, said) => {
  const clock = new FakeClock();
  const wave = new AbortController();
  const registry = new FakeRegistry([{ member: new FakeMember('alpha', hanging) }]);
  const [entry] = registry.snapshot();
  const result = callMember({ ...entry!, isLocal: false }, REQUEST, {
    registry,
    clock,
    context: createFleetContext(new AbortController().signal),
    timeoutMs: 10_000,
    signal: wave.signal,
  });
  clock.advance(timeMs);
  wave.abort(new DOMException('The time was over', 'TimeoutError'));
  expect(await result).toMatchObject({ kind: 'failure', failure: { kind: 'timeout' } });
  expect(registry.failures).toEqual(said);
});

test('callMember() waits longer for the own half, which may wait for members itself', async () => {
  const clock = new FakeClock();
  const { registry, result } = call('hq', clock);
  let isOver = false;
  void result.then(() => {
    isOver = true;
  });
  clock.advance(60_000);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  clock.advance(10_000);
  expect(await result).toMatchObject({ kind: 'failure' });
  expect(registry.failures).toEqual([]);
});
