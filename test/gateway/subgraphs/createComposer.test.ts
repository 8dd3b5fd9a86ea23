/** Composition in a thread of its own. */
import { print } from 'graphql';
import { expect, test } from 'vitest';
import { createComposer } from '../../../gateway/subgraphs/createComposer.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { TYPE_DEFS } from '../../support/fakeFleet.ts';

const OWN = Object.entries(TYPE_DEFS).map(([name, typeDefs]) => ({ name, sdl: print(typeDefs) }));

test('the event loop goes on while subgraphs are composed, and again after the thread was idle', async () => {
  const clock = new FakeClock();
  await using composer = createComposer({ own: OWN, clock });
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const first = await composer.compose([{ name: 'more', sdl: 'type Query { more: Int }' }]);
  clearInterval(timer);
  expect(first.kind).toBe('composed');
  expect(turns).toBeGreaterThan(10);

  clock.advance(30_000);
  expect(await composer.compose([{ name: 'more', sdl: 'type {' }])).toMatchObject({ kind: 'refused' });
});

test('a composition that takes too long has failed, and the next one is done', async () => {
  const clock = new FakeClock();
  await using composer = createComposer({ own: OWN, clock });
  const late = composer.compose([]);
  clock.advance(30_000);
  expect(await late).toEqual({ kind: 'failed', reason: 'the composition failed: it takes too long' });
  expect(await composer.compose([])).toMatchObject({ kind: 'composed' });
});

test('disposing ends a composition that runs, and there is none after it', async () => {
  const clock = new FakeClock();
  const composer = createComposer({ own: OWN, clock });
  const running = composer.compose([]);
  await composer[Symbol.asyncDispose]();
  expect(await running).toMatchObject({ kind: 'failed' });
  expect(await composer.compose([])).toMatchObject({ kind: 'failed' });
  expect(clock.timers).toBe(0);
});
