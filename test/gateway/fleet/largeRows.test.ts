/** Rows that are too large to come together come in smaller pages (spec/manager.md § 6: an answer has a bound). */
import { expect, test } from 'vitest';
import { toMemberFailure } from '../../../gateway/member/memberFailure.ts';
import { type FakeAnswer, failing } from '../../support/FakeMember.ts';
import { type FakeFleet, fleetOf } from '../../support/fakeFleet.ts';
import { fakeEvents, fakeTasks } from '../../support/fakeInstance.ts';

const TASKS = `query ($first: Int, $after: String) {
  tasks(first: $first, after: $after) { nodes { instance ref } pageInfo { hasNextPage endCursor } }
}`;

/** A member whose answer may hold at most so many rows. */
function bounded(fleet: FakeFleet, name: string, maxRows: number): void {
  const member = fleet.member(name);
  const honest: FakeAnswer = member.answer;
  member.answer = async (request) => {
    const result = await honest(request);
    const rows =
      result.kind === 'answer' ? (JSON.stringify(result.answer.data).match(/"instance"/g) ?? []) : [];
    return rows.length > maxRows ? failing(TOO_LARGE) : result;
  };
}

const TOO_LARGE = toMemberFailure(
  Object.assign(new Error(), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }),
  new AbortController().signal,
);

test.each([1, 2, 3, 20])(
  'a walk in order visits each row once, of a member that can send %i at once',
  async (most) => {
    const fleet = fleetOf([
      { name: 'hq', tasks: fakeTasks('hq', 7) },
      { name: 'alpha', tasks: fakeTasks('alpha', 9, { startMs: 1_000_500 }) },
    ]);
    const whole = await fleet.ask(TASKS, { variables: { first: 100 } });
    bounded(fleet, 'alpha', most);
    const seen: unknown[] = [];
    let after: string | null = null;
    for (let hasNextPage = true; hasNextPage; ) {
      const { data, context } = await fleet.ask(TASKS, { variables: { first: 8, after } });
      expect(context.unreachable.size).toBe(0);
      seen.push(...data.tasks.nodes);
      ({ hasNextPage, endCursor: after } = data.tasks.pageInfo);
    }
    expect(seen).toEqual(whole.data.tasks.nodes);
  },
);

test('an eighth of the rows is asked for each time, also where the client names no number', async () => {
  const fleet = fleetOf([{ name: 'hq' }, { name: 'alpha', tasks: fakeTasks('alpha', 60) }]);
  bounded(fleet, 'alpha', 13);
  const { data } = await fleet.ask('{ tasks { nodes { instance } pageInfo { hasNextPage } } }');
  expect(data.tasks.nodes).toHaveLength(6);
  expect(data.tasks.pageInfo).toEqual({ hasNextPage: true });
  const sizes = fleet.member('alpha').requests.map(({ variables }) => variables.fleet_hidden_pageSize);
  expect(sizes).toEqual([undefined, 6]);
});

test('a member whose every answer is too large is asked four times at most, however long the page', async () => {
  const fleet = fleetOf([{ name: 'hq' }, { name: 'alpha', tasks: fakeTasks('alpha', 60) }]);
  bounded(fleet, 'alpha', 0);
  await fleet.ask(TASKS, { variables: { first: 1000 } });
  const sizes = fleet.member('alpha').requests.map(({ variables }) => variables.fleet_hidden_pageSize);
  expect(sizes).toEqual([undefined, 125, 15, 1]);
});

test('the newest events are a shorter page without a hole', async () => {
  const fleet = fleetOf([
    { name: 'hq', events: fakeEvents(8, { startMs: 1_000_500 }) },
    { name: 'alpha', events: fakeEvents(8) },
  ]);
  bounded(fleet, 'alpha', 3);
  const { data } = await fleet.ask('{ events(last: 8) { nodes { instance offset } } }');
  const rows = data.events.nodes.map(
    (row: { instance: string; offset: number }) => `${row.instance} ${row.offset}`,
  );
  expect(rows).toEqual(['alpha 8', 'hq 8']);
});

test('a member of which not even one row can come is left out and named', async () => {
  const fleet = fleetOf([{ name: 'hq' }, { name: 'alpha', tasks: fakeTasks('alpha', 2) }]);
  bounded(fleet, 'alpha', 0);
  const { data, context } = await fleet.ask(TASKS, { variables: { first: 2 } });
  expect(data.tasks.nodes).toEqual([]);
  expect(context.unreachable.get('alpha')).toMatchObject({ state: 'error', detail: TOO_LARGE.reason });
});

test('another failure is not asked again', async () => {
  const fleet = fleetOf([{ name: 'hq' }, { name: 'alpha', tasks: fakeTasks('alpha', 2) }]);
  fleet.member('alpha').answer = () => failing({ kind: 'malformed', reason: 'the answer is not JSON' });
  await fleet.ask(TASKS, { variables: { first: 2 } });
  expect(fleet.member('alpha').requests).toHaveLength(1);
});
