import { expect, test } from 'vitest';
import {
  INITIAL_TASK_PANE,
  nextState,
  type TaskPaneResult,
  type TaskPaneState,
  toCommandReply,
} from '../../../../web/src/features/task/state.ts';
import { aTaskRow } from '../../aTaskRow.ts';
import { aMessage, aReply, aTaskDetail } from './aConversation.ts';

type Loaded = Extract<TaskPaneResult, { readonly kind: 'loaded' }>;

function loaded(part: Partial<Loaded> = {}): Loaded {
  return {
    kind: 'loaded',
    task: aTaskDetail(),
    history: [],
    after: undefined,
    endCursor: undefined,
    hasNextPage: false,
    missing: [],
    problem: undefined,
    ...part,
  };
}

function after(...results: TaskPaneResult[]): TaskPaneState {
  return results.reduce(nextState, INITIAL_TASK_PANE);
}

test('nextState(): the history grows page by page and keeps its place when a page is empty', () => {
  const state = after(
    loaded({ history: [aMessage(1), aMessage(2)], endCursor: 'b', hasNextPage: true }),
    loaded({ history: [aMessage(3)], after: 'b', endCursor: 'c' }),
    loaded({ history: [], after: 'c' }),
  );
  expect(state.history.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(state).toMatchObject({ phase: 'ready', endCursor: 'c', hasNextPage: false });
});

test('nextState(): an entry that comes twice is there once', () => {
  const state = after(loaded({ history: [aMessage(1)] }), loaded({ history: [aMessage(1), aMessage(2)] }));
  expect(state.history.map(({ id }) => id)).toEqual([1, 2]);
});

test('nextState(): a cursor that does not move ends the reading', () => {
  const state = after(loaded({ after: undefined, endCursor: undefined, hasNextPage: true }));
  expect(state.hasNextPage).toBe(false);
});

test('nextState(): a live snapshot is shown until the task itself is as new', () => {
  const working = after(loaded({ task: aTaskDetail({ version: 3, state: 'INPUT_REQUIRED' }) }), {
    kind: 'changed',
    row: aTaskRow({ version: 5, state: 'WORKING' }),
  });
  expect(working.row?.state).toBe('WORKING');
  const stale = nextState(working, loaded({ task: aTaskDetail({ version: 4, state: 'INPUT_REQUIRED' }) }));
  expect(stale.row?.state).toBe('WORKING');
  const newer = nextState(stale, loaded({ task: aTaskDetail({ version: 6, state: 'COMPLETED' }) }));
  expect(newer.row?.state).toBe('COMPLETED');
});

test('nextState(): a stale snapshot is no change', () => {
  const state = after(loaded({ task: aTaskDetail({ version: 3 }) }));
  expect(nextState(state, { kind: 'changed', row: aTaskRow({ version: 2 }) })).toBe(state);
});

test('nextState(): a new task of the same ref starts with an empty conversation', () => {
  const old = after(loaded({ task: aTaskDetail({ id: 'old' }), history: [aMessage(1)], endCursor: 'a' }));
  const between = nextState(
    old,
    loaded({ task: aTaskDetail({ id: 'new' }), after: 'a', history: [aMessage(9)] }),
  );
  expect(between).toMatchObject({ phase: 'loading', history: [], endCursor: undefined });
  const fresh = nextState(
    between,
    loaded({ task: aTaskDetail({ id: 'new' }), history: [aMessage(1, 'fresh')] }),
  );
  expect(fresh.history).toMatchObject([{ text: 'fresh' }]);
});

test('nextState(): a task that nobody has is absent; one that cannot be read is a failure', () => {
  expect(after(loaded({ task: undefined })).phase).toBe('absent');
  expect(after(loaded({ task: undefined, problem: 'bad row' }))).toMatchObject({
    phase: 'failed',
    problem: 'bad row',
  });
});

test('nextState(): a failure keeps the conversation', () => {
  const state = after(loaded({ history: [aMessage(1)] }), { kind: 'failed', problem: 'gone' });
  expect(state).toMatchObject({ phase: 'failed', problem: 'gone', history: [{ id: 1 }] });
});

test('nextState(): a command reply is kept once, whether the answer or the event comes first', () => {
  const state = after(
    { kind: 'replied', reply: aReply('m1') },
    { kind: 'replied', reply: aReply('m1') },
    { kind: 'replied', reply: aReply('m2') },
  );
  expect(state.replies.map(({ messageId }) => messageId)).toEqual(['m1', 'm2']);
});

test('nextState(): the newest hundred command replies are kept', () => {
  const replies = Array.from({ length: 120 }, (_, index) => aReply(`m${index}`));
  const state = after(...replies.map((reply): TaskPaneResult => ({ kind: 'replied', reply })));
  expect(state.replies).toHaveLength(100);
  expect(state.replies[0]!.messageId).toBe('m20');
});

test('toCommandReply() reads the event of a command reply and no other', () => {
  const event = {
    cursor: '1',
    instance: 'alpha',
    offset: 1,
    at: '2026-01-01T00:00:00.000Z',
    ref: 'o/r#1',
    task: null,
    data: { messageId: 'm1', name: 'model', ok: false, text: 'There is no such model' },
  };
  expect(toCommandReply({ ...event, type: 'task.commandReplied' })).toEqual({
    messageId: 'm1',
    name: 'model',
    ok: false,
    text: 'There is no such model',
    at: event.at,
  });
  expect(toCommandReply({ ...event, type: 'task.status' })).toBeUndefined();
  expect(toCommandReply({ ...event, type: 'task.commandReplied', data: { text: 1 } })).toBeUndefined();
});
