/** The first road costs a fraction of the stock gateway (design § 3). CPU time is compared, in one run, so that a busy machine does not matter. */
import { ApolloGateway } from '@apollo/gateway';
import { execute, parse } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import type { MemberAnswer } from '../../../gateway/member/Member.ts';
import { answering, FakeMember } from '../../support/FakeMember.ts';
import { createFakeFleet, SUPERGRAPH } from '../../support/fakeFleet.ts';
import { buildFakeInstanceSchema, fakeTasks } from '../../support/fakeInstance.ts';

const TEXT = `{ tasks(first: 1000) {
  nodes { instance ref id state subState name goal lastReply createdAt updatedAt version turns usage { inputTokens outputTokens } }
  pageInfo { hasNextPage endCursor }
} }`;
/** So many that what is measured is compiled, and that some round is undisturbed. */
const ROUNDS = 40;

test('a read of 1,000 rows from five instances costs at most a fifth of what the stock gateway alone costs', async () => {
  const document = parse(TEXT);
  const fleet = createFakeFleet(
    ['hq', 'a', 'b', 'c', 'd'].map((name) => ({ member: rememberingMember(name) })),
  );
  const first = () =>
    fleet.source.execute({ document, text: TEXT, context: createFleetContext(new AbortController().signal) });
  const answer = JSON.stringify((await first()).data);

  process.env.APOLLO_TELEMETRY_DISABLED = '1';
  const stock = new ApolloGateway({
    supergraphSdl: SUPERGRAPH.sdl,
    buildService: () => ({ process: async () => ({ data: JSON.parse(answer) }) }),
    queryPlannerConfig: { exposeDocumentNodeInFetchNode: true },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await stock.load();
  const stockRequest = {
    document,
    queryHash: 'h',
    source: TEXT,
    request: {},
    operationName: null,
    context: {},
    metrics: {},
  };
  const second = () => stock.executor(stockRequest as never);
  expect(JSON.stringify((await second()).data)).toBe(answer);

  const parseMs = await leastCpuMs(async () => JSON.parse(answer));
  const firstMs = await leastCpuMs(first);
  const stockMs = (await leastCpuMs(second)) - parseMs;
  await stock.stop();
  expect(firstMs).toBeLessThan(stockMs / 5);
});

/** Answers what its schema answered the first time, at no cost. */
function rememberingMember(name: string): FakeMember {
  const schema = buildFakeInstanceSchema({ name, tasks: fakeTasks(name, 200) });
  let data: MemberAnswer['data'];
  return new FakeMember(name, async ({ document, variables }) => {
    data ??= JSON.parse(
      JSON.stringify((await execute({ schema, document, variableValues: variables })).data),
    );
    return answering({ data, errors: [] });
  });
}

/** The cheapest of some rounds: what is left of it is the work itself. */
async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let turn = 0; turn < 20; turn += 1) await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000 / 20);
  }
  return least;
}
