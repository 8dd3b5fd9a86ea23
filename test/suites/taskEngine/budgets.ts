/** Limits of use, whatever hosts the tasks. */
import { describe, expect, test } from 'vitest';
import type { Participant } from '../../../subgraph/task/index.ts';
import { awaitEvent, awaitParked } from '../../support/awaitEvent.ts';
import { FakePerformer, failure, modelReply } from '../../support/FakePerformer.ts';
import { aMessage, aNewTask } from '../../support/tasks.ts';
import type { CreateEngine } from './EngineFixture.ts';

/** Alice, who may set limits. */
const participants: readonly Participant[] = [
  { id: 'alice', kind: 'HUMAN', role: 'ADMIN', displayName: '' },
  { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
];
const MORE_TURNS = { kind: 'budgetChanged', participant: 'alice', turns: 5 } as const;

export function budgetTests(create: CreateEngine): void {
  describe('budgets', () => {
    const call = (turn: number) => ({ callId: `call-${turn}`, tool: 'get_order', arguments: {} });
    const callThreeTimes = () =>
      new FakePerformer({
        callModel: (effect, { state }) =>
          modelReply(effect, state.turns < 3 ? { toolCalls: [call(state.turns)] } : { text: 'all done' }),
      });

    test('a task that has used its turns waits, says why, and goes on from there when it may', async () => {
      const performer = callThreeTimes();
      await using fixture = await create(performer);
      const { ref } = (await fixture.engine.start(aNewTask({ budget: { turns: 2 }, participants }))).state;
      const parked = await awaitParked(fixture.log, ref);
      expect(parked.data).toMatchObject({ errorCode: 'task.budget_reached' });
      expect(await fixture.engine.read(ref)).toMatchObject({ heldBy: 'turns', turns: 2 });
      const { cursor } = await fixture.engine.deliver(ref, MORE_TURNS);
      expect((await awaitParked(fixture.log, ref, cursor)).data.message).toBe('all done');
      expect(performer.attemptsOf('callTool')).toHaveLength(3);
    });

    test('a task that is created without limits gets those of the instance', async () => {
      await using fixture = await create(callThreeTimes(), { taskBudget: () => ({ tokens: 20 }) });
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      expect((await awaitParked(fixture.log, ref)).data.errorCode).toBe('task.budget_reached');
      expect(await fixture.engine.read(ref)).toMatchObject({ budget: { tokens: 20 }, heldBy: 'tokens' });
    });

    test('the budget of the instance holds a task back until a message tries again', async () => {
      let isReached = true;
      const performer = new FakePerformer({
        callModel: (effect) =>
          isReached ? failure('instance.budget_reached') : modelReply(effect, { text: 'all done' }),
      });
      await using fixture = await create(performer);
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      expect((await awaitParked(fixture.log, ref)).data.errorCode).toBe('instance.budget_reached');
      isReached = false;
      const { cursor } = await fixture.engine.deliver(ref, aMessage('m2'));
      expect((await awaitParked(fixture.log, ref, cursor)).data.message).toBe('all done');
    });

    test('a context that is too large is summarised once in a turn, and then the model is asked', async () => {
      const performer = new FakePerformer({
        callModel: (effect, { state }) =>
          effect.compacted || state.turns > 0
            ? modelReply(effect, { text: `read ${state.summary}` })
            : { kind: 'completed', input: { kind: 'compactionDue', effectKey: effect.key } },
      });
      await using fixture = await create(performer);
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await awaitEvent(fixture.log, { type: 'task.compacted', ref });
      expect((await awaitParked(fixture.log, ref)).data.message).toBe('read what was before');
      expect(performer.attempts.map(({ effect }) => effect.kind)).toEqual([
        'callModel',
        'compact',
        'callModel',
      ]);
      expect(await fixture.engine.read(ref)).toMatchObject({ compactedThroughId: 1, lastEntryId: 2 });
    });
  });
}
