/** The second road's thread: what it keeps from the event loop, and what becomes of those who wait for it when it ends. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { composeSupergraph } from '../../../gateway/fleet/composeSupergraph.ts';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import { PlannerThread } from '../../../gateway/fleet/PlannerThread.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { SUPERGRAPH } from '../../support/fakeFleet.ts';
import { startCpuWatch } from '../../support/startCpuWatch.ts';
import { until } from '../../support/until.ts';

const TEXT = '{ health { status } }';
/** A graph of a thousand types takes the planner most of a second, on a busy machine longer than it may: here the clock stands still. */
const LARGE = composeSupergraph([
  {
    name: 'large',
    typeDefs: parse(
      `type Query { health: T0 } ${Array.from({ length: 1000 }, (_, n) => `type T${n} { status: String next: T${(n + 1) % 1000} }`).join(' ')}`,
    ),
  },
]);

function request(signal = new AbortController().signal) {
  return { text: TEXT, operationName: undefined, variables: {}, context: createFleetContext(signal) };
}

function answering(data: object) {
  return { process: async () => ({ data: data as Record<string, unknown> }) };
}

test('a graph of a thousand types is loaded and planned while the event loop goes on', async () => {
  await using planner = new PlannerThread({ clock: new FakeClock(), logger: silentLogger });
  const source = answering({ health: { status: 'ok' } });
  using road = planner.open({ supergraphSdl: LARGE.sdl, sourceOf: () => source });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const cpuMs = startCpuWatch();
  delay.enable();
  const startMs = performance.now();
  const answer = await road.execute(request());
  const tookMs = performance.now() - startMs;
  const ownMs = cpuMs();
  delay.disable();

  expect(answer).toEqual({ data: { health: { status: 'ok' } } });
  // Of the work, whose time a busy machine stretches, this thread has next to nothing.
  expect(ownMs).toBeLessThan(tookMs / 4);
  expect(delay.count).toBeGreaterThan(10);
});

test('an error of a data source keeps its origin, its place and what it says of itself', async () => {
  await using planner = new PlannerThread({ clock: new FakeClock(), logger: silentLogger });
  const origin = new FlotillaError('MEMBER_UNAVAILABLE', 'alpha: gone', { details: { instance: 'alpha' } });
  const told = { message: 'alpha: gone', path: ['health'], extensions: { code: 'MEMBER_UNAVAILABLE' } };
  const failed = Object.assign(origin, told);
  const source = { process: async () => ({ data: { health: null }, errors: [failed] }) };
  using road = planner.open({ supergraphSdl: LARGE.sdl, sourceOf: () => source });

  const { data, errors } = await road.execute(request());

  expect(data).toEqual({ health: null });
  expect(errors).toMatchObject([{ ...told, originalError: origin }]);
  expect(errors?.[0]?.extensions).toEqual({ code: 'MEMBER_UNAVAILABLE' });
});

test('graphs share the thread; one that cannot be loaded is told and takes nothing with it', async () => {
  await using planner = new PlannerThread({ clock: new FakeClock(), logger: silentLogger });
  const source = answering({ health: { status: 'ok' } });
  using good = planner.open({ supergraphSdl: SUPERGRAPH.sdl, sourceOf: () => source });
  using bad = planner.open({ supergraphSdl: 'type Query { a: Int }', sourceOf: () => source });

  await good.load();
  await expect(bad.load()).rejects.toThrow();
  const answer = await bad.execute(request());

  expect(answer.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
  expect(await good.execute(request())).toEqual({ data: { health: { status: 'ok' } } });
});

test('a graph that is closed before it is loaded keeps nobody waiting', async () => {
  await using planner = new PlannerThread({ clock: new FakeClock(), logger: silentLogger });
  const road = planner.open({ supergraphSdl: LARGE.sdl, sourceOf: () => undefined });
  const loading = road.load();
  road[Symbol.dispose]();
  await expect(loading).rejects.toThrow('it is closed');
});

test('a thread that says nothing is ended: who waits is told, and the next operation has another', async () => {
  const clock = new FakeClock();
  await using planner = new PlannerThread({ clock, logger: silentLogger });
  using road = planner.open({
    supergraphSdl: SUPERGRAPH.sdl,
    sourceOf: () => answering({ health: { status: 'ok' } }),
  });
  const stuck = road.execute(request());
  clock.advance(30_000);
  expect((await stuck).errors).toMatchObject([{ message: expect.stringContaining('it takes too long') }]);
  expect(await road.execute(request())).toEqual({ data: { health: { status: 'ok' } } });
});

test('a fetch that takes its time is not the fault of the thread; closing ends who waits for it', async () => {
  const clock = new FakeClock();
  await using planner = new PlannerThread({ clock, logger: silentLogger });
  let isAsked = false;
  const source = {
    process: () => {
      isAsked = true;
      return new Promise<never>(() => {});
    },
  };
  using road = planner.open({ supergraphSdl: SUPERGRAPH.sdl, sourceOf: () => source });
  const waiting = road.execute(request());
  await until(() => isAsked);
  clock.advance(60_000);
  await planner[Symbol.asyncDispose]();
  expect((await waiting).errors).toMatchObject([{ message: expect.stringContaining('it is closed') }]);
  await expect(road.load()).rejects.toThrow('it is closed');
});
