import { expect, test } from 'vitest';
import { toHistoryItems } from '../../../../gateway/member/rest/readHistory.ts';
import { openRestMember } from './openRestMember.ts';

const REF = 'github:octo/repo#15';
const ENTRIES = [
  { type: 'user', timestamp: '2026-11-30T12:00:00Z', message: { role: 'user', content: 'do it' } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will' },
        { type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' } },
      ],
    },
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a b' }] },
  },
  { type: 'summary', summary: 'not part of the conversation' },
  { malformed: '{"half' },
];

test('toHistoryItems() keeps messages, tool calls and results in order, and passes over the rest', () => {
  expect(toHistoryItems(ENTRIES)).toMatchObject([
    { id: 1, __typename: 'HistoryMessage', role: 'USER', text: 'do it', at: '2026-11-30T12:00:00.000Z' },
    { id: 2, __typename: 'HistoryMessage', role: 'ASSISTANT', text: 'I will' },
    { id: 3, __typename: 'HistoryToolCall', callId: 'c1', tool: 'bash', arguments: { command: 'ls' } },
    { id: 4, __typename: 'HistoryToolResult', callId: 'c1', text: 'a b', isError: false },
  ]);
});

test('a task of a REST member has its transcript as history, in pages', async () => {
  await using alpha = await openRestMember();
  const target = `GET /api/v1/sessions/transcript?ref=${encodeURIComponent(REF)}&tail=0`;
  alpha.server.answer(target, { workItem: REF, totalLines: 5, entries: ENTRIES });
  const read = async (args: string) => {
    const text = `{ task(ref: "${REF}") { history(${args}) { nodes { ... on HistoryMessage { text } } pageInfo { hasNextPage endCursor } } } }`;
    return (await alpha.ask(text)).task.history;
  };
  expect(await read('first: 1')).toEqual({
    nodes: [{ text: 'do it' }],
    pageInfo: { hasNextPage: true, endCursor: '1' },
  });
  expect(await read('last: 2, before: "4"')).toMatchObject({
    nodes: [{ text: 'I will' }, {}],
    pageInfo: { hasNextPage: true, endCursor: '3' },
  });
  expect(await read('last: 0')).toMatchObject({ nodes: [] });
  expect(await read('first: 3, after: "1"')).toMatchObject({
    nodes: [{ text: 'I will' }, {}, {}],
    pageInfo: { hasNextPage: false, endCursor: '4' },
  });
});

test('a session without a transcript has an empty history, and a transcript that cannot be read is an error', async () => {
  await using alpha = await openRestMember();
  const target = `GET /api/v1/sessions/transcript?ref=${encodeURIComponent(REF)}&tail=0`;
  alpha.server.answer(target, { detail: 'no transcript' }, 404);
  const text = `{ task(ref: "${REF}") { history { nodes { __typename } } } }`;
  expect(await alpha.ask(text)).toEqual({ task: { history: { nodes: [] } } });
  alpha.server.answer(target, { detail: 'disk is gone' }, 500);
  expect(await alpha.refusal(text)).toEqual({ code: 'MEMBER_ERROR', message: 'HTTP 500: disk is gone' });
});
