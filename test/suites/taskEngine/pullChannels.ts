/** What waits on a pull channel, whatever hosts the tasks (spec/worker.md §§ 4.3, 5.4). */
import { describe, expect, test } from 'vitest';
import type { ChannelSource, PulledMessage } from '../../../subgraph/engine/heartbeat/ChannelSource.ts';
import { runHeartbeat } from '../../../subgraph/engine/heartbeat/runHeartbeat.ts';
import type { TaskEngine } from '../../../subgraph/engine/TaskEngine.ts';
import { NO_HOOKS } from '../../../subgraph/hooks/NO_HOOKS.ts';
import { awaitEvent, awaitParked } from '../../support/awaitEvent.ts';
import { commandOutcome, FakePerformer } from '../../support/FakePerformer.ts';
import { aNewTask } from '../../support/tasks.ts';
import type { CreateEngine } from './EngineFixture.ts';

export function pullChannelTests(create: CreateEngine): void {
  describe('pull channels', () => {
    test('a slash command that waits there runs as one and never reaches the model, an escaped one is a message', async () => {
      const performer = new FakePerformer({
        runCommand: (effect) =>
          commandOutcome(effect, { kind: 'intents', intents: [{ kind: 'reply', text: 'pong' }] }),
      });
      await using fixture = await create(performer);
      const { ref, id } = (await fixture.engine.start(aNewTask({ message: undefined }))).state;
      const leave = (messageId: string, text: string): PulledMessage => ({
        taskId: id,
        messageId,
        participant: 'alice',
        text,
        channel: { channelId: id, kind: 'message' },
      });

      await forward(fixture.engine, leave('c1', '/ping a b'));
      const { data } = await awaitEvent(fixture.log, { type: 'task.commandReplied', ref });
      expect(data).toMatchObject({ messageId: 'c1', ok: true, text: 'pong' });
      expect(performer.attempts.map(({ effect }) => effect)).toMatchObject([
        { kind: 'runCommand', messageId: 'c1', participant: 'alice', name: 'ping', args: 'a b' },
      ]);
      expect(await fixture.engine.read(ref)).toMatchObject({ turns: 0, lastEntryId: 0 });

      const { offset } = await awaitEvent(fixture.log, { type: 'task.commandReplied', ref });
      await forward(fixture.engine, leave('m1', '//ping'));
      await awaitParked(fixture.log, ref, offset);
      const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
      expect(history[0]).toMatchObject({ role: 'USER', text: '/ping', participant: 'alice' });
    });
  });
}

/** One tick of the heartbeat that finds these messages. */
async function forward(engine: TaskEngine, ...messages: readonly PulledMessage[]): Promise<void> {
  const source: ChannelSource = { waiting: async () => messages, settle: async () => {} };
  await runHeartbeat({
    engine,
    channels: [source],
    hooks: NO_HOOKS,
    sweep: async () => ({ tasks: 0, inboxAudit: 0, channelMessages: 0 }),
    held: { release: async () => 0 },
    signal: new AbortController().signal,
  });
}
