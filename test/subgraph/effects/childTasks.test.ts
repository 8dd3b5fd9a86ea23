import { expect, test } from 'vitest';
import { FlotillaError, notFound } from '../../../schema/errors.ts';
import { cancelChild, startChild, tellParent } from '../../../subgraph/effects/childTasks.ts';
import type { EffectContext } from '../../../subgraph/effects/EffectPerformer.ts';
import { NO_HOOKS } from '../../../subgraph/hooks/NO_HOOKS.ts';
import { initialState, type NewChild } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeHooks } from '../../support/FakeHooks.ts';

const { ref: _ref, kind: _kind, atMs: _at, ...CREATION } = aTask({ id: 't.1', lifecycle: 'DELEGATED' });
const CHILD: NewChild = { ...CREATION, name: 'Ledger', goal: 'Check it', parent: { ref: 'o/r#1', id: 't' } };
const START = { kind: 'startChild', key: 'k', child: CHILD } as const;
const FULL = new FlotillaError(
  'TOO_MANY_REQUESTS',
  'Cannot take the input: the queue is full, a place is expected',
);

test('startChild gives the sub-task the id that its parent has chosen, and tells its ref', async () => {
  const started: unknown[] = [];
  const outcome = await startChild(
    START,
    contextWith({
      start: async (task) => {
        started.push(task);
        return delivery();
      },
    }),
    NO_HOOKS,
  );
  expect(started).toMatchObject([{ id: 't.1', parent: { id: 't' }, goal: 'Check it' }]);
  expect(outcome).toEqual({
    kind: 'completed',
    input: { kind: 'childStarted', effectKey: 'k', ref: 'o/r#1' },
  });
});

test('startChild fails for good without the agent that it is for, and when a hook refuses it', async () => {
  const hooks = new FakeHooks({
    'subtask.spawned.pre': ({ childId }) => ({
      abort: { reason: 'policy', message: `${childId} is too much` },
    }),
  });
  expect(await startChild({ ...START, agent: 'ledger' }, contextWith({}), NO_HOOKS)).toMatchObject({
    code: 'entity.not_found',
    retryable: false,
  });
  expect(await startChild(START, contextWith({}), hooks)).toMatchObject({
    code: 'hook.abort',
    message: 't.1 is too much',
    retryable: false,
  });
});

test('startChild may succeed later when the host is full', async () => {
  const outcome = await startChild(START, contextWith({ start: () => Promise.reject(FULL) }), NO_HOOKS);
  expect(outcome).toMatchObject({ kind: 'failed', retryable: true });
});

test.each([
  ['a parent that is gone', notFound('task', 't'), { kind: 'completed', input: { kind: 'effectDone' } }],
  ['a host that is full', FULL, { kind: 'failed', retryable: true }],
])('tellParent and cancelChild on %s', async (_, error, expected) => {
  const context = contextWith({ deliver: () => Promise.reject(error) });
  const tell = {
    kind: 'tellParent',
    key: 'k',
    parent: { ref: 'o/r#1', id: 't' },
    childId: 't.1',
    version: 3,
    state: 'COMPLETED',
    summary: 'fine',
  } as const;
  const cancel = {
    kind: 'cancelChild',
    key: 'k',
    childId: 't.1',
    participant: 'alice',
    reason: 'over',
  } as const;
  expect(await tellParent(tell, context)).toMatchObject(expected);
  expect(await cancelChild(cancel, context)).toMatchObject(expected);
});

test('a defect is thrown on', async () => {
  const context = contextWith({ start: () => Promise.reject(new Error('a defect')) });
  await expect(startChild(START, context, NO_HOOKS)).rejects.toThrow('a defect');
});

function contextWith(engine: Partial<EffectContext['engine']>): EffectContext {
  const notExpected = () => Promise.reject(new Error('not expected'));
  return {
    state: initialState(aTask()).state,
    attempt: 1,
    engine: { start: notExpected, deliver: notExpected, ...engine },
    signal: new AbortController().signal,
  };
}

function delivery() {
  return {
    state: initialState(aTask()).state,
    events: [],
    cursor: 0,
    takenIn: 'SUBMITTED' as const,
    duplicate: false,
  };
}
