import { expect, test } from 'vitest';
import type { RestOperation } from '../../../server/rest/Contract.ts';
import { buildInputReader, type RestRequest } from '../../../server/rest/readInput.ts';

const OPERATION: RestOperation = {
  operationId: 'example',
  method: 'POST',
  path: '/api/v1/example',
  summary: 'An example',
  description: '',
  parameters: [
    { name: 'ref', place: 'query', isRequired: true, description: '', schema: { type: 'string' } },
    {
      name: 'limit',
      place: 'query',
      isRequired: false,
      description: '',
      schema: { type: 'integer', minimum: 0, default: 50 },
    },
    {
      name: 'type',
      place: 'query',
      isRequired: false,
      description: '',
      schema: { type: 'array', items: { type: 'string' }, default: [] },
    },
    { name: 'failing', place: 'query', isRequired: false, description: '', schema: { type: 'boolean' } },
    {
      name: 'level',
      place: 'query',
      isRequired: false,
      description: '',
      schema: { type: 'string', enum: ['info', 'error'] },
    },
    {
      name: 'Last-Event-ID',
      place: 'header',
      isRequired: false,
      description: '',
      schema: { type: 'string' },
    },
  ],
  body: {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string' },
      comment: { type: 'boolean', default: true },
      keep: { type: ['boolean', 'null'], default: null },
    },
  },
  answer: {},
  isAudited: true,
};

const read = buildInputReader(OPERATION);

function request({
  query = {},
  headers = {},
  body = { text: 'hi' },
}: Partial<RestRequest> = {}): RestRequest {
  return { query: { ref: 'o/r#1', ...query }, headers, body };
}

function problemsOf(input: RestRequest): unknown {
  try {
    return read(input);
  } catch (error) {
    return (error as { details: { problems: unknown } }).details.problems;
  }
}

test('defaults are filled in', () => {
  expect(read(request())).toEqual({
    ref: 'o/r#1',
    limit: 50,
    type: [],
    text: 'hi',
    comment: true,
    keep: null,
  });
});

test('what the contract does not name is ignored', () => {
  const input = read(request({ query: { other: '1' }, body: { text: 'hi', other: 1 } }));
  expect(input).not.toHaveProperty('other');
});

test('a repeated parameter has all its values, a single one is a list of one', () => {
  expect(read(request({ query: { type: ['task.*', 'api.*'] } })).type).toEqual(['task.*', 'api.*']);
  expect(read(request({ query: { type: 'task.*' } })).type).toEqual(['task.*']);
});

test('an optional parameter that is empty is none, an empty header is a value', () => {
  const input = read(
    request({ query: { limit: '', level: '', type: '' }, headers: { 'last-event-id': '' } }),
  );
  expect(input).toMatchObject({ limit: 50, type: [], 'Last-Event-ID': '' });
  expect(input).not.toHaveProperty('level');
});

test.each([
  ['true', true],
  ['TRUE', true],
  ['1', true],
  ['False', false],
  ['0', false],
])('the boolean %j is %s, in the query and in the body', (text, expected) => {
  const input = read(
    request({ query: { failing: text }, body: { text: 'hi', comment: text, keep: Number(text === '1') } }),
  );
  expect(input).toMatchObject({ failing: expected, comment: expected });
});

test.each([
  ['a missing parameter', request({ query: { ref: undefined } }), ['query', 'ref'], 'missing'],
  ['a word for a number', request({ query: { limit: 'many' } }), ['query', 'limit'], 'integer_type'],
  ['a number below the least', request({ query: { limit: '-1' } }), ['query', 'limit'], 'greater_than_equal'],
  ['a word for a boolean', request({ query: { failing: 'maybe' } }), ['query', 'failing'], 'boolean_type'],
  ['a word that is not offered', request({ query: { level: 'loud' } }), ['query', 'level'], 'enum'],
  ['a missing field', request({ body: {} }), ['body', 'text'], 'missing'],
  ['a number for a text', request({ body: { text: 1 } }), ['body', 'text'], 'string_type'],
  ['a list for a body', request({ body: [] }), ['body'], 'object_type'],
  ['no body', { ...request(), body: undefined }, ['body'], 'object_type'],
])('%s is a problem with its place', (_title, input, loc, type) => {
  expect(problemsOf(input)).toEqual([{ loc, type, msg: expect.any(String) }]);
});

test('all problems are told at once', () => {
  const problems = problemsOf(request({ query: { ref: undefined, limit: 'x' }, body: {} })) as unknown[];
  expect(problems).toHaveLength(3);
});
