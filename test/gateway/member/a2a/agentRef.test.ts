/** Refs of agents' tasks: every id has one, of the contract's form, and no other text is one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAgentRef, isTaskId, parseAgentRef } from '../../../../gateway/member/a2a/agentRef.ts';
import { parseWorkItemRef } from '../../../../schema/config/workItemRef.ts';
import { formatPageCursor, parsePageCursor } from '../../../../schema/pageCursor.ts';
import { isTaskRef } from '../../../../schema/taskRef.ts';

test('a ref of any id is one of the contract, and gives the id back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      fc.pre(isTaskId(text));
      const ref = formatAgentRef('agent', text);
      expect(parseAgentRef('agent', ref)).toBe(text);
      expect(isTaskRef(ref)).toBe(true);
      expect(parseWorkItemRef(ref)).toBe(ref);
    }),
  );
  expect(formatAgentRef('tiny', '421ba6d8-55a8')).toBe('a2a:tiny/421ba6d8-55a8#1');
});

test('an id that could lead elsewhere, or that no ref can hold, is none', () => {
  for (const id of ['', '.', '..', 'a\nb', '\ud800', 'x'.repeat(351), 'ü'.repeat(100), 7, null]) {
    expect(isTaskId(id), JSON.stringify(id)).toBe(false);
  }
  for (const id of ['...', 'a/../b', 'x:cancel', 'x'.repeat(350), 'ü', 'a b'])
    expect(isTaskId(id), id).toBe(true);
});

test('the cursor of the longest ref and id is one that is accepted', () => {
  for (const id of ['x'.repeat(350), '"'.repeat(116), 'ü'.repeat(58)]) {
    expect(isTaskId(id)).toBe(true);
    const cursor = { value: formatAgentRef('n'.repeat(40), id), id };
    expect(parsePageCursor(formatPageCursor(cursor))).toEqual(cursor);
  }
});

test('what is not written as we write it is no ref of the member', () => {
  const texts = [
    '421ba6d8',
    'a2a:other/x#1',
    'a2a:agent/x#2',
    'a2a:agent/x',
    'a2a:agent/%78#1',
    'a2a:agent/%#1',
    'a2a:agent/..#1',
    'a2a:agent/#1',
    'a2a:agent/a/b#1',
    'github:agent/x#1',
  ];
  for (const text of texts) expect(parseAgentRef('agent', text), text).toBeUndefined();
});
