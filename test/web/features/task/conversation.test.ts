import { expect, test } from 'vitest';
import { conversation } from '../../../../web/src/features/task/conversation.ts';
import { aMessage, aReply, aToolCall, aToolResult } from './aConversation.ts';

test('conversation() joins a tool call with its result where the call stands', () => {
  const history = [aToolCall(1, 'one'), aToolCall(2, 'two'), aToolResult(3, 'one'), aMessage(4)];
  const items = conversation({ history, replies: [] });
  expect(items.map(({ key }) => key)).toEqual(['history-1', 'history-2', 'history-4']);
  expect(items[0]).toMatchObject({ kind: 'tool', result: { text: 'found' } });
  expect(items[1]).toMatchObject({ kind: 'tool', result: undefined });
});

test('conversation() shows a result whose call is not there', () => {
  expect(conversation({ history: [aToolResult(3, 'one')], replies: [] })).toMatchObject([
    { kind: 'tool', call: undefined, result: { callId: 'one' } },
  ]);
});

test('conversation() puts command replies where their time puts them, the latest at the end', () => {
  const history = [aMessage(1), aMessage(5)];
  const replies = [aReply('late', 9), aReply('between', 3)];
  expect(conversation({ history, replies }).map(({ key }) => key)).toEqual([
    'history-1',
    'reply-between',
    'history-5',
    'reply-late',
  ]);
});
