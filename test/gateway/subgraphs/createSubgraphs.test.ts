/** When subgraphs are read, composed, told of and closed. */
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import type { SubgraphClient } from '../../../gateway/subgraphs/createSubgraphClient.ts';
import { createSubgraphs } from '../../../gateway/subgraphs/createSubgraphs.ts';
import type { ConfiguredSubgraph } from '../../../gateway/subgraphs/WatchedSubgraph.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { settled } from '../../support/until.ts';

const BASE = { sdl: 'base', apiSchema: buildSchema('type Query { a: Int }'), fields: new Map() };
const INTERVAL_MS = 15_000;

class FakeClient implements SubgraphClient {
  readonly url: string;
  reads = 0;
  isClosed = false;
  /** Undefined: it does not answer. */
  sdl: string | undefined;

  constructor(url: string) {
    this.url = url;
    this.sdl = url.includes('down') ? undefined : `sdl of ${url}`;
  }

  async readSdl() {
    this.reads += 1;
    return this.sdl === undefined
      ? ({ kind: 'failed', reason: `nobody answers, ${this.reads}` } as const)
      : ({ kind: 'sdl', sdl: this.sdl } as const);
  }

  async process() {
    return { data: null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
  }
}

function open(first: readonly ConfiguredSubgraph[]) {
  const clock = new FakeClock();
  const clients: FakeClient[] = [];
  const graphs: string[] = [];
  const sources: (readonly string[])[] = [];
  const drains: (() => void)[] = [];
  const events: unknown[] = [];
  let compositions = 0;
  let configured = first;
  const subgraphs = createSubgraphs({
    worker: {
      config: {
        current: () => ({
          gateway: { subgraphs: configured },
          instance: { manager: { probeIntervalSeconds: INTERVAL_MS / 1000 } },
        }),
      },
      log: { append: (rows: readonly { type: string; data: unknown }[]) => void events.push(...rows) },
    } as never,
    gateway: {
      async update({ sdl }, all, drained = () => {}) {
        graphs.push(sdl);
        sources.push([...all].map(([name, source]) => `${name}=${(source as FakeClient).url}`));
        drains.push(drained);
      },
    },
    base: BASE,
    ownSources: new Map(),
    composer: {
      async compose(joined) {
        compositions += 1;
        const sdl = joined.map((text) => text.sdl).join('; ');
        if (sdl.includes('crash')) return { kind: 'failed', reason: 'it crashed' };
        if (sdl.includes('bad')) return { kind: 'refused', reason: `refused ${sdl}` };
        return { kind: 'composed', sdl, apiSdl: 'type Query { a: Int }', fields: new Map() };
      },
      async [Symbol.asyncDispose]() {},
    },
    createClient: ({ url }) => {
      const client = new FakeClient(url);
      clients.push(client);
      return client;
    },
    clock,
    ids: { random: () => 0.5 },
    logger: silentLogger,
  });
  return {
    clock,
    clients,
    graphs,
    sources,
    drains,
    events,
    get compositions() {
      return compositions;
    },
    configure(next: readonly ConfiguredSubgraph[]) {
      configured = next;
    },
    /** Lets so many seconds pass, one after the other. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1000);
        await settled();
      }
    },
    settled: subgraphs.settled.then(settled),
    [Symbol.asyncDispose]: () => subgraphs[Symbol.asyncDispose](),
  };
}

test('without subgraphs nothing is composed, and nobody is kept waiting', async () => {
  await using fixture = open([]);
  await fixture.settled;
  await fixture.pass(60);
  expect(fixture.graphs).toEqual([]);
  expect(fixture.compositions).toBe(0);
});

test('a schema is read every interval, and composed only when it has changed', async () => {
  await using fixture = open([{ name: 'a', url: 'http://a' }]);
  await fixture.settled;
  const [client] = fixture.clients;
  await fixture.pass(31);
  expect(client?.reads).toBe(3);
  expect(fixture.compositions).toBe(1);
  client!.sdl = 'another';
  await fixture.pass(15);
  expect(fixture.graphs).toEqual(['sdl of http://a', 'another']);
});

test('one that does not answer is asked again with growing waits up to the interval, and told once', async () => {
  await using fixture = open([{ name: 'a', url: 'http://down' }]);
  await fixture.settled;
  const readAt: number[] = [];
  for (let second = 1; second <= 60; second += 1) {
    const before = fixture.clients[0]!.reads;
    await fixture.pass(1);
    if (fixture.clients[0]!.reads > before) readAt.push(second);
  }
  expect(readAt).toEqual([1, 3, 7, 15, 30, 45, 60]);
  expect(fixture.events).toMatchObject([
    { type: 'supergraph.refused', data: { subgraph: 'a', reason: 'nobody answers, 1' } },
  ]);
  expect(fixture.graphs).toEqual([]);
});

test('a schema that is refused is told once, and not composed again until it changes', async () => {
  await using fixture = open([{ name: 'a', url: 'http://a' }]);
  await fixture.settled;
  fixture.clients[0]!.sdl = 'bad token=4711471147114711';
  await fixture.pass(60);
  const { compositions } = fixture;
  await fixture.pass(60);
  expect(fixture.compositions).toBe(compositions);
  expect(fixture.graphs).toEqual(['sdl of http://a']);
  expect(fixture.events).toMatchObject([
    { type: 'supergraph.updated' },
    { type: 'supergraph.refused', data: { reason: 'refused bad token=[REDACTED]' } },
  ]);
});

test('a composition that failed by itself is tried again after an interval', async () => {
  await using fixture = open([{ name: 'a', url: 'http://crash' }]);
  await fixture.settled;
  const { compositions } = fixture;
  await fixture.pass(16);
  expect(fixture.compositions).toBeGreaterThan(compositions);
});

test('what leaves the configuration leaves the graph, and is closed when nobody uses it any more', async () => {
  await using fixture = open([{ name: 'a', url: 'http://a' }]);
  await fixture.settled;
  fixture.configure([]);
  await fixture.pass(2);
  expect(fixture.graphs).toEqual(['sdl of http://a', 'base']);
  expect(fixture.clients[0]?.isClosed).toBe(false);
  fixture.drains.at(-1)?.();
  await settled();
  expect(fixture.clients[0]?.isClosed).toBe(true);
});

test('another address takes over when it answers; until then the one before serves', async () => {
  await using fixture = open([{ name: 'a', url: 'http://a' }]);
  await fixture.settled;
  fixture.configure([{ name: 'a', url: 'http://down' }]);
  await fixture.pass(2);
  expect(fixture.sources).toEqual([['a=http://a']]);
  const [before, after] = fixture.clients;
  expect(before?.isClosed).toBe(false);
  after!.sdl = 'sdl of http://a';
  await fixture.pass(20);
  expect(fixture.sources).toEqual([['a=http://a'], ['a=http://down']]);
  fixture.drains.at(-1)?.();
  await settled();
  expect([before?.isClosed, after?.isClosed]).toEqual([true, false]);
});

test('disposing closes what is in use, and what is leaving', async () => {
  const fixture = open([{ name: 'a', url: 'http://a' }]);
  await fixture.settled;
  fixture.configure([{ name: 'b', url: 'http://b' }]);
  await fixture.pass(2);
  await fixture[Symbol.asyncDispose]();
  expect(fixture.clients.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(fixture.clock.timers).toBe(0);
});
