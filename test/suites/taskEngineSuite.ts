/** What every host of the task core must do (design § 6), whatever it keeps its tasks in. */
import { describe, expect, test } from 'vitest';
import type { TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import type { EventLog } from '../../subgraph/log/EventLog.ts';
import { awaitEvent, awaitParked } from '../support/awaitEvent.ts';
import { FakePerformer, failure, hang, modelReply } from '../support/FakePerformer.ts';
import { aCommand, aMessage, aNewTask, COMPLETE, callToolFirst } from '../support/tasks.ts';
import { budgetTests } from './taskEngine/budgets.ts';
import { childTests } from './taskEngine/children.ts';
import type { CreateEngine, CreateEngineFixture, EngineFixture } from './taskEngine/EngineFixture.ts';
import { SHORT_RETRIES } from './taskEngine/EngineFixture.ts';
import { hookTests } from './taskEngine/hooks.ts';
import { pastTests } from './taskEngine/past.ts';
import { pullChannelTests } from './taskEngine/pullChannels.ts';
import { readTests } from './taskEngine/reads.ts';
import { scheduleTests } from './taskEngine/schedules.ts';

export type { CreateEngineFixture, EngineFixture } from './taskEngine/EngineFixture.ts';

const SILENT = aNewTask({ message: undefined });

export function taskEngineSuite(name: string, createFixture: CreateEngineFixture): void {
  const create: CreateEngine = (performer = new FakePerformer(), options = {}) =>
    createFixture({ performer, retries: SHORT_RETRIES, ...options });
  const callOf = (tool: string) => ({ callId: 'call-1', tool, arguments: { order: '15' } });

  describe(name, () => {
    childTests(create);
    pastTests(create);
    readTests(create);
    budgetTests(create);
    hookTests(create);
    scheduleTests(create);
    pullChannelTests(create);

    describe('identity', () => {
      test('a task without a ref is numbered from 1, also behind one with a ref', async () => {
        await using fixture = await create();
        const refs = [];
        for (const ref of [undefined, 'github:o/r#7', undefined]) {
          const { state } = await fixture.engine.start({ ...SILENT, ref });
          refs.push(state.ref);
        }
        expect(refs).toEqual(['flotilla:alpha/task#1', 'github:o/r#7', 'flotilla:alpha/task#2']);
      });

      test('a number is never given out again, also after a restart', async () => {
        await using fixture = await create();
        await fixture.engine.start(SILENT);
        await fixture.engine.deliver('flotilla:alpha/task#1', COMPLETE);
        await fixture.restart(new FakePerformer());
        const { state } = await fixture.engine.start(SILENT);
        expect(state.ref).toBe('flotilla:alpha/task#2');
      });

      test('a second open task with a ref is refused and the first one named', async () => {
        await using fixture = await create();
        const { state } = await fixture.engine.start({ ...SILENT, ref: 'github:o/r#1' });
        await expect(fixture.engine.start({ ...SILENT, ref: 'github:o/r#1' })).rejects.toMatchObject({
          code: 'CONFLICT',
          message: expect.stringContaining(state.id),
        });
      });

      test('of two tasks that ask for a ref at once one gets it', async () => {
        await using fixture = await create();
        const attempts = [1, 2].map(() => fixture.engine.start({ ...SILENT, ref: 'github:o/r#1' }));
        const results = await Promise.allSettled(attempts);
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      });

      test('a ref is free when its task has ended, and names the newest task from then on', async () => {
        await using fixture = await create();
        const { engine } = fixture;
        await engine.start({ ...SILENT, ref: 'github:o/r#1' });
        await engine.deliver('github:o/r#1', COMPLETE);
        const { state } = await engine.start({ ...SILENT, ref: 'github:o/r#1' });
        expect(await engine.read('github:o/r#1')).toMatchObject({
          id: state.id,
          status: { state: 'INPUT_REQUIRED' },
        });
      });

      test.each([
        ['no ref at all', 'o/r'],
        ['without a provider', 'o/r#1'],
        ['of the instances themselves', 'flotilla:alpha/task#1'],
      ])('a ref %s is refused', async (_, ref) => {
        await using fixture = await create();
        await expect(fixture.engine.start({ ...SILENT, ref })).rejects.toMatchObject({
          code: 'BAD_USER_INPUT',
        });
      });

      test('an input for a ref that no task has is NOT_FOUND', async () => {
        await using fixture = await create();
        await expect(fixture.engine.deliver('github:o/r#1', COMPLETE)).rejects.toMatchObject({
          code: 'NOT_FOUND',
        });
      });
    });

    describe('repeated creations', () => {
      const create1 = aNewTask({ message: undefined, creationId: 'creation-1' });

      test('a creation that is sent again, at once or after a restart, is one task', async () => {
        await using fixture = await create();
        const both = await Promise.all([fixture.engine.start(create1), fixture.engine.start(create1)]);
        await fixture.restart(new FakePerformer());
        const later = await fixture.engine.start(create1);
        const deliveries = [...both, later];
        expect(deliveries.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
        expect(new Set(deliveries.map(({ state }) => state.id)).size).toBe(1);
        expect(later.events).toEqual([]);
        expect(await fixture.engine.list({ limit: 10, order: 'REF_ASC' })).toHaveLength(1);
      });

      test('its first message is read once', async () => {
        await using fixture = await create();
        const task = aNewTask({ creationId: 'm1' });
        const { state } = await fixture.engine.start(task);
        await awaitParked(fixture.log, state.ref);
        const { state: again } = await fixture.engine.start(task);
        expect(again).toMatchObject({ id: state.id, turns: 1, status: { state: 'INPUT_REQUIRED' } });
      });

      test('the task is answered also when it has ended and another one has its ref', async () => {
        await using fixture = await create();
        const { engine } = fixture;
        const first = await engine.start({ ...create1, ref: 'github:o/r#1' });
        await engine.deliver('github:o/r#1', COMPLETE);
        await engine.start({ ...SILENT, ref: 'github:o/r#1' });
        const again = await engine.start({ ...create1, ref: 'github:o/r#1' });
        expect(again.state).toMatchObject({ id: first.state.id, status: { state: 'COMPLETED' } });
      });

      test('an id that has created a task with another ref is refused and that task named', async () => {
        await using fixture = await create();
        await fixture.engine.start({ ...create1, ref: 'github:o/r#1' });
        await expect(fixture.engine.start({ ...create1, ref: 'github:o/r#2' })).rejects.toMatchObject({
          code: 'CONFLICT',
          message: expect.stringContaining('github:o/r#1'),
          details: { reason: 'task.message_id_taken' },
        });
      });

      test('a creation that was refused does not take its id', async () => {
        await using fixture = await create();
        await fixture.engine.start({ ...SILENT, ref: 'github:o/r#1' });
        const refused = fixture.engine.start({ ...create1, ref: 'github:o/r#1' });
        await expect(refused).rejects.toMatchObject({ details: { reason: 'task.ref_taken' } });
        expect(await fixture.engine.start({ ...create1, ref: 'github:o/r#2' })).toMatchObject({
          duplicate: false,
        });
      });
    });

    describe('inputs', () => {
      test('a message is answered and the task parks', async () => {
        await using fixture = await create();
        const { state } = await fixture.engine.start(aNewTask());
        const { data } = await awaitParked(fixture.log, state.ref);
        expect(data).toMatchObject({ subState: 'AWAITING_MESSAGE', message: 'reply 1' });
      });

      test('a delivery shows only the history entries that its input added', async () => {
        await using fixture = await create(new FakePerformer({ callModel: hang }));
        const first = await fixture.engine.start(aNewTask());
        const second = await fixture.engine.deliver(first.state.ref, aMessage('m2'));
        expect([first, second].map(({ state }) => state.history.length)).toEqual([1, 0]);
      });

      test('a delivery tells what the task was when it took the input', async () => {
        await using fixture = await create();
        const created = await fixture.engine.start(SILENT);
        const woken = await fixture.engine.deliver(created.state.ref, aMessage('m2'));
        const again = await fixture.engine.deliver(created.state.ref, aMessage('m2'));
        const { ref } = created.state;
        await awaitParked(fixture.log, ref, woken.cursor);
        const ended = await fixture.engine.deliver(ref, COMPLETE);
        const states = [created, woken, ended].map(({ takenIn, state }) => [takenIn, state.status.state]);
        expect(states).toEqual([
          ['SUBMITTED', 'INPUT_REQUIRED'],
          ['INPUT_REQUIRED', 'WORKING'],
          ['INPUT_REQUIRED', 'COMPLETED'],
        ]);
        expect(again).toMatchObject({ duplicate: true, takenIn: again.state.status.state });
      });

      test('messages that are sent at once are read in their order, each once', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(SILENT)).state;
        const ids = Array.from({ length: 10 }, (_, index) => `m${index}`);
        await Promise.all(ids.map((id) => fixture.engine.deliver(ref, aMessage(id, id))));
        await awaitQuiet(fixture, ref);
        const history = await fixture.engine.history(ref, { afterId: 0, limit: 100 });
        const texts = history.flatMap((entry) =>
          entry.kind === 'message' && entry.role === 'USER' ? entry.text : [],
        );
        expect(texts).toEqual(ids);
      });

      test('a message id that was seen is a duplicate and changes nothing, also after a restart', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(SILENT)).state;
        const [first, again] = await Promise.all([
          fixture.engine.deliver(ref, aMessage('m1')),
          fixture.engine.deliver(ref, aMessage('m1')),
        ]);
        await awaitParked(fixture.log, ref, first.cursor);
        const before = await fixture.engine.read(ref);
        await fixture.restart(new FakePerformer());
        const later = await fixture.engine.deliver(ref, aMessage('m1'));
        expect([first, again, later].map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
        expect(later.events).toEqual([]);
        expect(await fixture.engine.read(ref)).toEqual(before);
      });

      test('a refusal of the core is an event of the delivery', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(SILENT)).state;
        const { events } = await fixture.engine.deliver(ref, {
          kind: 'messageReceived',
          messageId: 'm1',
          participant: 'mallory',
          text: 'Let me in',
        });
        expect(events).toMatchObject([{ type: 'task.inputRefused', code: 'channel.not_a_member' }]);
      });

      test('the log behind the cursor of a delivery tells what came of it', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(SILENT)).state;
        const { cursor, events } = await fixture.engine.deliver(ref, aMessage('m1'));
        await awaitParked(fixture.log, ref, cursor);
        const types = fixture.log.read({ after: cursor, limit: 100 }).map(({ type }) => type);
        expect(types).toEqual([...events.map(({ type }) => type), 'task.status']);
      });

      test('an input that was taken before a stop survives it', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(SILENT)).state;
        const delivery = fixture.engine.deliver(ref, aMessage('m1', 'Hello'));
        await fixture.restart(new FakePerformer());
        await delivery;
        await awaitParked(fixture.log, ref, 2);
        const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
        expect(history[0]).toMatchObject({ text: 'Hello' });
      });

      test('a paused task starts no turn until it is resumed', async () => {
        const performer = new FakePerformer();
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(SILENT)).state;
        await fixture.engine.deliver(ref, { kind: 'pauseRequested', participant: 'alice' });
        const { cursor } = await fixture.engine.deliver(ref, aMessage('m1'));
        expect(performer.attempts).toEqual([]);
        await fixture.engine.deliver(ref, { kind: 'resumeRequested', participant: 'alice' });
        await awaitParked(fixture.log, ref, cursor);
        expect(performer.attempts).toHaveLength(1);
      });
    });

    describe('effects', () => {
      test('the events of a step are in the log before its effects start', async () => {
        const seen: string[] = [];
        let log: EventLog | undefined;
        const performer = new FakePerformer({
          callModel: (effect) => {
            seen.push(...(log?.read({ limit: 100 }) ?? []).map(({ type }) => type));
            return modelReply(effect, { text: 'done' });
          },
        });
        await using fixture = await create(performer);
        log = fixture.log;
        const { state, events } = await fixture.engine.start(aNewTask());
        await awaitParked(fixture.log, state.ref);
        expect(seen).toEqual(events.map(({ type }) => type));
      });

      test('a performer sees the whole history', async () => {
        const performer = new FakePerformer();
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await awaitParked(fixture.log, ref);
        const { cursor } = await fixture.engine.deliver(ref, aMessage('m2', 'More'));
        await awaitParked(fixture.log, ref, cursor);
        const texts = performer.attempts[1]?.state.history.map((entry) => 'text' in entry && entry.text);
        expect(texts).toEqual(
          ['Find the order', 'reply 1', 'More'].map((text) => expect.stringContaining(text)),
        );
      });

      test('a retryable failure is followed by further attempts, counted from 1', async () => {
        const performer = new FakePerformer({
          callModel: (effect, { attempt }) =>
            attempt < 3
              ? failure('provider.retryable', { retryable: true })
              : modelReply(effect, { text: 'at last' }),
        });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        const { data } = await awaitParked(fixture.log, ref);
        expect(data.message).toBe('at last');
        expect(performer.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      });

      test('attempts end at the limit of the policy, and the failure is told with its code', async () => {
        const performer = new FakePerformer({
          callModel: () => failure('provider.retryable', { retryable: true }),
        });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        const { data, level } = await awaitParked(fixture.log, ref);
        expect(data.errorCode).toBe('provider.retryable');
        expect(level).toBe('ERROR');
        expect(performer.attempts).toHaveLength(3);
        const failed = fixture.log.read({ limit: 10, filter: { ref, types: ['task.attemptFailed'] } });
        const retryInMs = expect.any(Number);
        const { key: effectKey } = performer.attempts[0]!.effect;
        const facts = { effect: 'callModel', effectKey, code: 'provider.retryable' };
        expect(failed.map((event) => event.data)).toEqual([
          { ...facts, attempt: 1, retryInMs },
          { ...facts, attempt: 2, retryInMs },
          { ...facts, attempt: 3 },
        ]);
      });

      test('a failure that is not retryable is final', async () => {
        const performer = new FakePerformer({ callModel: () => failure('provider.failed') });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        expect((await awaitParked(fixture.log, ref)).data.errorCode).toBe('provider.failed');
        expect(performer.attempts).toHaveLength(1);
      });

      test('a performer that throws fails the effect as internal, without the text of the error', async () => {
        const performer = new FakePerformer({
          callModel: () => {
            throw new Error('a detail of ours');
          },
        });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        const { data } = await awaitParked(fixture.log, ref);
        expect(data.errorCode).toBe('internal');
        expect(data.message).not.toContain('a detail of ours');
      });

      test.each([
        { tool: 'get_order', attempts: 3, code: 'tool.broken' },
        { tool: 'refund', attempts: 1, code: 'tool.not_retried' },
      ])('$tool that fails gets $attempts attempts, and the model is told $code', async (row) => {
        const performer = new FakePerformer({
          callModel: callToolFirst(callOf(row.tool)),
          callTool: () => failure('tool.broken', { retryable: true }),
          idempotentTools: ['get_order'],
        });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await awaitParked(fixture.log, ref);
        const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
        expect(history).toContainEqual(
          expect.objectContaining({
            kind: 'toolResult',
            isError: true,
            text: expect.stringContaining(row.code),
          }),
        );
        expect(performer.attemptsOf('callTool')).toHaveLength(row.attempts);
      });

      test('completing a task ends its running effect and drops the late result', async () => {
        const late = Promise.withResolvers<void>();
        const performer = new FakePerformer({
          callModel: async (effect) => {
            await late.promise;
            return modelReply(effect, { text: 'too late' });
          },
        });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await performer.attempted(1);
        const { state } = await fixture.engine.deliver(ref, {
          kind: 'completeRequested',
          participant: 'alice',
          text: 'Solved',
        });
        await expect.poll(() => performer.attempts[0]?.signal.aborted).toBe(true);
        late.resolve();
        await fixture.engine.start(SILENT);
        expect(await fixture.engine.read(ref)).toMatchObject({
          version: state.version,
          status: { state: 'COMPLETED', message: 'Solved' },
        });
      });

      test('an interrupt ends the running call, and the next turn reads both', async () => {
        const performer = new FakePerformer({
          callModel: callToolFirst(callOf('refund')),
          callTool: hang,
        });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await performer.attempted(2);
        const { cursor } = await fixture.engine.deliver(ref, {
          kind: 'messageReceived',
          messageId: 'm2',
          participant: 'alice',
          text: 'Stop',
          interrupt: true,
        });
        await awaitParked(fixture.log, ref, cursor);
        expect(performer.attempts[1]?.signal.aborted).toBe(true);
        expect(performer.attemptsOf('callTool')).toHaveLength(1);
        const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
        expect(history.slice(2, 4)).toMatchObject([
          { kind: 'toolResult', isError: true, text: expect.stringMatching(/cancel/i) },
          { kind: 'message', text: 'Stop' },
        ]);
      });

      test('a command is answered while a turn runs', async () => {
        const performer = new FakePerformer({ callModel: hang });
        await using fixture = await create(performer);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await performer.attempted(1);
        await fixture.engine.deliver(ref, aCommand('c1'));
        const { data } = await awaitEvent(fixture.log, { type: 'task.commandReplied', ref });
        expect(data).toMatchObject({ messageId: 'c1', ok: true, text: 'pong' });
        expect(await fixture.engine.read(ref)).toMatchObject({ status: { state: 'WORKING' } });
      });

      test('a command that fails gets one attempt and an error reply', async () => {
        const performer = new FakePerformer({
          runCommand: () => failure('command.transport', { retryable: true }),
        });
        await using fixture = await create(performer);
        const command = { messageId: 'c1', participant: 'alice', name: 'book', args: 'x' };
        const { ref } = (await fixture.engine.start({ ...SILENT, command })).state;
        const { data } = await awaitEvent(fixture.log, { type: 'task.commandReplied', ref });
        expect(data).toMatchObject({ ok: false, error: 'command.transport' });
        expect(performer.attempts).toHaveLength(1);
      });
    });

    describe('restart', () => {
      test('a model call in flight is made again', async () => {
        await using fixture = await create(new FakePerformer({ callModel: hang }));
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await fixture.restart(new FakePerformer());
        expect((await awaitParked(fixture.log, ref)).data.message).toBe('reply 1');
      });

      test.each([
        { tool: 'get_order', calls: 1, text: 'done', lost: [] },
        {
          tool: 'refund',
          calls: 0,
          text: 'tool.outcome_unknown',
          lost: [{ attempt: 1, code: 'attempt.lost' }],
        },
      ])('$tool in flight is called $calls times more', async ({ tool, calls, text, lost }) => {
        const answers = { callModel: callToolFirst(callOf(tool)), idempotentTools: ['get_order'] };
        const first = new FakePerformer({ ...answers, callTool: hang });
        await using fixture = await create(first);
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await first.attempted(2);
        const second = new FakePerformer(answers);
        await fixture.restart(second);
        await awaitParked(fixture.log, ref);
        const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
        expect(second.attemptsOf('callTool')).toHaveLength(calls);
        const failed = fixture.log.read({ limit: 10, filter: { ref, types: ['task.attemptFailed'] } });
        expect(failed.map(({ data }) => data)).toMatchObject(lost);
        expect(history.find(({ kind }) => kind === 'toolResult')).toMatchObject({
          text: expect.stringContaining(text),
        });
      });

      test('a command in flight is answered with an unknown outcome', async () => {
        const first = new FakePerformer({ runCommand: hang });
        await using fixture = await create(first);
        const command = { messageId: 'c1', participant: 'alice', name: 'book', args: 'x' };
        const { ref } = (await fixture.engine.start({ ...SILENT, command })).state;
        await first.attempted(1);
        await fixture.restart(new FakePerformer());
        const { data } = await awaitEvent(fixture.log, { type: 'task.commandReplied', ref });
        expect(data).toMatchObject({ ok: false, error: 'command.outcome_unknown' });
      });

      test('a parked task and its history are as they were, and nothing is done again', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await awaitParked(fixture.log, ref);
        const read = async () => ({
          row: await fixture.engine.read(ref),
          history: await fixture.engine.history(ref, { afterId: 0, limit: 10 }),
          events: fixture.log.read({ limit: 100 }),
        });
        const before = await read();
        const performer = new FakePerformer();
        await fixture.restart(performer);
        expect(await read()).toEqual(before);
        expect(performer.attempts).toEqual([]);
      });

      test('after its end an engine takes nothing, and ends twice', async () => {
        await using fixture = await create();
        const { engine } = fixture;
        await engine[Symbol.asyncDispose]();
        await engine[Symbol.asyncDispose]();
        await expect(engine.start(SILENT)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      });
    });

    describe('reads', () => {
      test('a row tells what waits and the newest message ids', async () => {
        await using fixture = await create(new FakePerformer({ callModel: hang }));
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await fixture.engine.deliver(ref, aMessage('m2'));
        const row = await fixture.engine.read(ref);
        expect(row).toMatchObject({ ref, queuedMessages: 1, recentMessageIds: ['m1', 'm2'] });
        const list = { limit: 10, order: 'REF_ASC' } as const;
        const [plain] = await fixture.engine.list(list);
        expect(plain).toEqual({ ...row, recentMessageIds: undefined });
        expect(await fixture.engine.list({ ...list, withMessageIds: true })).toEqual([row]);
        for (const hidden of ['history', 'mailbox', 'commands', 'seenMessageIds', 'run']) {
          expect(row).not.toHaveProperty(hidden);
        }
      });

      test('a ref that no task has reads as nothing', async () => {
        await using fixture = await create();
        expect(await fixture.engine.read('github:o/r#1')).toBeUndefined();
        expect(await fixture.engine.history('github:o/r#1', { afterId: 0, limit: 10 })).toEqual([]);
      });

      test('several are read in the order in which they are asked for', async () => {
        await using fixture = await create();
        for (const ref of ['github:o/r#1', 'github:o/r#2']) await fixture.engine.start({ ...SILENT, ref });
        const rows = await fixture.engine.readMany(['github:o/r#2', 'github:o/r#9', 'github:o/r#1']);
        expect(rows.map((row) => row?.ref)).toEqual(['github:o/r#2', undefined, 'github:o/r#1']);
      });

      test('history is read in pages', async () => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(aNewTask())).state;
        await awaitParked(fixture.log, ref);
        const pages = [];
        for (const query of [
          { afterId: 0, limit: 1 },
          { afterId: 1, limit: 10 },
          { afterId: 2, limit: 10 },
        ]) {
          pages.push((await fixture.engine.history(ref, query)).map(({ id }) => id));
        }
        expect(pages).toEqual([[1], [2], []]);
      });

      test('open refs are in code-point order and lack what has ended', async () => {
        await using fixture = await create();
        for (const ref of ['github:o/r#2', 'github:o/r#10', 'gitlab:A/r#1']) {
          await fixture.engine.start({ ...SILENT, ref });
        }
        await fixture.engine.deliver('github:o/r#10', COMPLETE);
        expect(await fixture.engine.openRefs()).toEqual(['github:o/r#2', 'gitlab:A/r#1']);
      });

      test.each([
        ['CREATED_AT_ASC', [1, 2, 3, 4, 5]],
        ['CREATED_AT_DESC', [5, 4, 3, 2, 1]],
        ['UPDATED_AT_ASC', [1, 2, 3, 5, 4]],
        ['UPDATED_AT_DESC', [4, 5, 3, 2, 1]],
        ['REF_ASC', [1, 2, 3, 4, 5]],
      ] as const)('a list by %s is the same in pages of any size', async (order, expected) => {
        await using fixture = await create();
        for (let number = 1; number <= 5; number += 1) {
          await nextMillisecond();
          await fixture.engine.start({ ...SILENT, ref: `github:o/r#${number}` });
        }
        await nextMillisecond();
        await fixture.engine.deliver('github:o/r#4', { kind: 'pauseRequested', participant: 'alice' });
        for (const limit of [1, 2, 5, 1_001]) {
          const refs = await listAll(fixture.engine, order, limit);
          expect(refs).toEqual(expected.map((number) => `github:o/r#${number}`));
        }
      });

      test('a list holds what its filters let through', async () => {
        await using fixture = await create();
        await fixture.engine.start({ ...SILENT, ref: 'github:o/r#1', name: 'Invoice Ünal' });
        await fixture.engine.start({ ...SILENT, ref: 'github:o/r#2', goal: 'Pay the invoice' });
        await fixture.engine.start({ ...SILENT, ref: 'github:o/r#3' });
        await fixture.engine.deliver('github:o/r#2', COMPLETE);
        const query = { limit: 10, order: 'REF_ASC' } as const;
        const refsOf = async (filter: object) =>
          (await fixture.engine.list({ ...query, ...filter })).map(({ ref }) => ref.slice(-1)).join('');
        expect(await refsOf({ text: 'INVOICE' })).toBe('12');
        expect(await refsOf({ text: 'ünal' })).toBe('1');
        expect(await refsOf({ text: 'O/R#3' })).toBe('3');
        expect(await refsOf({ text: '%' })).toBe('');
        expect(await refsOf({ states: ['COMPLETED', 'FAILED'] })).toBe('2');
        expect(await refsOf({ subStates: ['AWAITING_MESSAGE'] })).toBe('13');
        expect(await refsOf({ subStates: ['AWAITING_MESSAGE'], text: 'invoice' })).toBe('1');
        expect(await refsOf({ limit: 0 })).toBe('');
        const repositories = ['/srv/r', 'o/r'];
        await fixture.engine.deliver('github:o/r#3', {
          kind: 'repositoriesDeclared',
          participant: 'alice',
          repositories,
        });
        expect(await refsOf({ repositories: ['o/s', 'o/r'] })).toBe('3');
        expect(await refsOf({ repositories: ['o/s'] })).toBe('');
      });

      test('tasks are listed and counted by their context', async () => {
        await using fixture = await create();
        const { engine } = fixture;
        for (const contextId of ['c', 'd', 'c']) await engine.start({ ...SILENT, contextId });
        const rows = await engine.list({ limit: 10, order: 'REF_ASC', contextId: 'c' });
        expect(rows.map(({ contextId }) => contextId)).toEqual(['c', 'c']);
        expect(await engine.count({ contextId: 'c' }, 10)).toBe(2);
        expect(await engine.count({}, 10)).toBe(3);
        expect(await engine.count({}, 2)).toBe(2);
        expect(await engine.count({ participant: 'mallory' }, 10)).toBe(0);
      });
    });
  });
}

async function awaitQuiet({ engine, log }: EngineFixture, ref: string): Promise<void> {
  for (let after = 0; ; ) {
    ({ offset: after } = await awaitParked(log, ref, after));
    const row = await engine.read(ref);
    if (row?.status.state === 'INPUT_REQUIRED' && row.queuedMessages === 0 && row.turns > 0) return;
  }
}

async function listAll(
  engine: TaskEngine,
  order: Parameters<TaskEngine['list']>[0]['order'],
  limit: number,
): Promise<string[]> {
  const refs: string[] = [];
  let after: { readonly value: string | number; readonly id: string } | undefined;
  for (;;) {
    const rows = await engine.list({ order, limit, after });
    refs.push(...rows.map(({ ref }) => ref));
    const last = rows.at(-1);
    if (!last) return refs;
    const values = {
      CREATED_AT_ASC: last.createdAtMs,
      CREATED_AT_DESC: last.createdAtMs,
      UPDATED_AT_ASC: last.updatedAtMs,
      UPDATED_AT_DESC: last.updatedAtMs,
      REF_ASC: last.ref,
    };
    after = { value: values[order], id: last.id };
  }
}

/** Hosts read the time of the machine: two tasks of one millisecond have no order by time. */
async function nextMillisecond(): Promise<void> {
  const startMs = Date.now();
  while (Date.now() === startMs) await new Promise((resolve) => setImmediate(resolve));
}
