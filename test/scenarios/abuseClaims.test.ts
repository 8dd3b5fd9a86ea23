/** Rows of a member of the REST contract that claim to be of somebody else (spec/manager.md §§ 10.1, 22). */
import { expect, test } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { openRestFleet } from '../support/openRestFleet.ts';
import { type Row, record, recordedExchanges } from '../support/RestServer.ts';

const REF = 'github:octo/repo#15';
const ENCODED = encodeURIComponent(REF);

/** What the service answers, list or row; each of its rows makes the claim. */
const CLAIMING_PATHS = [
  '/api/v1/work-items',
  `/api/v1/work-items/one?ref=${ENCODED}`,
  '/api/v1/sessions',
  `/api/v1/sessions/one?ref=${ENCODED}`,
];

/*
 * Feature: Abuse of the fleet
 * Scenario: overwrites_a_members_claim: rows of a member of the REST contract are its own in both faces
 *   Requirement: spec/manager.md#A9
 *   Requirement: spec/manager.md#R6.3
 *   Given a member of the REST contract whose rows, events and frames claim to be of another instance
 *   When they are read in lists, by key, as events and as a stream over REST, and as rows and records of the graph
 *   Then their instance is the registered name, and another name that they claimed is under about
 */
test.each<{ claim: unknown; about: string | undefined }>([
  { claim: 'ci-box', about: 'ci-box' },
  { claim: 'hq', about: 'hq' },
  { claim: 'rest', about: undefined },
  { claim: 7, about: undefined },
  { claim: { name: 'ci-box' }, about: undefined },
])(
  'overwrites_a_members_claim: rows of a member of the REST contract are its own in both faces',
  async ({ claim, about }) => {
    await using open = await openRestFleet();
    const { fleet, rest } = open;
    for (const path of CLAIMING_PATHS) rest.answer(`GET ${path}`, claiming(answerTo(path), claim));
    rest.append(record('session.paused', { work_item: REF, instance: claim }));
    const origin = { instance: 'rest', ...(about !== undefined && { about }) };

    for (const path of [...CLAIMING_PATHS, '/api/v1/events?type=session.paused']) {
      const { status, body } = await fleet.get(path);
      expect([path, status]).toEqual([path, 200]);
      const rows = [body].flat().filter(({ instance }: Row) => instance !== 'alpha' && instance !== 'hq');
      expect(rows.length, path).toBeGreaterThan(0);
      for (const row of rows) expect(originOf(row), path).toEqual(origin);
    }

    const { body } = await fleet.ask(
      'query ($ref: ID!) { tasks(filter: { instances: ["rest"] }) { nodes { instance record } } session(ref: $ref) { instance record } }',
      { ref: REF },
    );
    const nodes = [...body.data.tasks.nodes, body.data.session];
    expect(nodes.length).toBeGreaterThan(1);
    for (const node of nodes) {
      expect(node.instance).toBe('rest');
      expect(originOf(node.record)).toEqual(origin);
    }

    using frames = await readFrames(`${fleet.url}/api/v1/stream`);
    await rest.untilStreams(1);
    rest.append(record('session.resumed', { work_item: REF, instance: claim }));
    let frame: Row = {};
    while (frame.event !== 'session.resumed') {
      const [next] = await frames.take(1);
      frame = JSON.parse(next?.data ?? '{}') as Row;
    }
    expect(originOf(frame)).toEqual(origin);
  },
);

function answerTo(path: string): unknown {
  const found = recordedExchanges().find((exchange) => exchange.method === 'GET' && exchange.path === path);
  if (!found) throw new Error(`Nothing was recorded for ${path}`);
  return found.answer;
}

function claiming(answer: unknown, claim: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((row) => claiming(row, claim));
  return { ...(answer as object), instance: claim };
}

function originOf({ instance, about }: Row) {
  return { instance, ...(about !== undefined && { about }) };
}
