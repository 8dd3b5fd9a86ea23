/** Sub-tasks, whatever hosts them (spec/worker.md § 3.10). */
import { describe, expect, test } from 'vitest';
import { startChild } from '../../../subgraph/effects/childTasks.ts';
import type { TaskRow } from '../../../subgraph/engine/TaskEngine.ts';
import { NO_HOOKS } from '../../../subgraph/hooks/NO_HOOKS.ts';
import type { TaskState } from '../../../subgraph/task/index.ts';
import { awaitEvent, awaitParked } from '../../support/awaitEvent.ts';
import { commandOutcome, FakePerformer, failure, hang, modelReply } from '../../support/FakePerformer.ts';
import { aCommand, aNewTask, COMPLETE } from '../../support/tasks.ts';
import type { CreateEngine, EngineFixture } from './EngineFixture.ts';

const SPAWN = {
  callId: 'c1',
  tool: 'spawn_subtask',
  arguments: { name: 'Ledger', goal: 'Check the ledger' },
};

export function childTests(create: CreateEngine): void {
  describe('sub-tasks', () => {
    test('a delegated one is done, and its parent goes on with what it said', async () => {
      await using fixture = await create(delegating());
      const { ref, id } = (await fixture.engine.start(aNewTask())).state;
      const { data } = await awaitParked(fixture.log, ref);
      expect(data.message).toBe('all done');
      const child = await childOf(fixture, ref);
      expect(child).toMatchObject({
        id: `${id}.1`,
        lifecycle: 'DELEGATED',
        status: { state: 'COMPLETED', message: 'the ledger is fine' },
        parent: { ref, id },
        contextId: (await fixture.engine.read(ref))?.contextId,
      });
      const history = await fixture.engine.history(ref, { afterId: 0, limit: 100 });
      const notes = history.filter((entry) => entry.kind === 'message' && entry.role === 'NOTE');
      expect(notes.map((entry) => 'text' in entry && entry.text).join('\n')).toMatch(
        new RegExp(`${id}\\.1.*COMPLETED.*the ledger is fine`),
      );
    });

    test('a parent waits for its sub-task over a restart, and is told once', async () => {
      const first = new FakePerformer({
        callModel: (effect, context) =>
          context.state.parent ? hang(effect, context) : parentTurn(effect, context),
      });
      await using fixture = await create(first);
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await expect.poll(() => first.attempts.some(({ state }) => state.parent)).toBe(true);
      await expect.poll(async () => (await fixture.engine.read(ref))?.turns).toBe(2);
      await fixture.restart(delegating());
      expect((await awaitParked(fixture.log, ref)).data.message).toBe('all done');
      const told = fixture.log
        .read({ limit: 1_000 })
        .filter((event) => event.type === 'task.childChanged' && event.data.state === 'COMPLETED');
      expect(told).toHaveLength(1);
    });

    test('one whose start is told to have failed, but has not, is not started twice', async () => {
      const performer = delegating({
        async startChild(effect, context) {
          const outcome = await startChild(effect, context, NO_HOOKS);
          return context.attempt === 1 ? failure('store.write_failed', { retryable: true }) : outcome;
        },
      });
      await using fixture = await create(performer);
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await awaitParked(fixture.log, ref);
      expect(performer.attemptsOf('startChild').map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(await fixture.engine.list({ limit: 10, order: 'REF_ASC' })).toHaveLength(2);
    });

    test('one that cannot start is an error for the model, and there is no such task', async () => {
      const performer = delegating({ startChild: () => failure('entity.not_found') });
      await using fixture = await create(performer);
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await awaitParked(fixture.log, ref);
      const history = await fixture.engine.history(ref, { afterId: 0, limit: 100 });
      expect(history.find(({ kind }) => kind === 'toolResult')).toMatchObject({
        isError: true,
        text: expect.stringContaining('entity.not_found'),
      });
      expect(await fixture.engine.list({ limit: 10, order: 'REF_ASC' })).toHaveLength(1);
    });

    test('one that is purged is cancelled for its parent, which goes on', async () => {
      const performer = new FakePerformer({
        callModel: (effect, context) =>
          context.state.parent ? hang(effect, context) : parentTurn(effect, context),
      });
      await using fixture = await create(performer);
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await expect.poll(async () => (await fixture.engine.read(ref))?.turns).toBe(2);
      const child = await childOf(fixture, ref);
      expect(await fixture.engine.purge({ id: child.id })).toBe(true);
      expect((await awaitParked(fixture.log, ref)).data.message).toBe('all done');
      expect((await fixture.engine.read(ref))?.children).toMatchObject([{ id: child.id, state: 'CANCELED' }]);
    });

    test('a task is not completed over an open one, and is when that has ended', async () => {
      await using fixture = await create(spawning());
      const { ref, id } = (await fixture.engine.start(aNewTask({ message: undefined }))).state;
      await fixture.engine.deliver(ref, aCommand('c1'));
      const { data } = await awaitEvent(fixture.log, { type: 'task.commandReplied', ref });
      expect(data).toMatchObject({ ok: true, text: `Started ${id}.1` });
      const refused = await fixture.engine.deliver(ref, COMPLETE);
      expect(refused.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.open_sub_tasks' }]);
      const child = await childOf(fixture, ref);
      await fixture.engine.deliver({ id: child.id }, COMPLETE);
      await awaitEvent(fixture.log, { type: 'task.childChanged', ref, data: { state: 'COMPLETED' } });
      const { state } = await fixture.engine.deliver(ref, COMPLETE);
      expect(state.status.state).toBe('COMPLETED');
    });

    test('a cancelled task takes those below it with it, at every depth', async () => {
      await using fixture = await create(spawning());
      const { ref } = (await fixture.engine.start(aNewTask({ message: undefined }))).state;
      for (const [index, parent] of [0, 1, 2].entries()) {
        const refs = await refsByDepth(fixture);
        await fixture.engine.deliver(refs[parent]!, aCommand(`c${index}`));
        await awaitEvent(fixture.log, { type: 'task.commandReplied', ref: refs[parent] });
      }
      const refs = await refsByDepth(fixture);
      expect(refs).toHaveLength(4);
      await fixture.engine.deliver(ref, {
        kind: 'cancelRequested',
        participant: 'alice',
        reason: 'No longer needed',
      });
      for (const each of refs) {
        const { data } = await awaitEvent(fixture.log, {
          type: 'task.status',
          ref: each,
          data: { state: 'CANCELED' },
        });
        expect(data.message).toBe('No longer needed');
      }
    });

    test('an input for an id that no task has is NOT_FOUND', async () => {
      await using fixture = await create();
      await expect(fixture.engine.deliver({ id: 'gone' }, COMPLETE)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });
  });
}

type Answers = NonNullable<ConstructorParameters<typeof FakePerformer>[0]>;

/** The parent spawns in its first turn, has nothing to say in the second, and is done in the third. */
function parentTurn(effect: { readonly key: string }, { state }: { readonly state: TaskState }) {
  if (state.turns === 0) return modelReply(effect, { toolCalls: [SPAWN] });
  return modelReply(effect, { text: state.turns === 1 ? 'I wait' : 'all done' });
}

function delegating(answers: Answers = {}): FakePerformer {
  return new FakePerformer({
    callModel: (effect, context) =>
      context.state.parent ? modelReply(effect, { text: 'the ledger is fine' }) : parentTurn(effect, context),
    ...answers,
  });
}

/** Every command starts a conversation that is a sub-task. */
function spawning(): FakePerformer {
  return new FakePerformer({
    runCommand: (effect) =>
      commandOutcome(effect, {
        kind: 'intents',
        intents: [{ kind: 'reply', text: 'Started {child.1}' }, { kind: 'spawn' }],
      }),
  });
}

async function childOf({ engine }: EngineFixture, ref: string): Promise<TaskRow> {
  const child = (await engine.read(ref))?.children?.[0]?.ref;
  const row = child === undefined ? undefined : await engine.read(child);
  if (!row) throw new Error(`"${ref}" has no sub-task`);
  return row;
}

async function refsByDepth({ engine }: EngineFixture): Promise<string[]> {
  const rows = await engine.list({ limit: 100, order: 'REF_ASC' });
  return rows.toSorted((a, b) => (a.depth ?? 0) - (b.depth ?? 0)).map(({ ref }) => ref);
}
