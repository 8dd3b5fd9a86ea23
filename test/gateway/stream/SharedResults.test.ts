import { buildSchema, type ExecutionResult, parse } from 'graphql';
import { expect, test } from 'vitest';
import { isShareable, SharedResults } from '../../../gateway/stream/SharedResults.ts';

const SCHEMA = buildSchema('type Query { a: Int }');
const QUESTION = {
  schema: SCHEMA,
  document: parse('subscription A { events { type } }'),
  operationName: undefined,
};

function anItem(cursor = 'alpha=1') {
  const at = '2026-01-01T00:00:00.000Z';
  const event = {
    offset: 1,
    type: 'task.status',
    at,
    level: 'INFO',
    ref: null,
    source: 'tasks',
    pid: 1,
    data: {},
  };
  return { kind: 'event', instance: 'alpha', event, cursor } as const;
}

test('SharedResults executes once for equal questions', () => {
  const results = new SharedResults();
  const item = anItem();
  const first = results.get(QUESTION, item, () => ({ data: { n: 1 } }));
  const second = results.get({ ...QUESTION }, { ...item }, () => ({ data: { n: 2 } }));
  expect(first).toEqual({ data: { n: 1 } });
  expect(second).toBe(first);
});

test.each([
  ['another document', { document: parse('subscription A { events { type } }') }, {}],
  ['another operation of the document', { operationName: 'A' }, {}],
  ['another schema', { schema: buildSchema('type Query { a: Int }') }, {}],
  ['a subscriber at another position', {}, { cursor: 'alpha=1,beta=7' }],
  ['a member with another name', {}, { instance: 'beta' }],
  ['another event', {}, { event: anItem().event }],
])('SharedResults executes again for %s', (_title, question, place) => {
  const results = new SharedResults();
  const item = anItem();
  results.get(QUESTION, item, () => ({ data: { n: 1 } }));
  const other = results.get({ ...QUESTION, ...question }, { ...item, ...place }, () => ({ data: { n: 2 } }));
  expect(other).toEqual({ data: { n: 2 } });
});

test('SharedResults keeps the eight newest results of an event', () => {
  const results = new SharedResults();
  const item = anItem();
  let executed = 0;
  const ask = (cursor: string) =>
    results.get(QUESTION, { ...item, cursor }, () => {
      executed += 1;
      return { data: { cursor } };
    });
  for (let n = 1; n <= 9; n += 1) ask(`alpha=${n}`);
  for (let n = 9; n > 1; n -= 1) expect(ask(`alpha=${n}`)).toEqual({ data: { cursor: `alpha=${n}` } });
  expect(executed).toBe(9);
  ask('alpha=1');
  expect(executed).toBe(10);
});

test('SharedResults keeps nothing that does not come at once', async () => {
  const results = new SharedResults();
  const item = anItem();
  const answer = (n: number) => async (): Promise<ExecutionResult> => ({ data: { n } });
  expect(await results.get(QUESTION, item, answer(1))).toEqual({ data: { n: 1 } });
  expect(await results.get(QUESTION, item, answer(2))).toEqual({ data: { n: 2 } });
});

test.each([
  ['subscription { events { cursor data } }', true],
  [
    'subscription ($after: String) { events(after: $after) { cursor ...F } } fragment F on EventRecord { at }',
    true,
  ],
  ['subscription { events { at @skip(if: true) } }', true],
  ['subscription ($no: Boolean!) { events { at type @skip(if: $no) } }', false],
  [
    'subscription ($yes: Boolean!) { events { at ...F @include(if: $yes) } } fragment F on EventRecord { pid }',
    false,
  ],
  ['subscription { taskEvents { at task { name } } }', false],
  ['subscription { taskEvents { at ...F } } fragment F on TaskEvent { title: task { name } }', false],
])('isShareable(%s) is %s', (text, expected) => {
  expect(isShareable(parse(text))).toBe(expected);
});
