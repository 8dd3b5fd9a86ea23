/** What others have a say in, who wrote what, and what is masked, whatever hosts the tasks. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import { intake } from '../../../subgraph/effects/intake.ts';
import { awaitEvent, awaitParked } from '../../support/awaitEvent.ts';
import { FakeHooks } from '../../support/FakeHooks.ts';
import { FakePerformer, failure, modelReply, toolResult } from '../../support/FakePerformer.ts';
import { aCommand, aMessage, aNewTask, callToolFirst } from '../../support/tasks.ts';
import type { CreateEngine } from './EngineFixture.ts';

export function hookTests(create: CreateEngine): void {
  describe('hooks', () => {
    const judging = new FakeHooks({
      'request.received.pre': ({ message, ...rest }) =>
        message.text.includes('bad')
          ? { abort: { reason: 'policy', message: 'no bad words' } }
          : { context: { ...rest, message: { ...message, text: message.text.toUpperCase() } } },
    });
    const performer = () =>
      new FakePerformer({ intake: (effect, context) => intake(effect, context, judging) });

    test('a message is read as intake has rewritten it, or not at all', async () => {
      await using fixture = await create(performer(), { hooks: judging });
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await awaitParked(fixture.log, ref);
      await fixture.engine.deliver(ref, aMessage('m2', 'a bad word'));
      const { data } = await awaitEvent(fixture.log, { type: 'task.inputRefused', ref });
      expect(data).toMatchObject({ code: 'hook.abort', reason: 'no bad words', messageId: 'm2' });
      const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
      expect(history.map((entry) => 'text' in entry && entry.text)).toEqual(['FIND THE ORDER', 'reply 1']);
    });

    test('the inbox tells who was taken and who was refused, and why, the newest first', async () => {
      await using fixture = await create(performer(), { hooks: judging });
      const { ref } = (await fixture.engine.start(aNewTask({ message: undefined }))).state;
      await fixture.engine.deliver(ref, aMessage('m1', 'a bad word'));
      await awaitEvent(fixture.log, { type: 'task.inputRefused', ref });
      const stranger = {
        kind: 'messageReceived',
        messageId: 'm2',
        participant: 'mallory',
        text: 'Hi',
      } as const;
      await fixture.engine.deliver(ref, stranger);
      await fixture.engine.deliver(ref, aCommand('c1'));
      const rows = await fixture.engine.inboxAudit(ref, { limit: 10 });
      expect(rows).toMatchObject(
        [
          { messageId: 'c1', participant: 'alice', accepted: true },
          { messageId: 'm2', participant: 'mallory', accepted: false, reason: /^channel\.not_a_member: / },
          { messageId: 'm1', participant: 'alice', accepted: false, reason: 'hook.abort: no bad words' },
        ].map(({ reason, ...row }) =>
          reason === undefined ? row : { ...row, reason: expect.stringMatching(reason) },
        ),
      );
      expect(JSON.stringify(rows)).not.toContain('bad word"');
    });

    test('a hook between attempts may allow a tool that is not idempotent another one, or end it', async () => {
      const call = { callId: 'call-1', tool: 'refund', arguments: {} };
      const told: string[] = [];
      const hooks = new FakeHooks({
        'activity.failed.pre': ({ effect, error, attempt }) => {
          told.push(`${effect} ${error.code} ${attempt}`);
          return attempt === 2 ? { abort: { reason: 'policy', message: 'enough' } } : undefined;
        },
        'activity.retried.pre': (context) => ({
          context: { ...context, delayMs: 0, policy: { ...context.policy, maximumAttempts: 9 } },
        }),
      });
      const failing = new FakePerformer({
        callModel: callToolFirst(call),
        callTool: () => failure('tool.broken', { retryable: true }),
      });
      await using fixture = await create(failing, { hooks });
      const { ref } = (await fixture.engine.start(aNewTask())).state;
      await awaitParked(fixture.log, ref);
      expect(told).toEqual(['callTool tool.broken 1', 'callTool tool.broken 2']);
      const history = await fixture.engine.history(ref, { afterId: 0, limit: 10 });
      expect(history.find(({ kind }) => kind === 'toolResult')).toMatchObject({
        isError: true,
        text: expect.stringContaining('hook.abort'),
      });
    });

    test('secrets are masked before anything of them is stored, whoever says them', async () => {
      const secret = 'sk-0123456789abcdef';
      const call = { callId: 'call-1', tool: 'get_order', arguments: { note: secret } };
      const talkative = new FakePerformer({
        callModel: (effect, { state }) =>
          modelReply(effect, state.turns === 0 ? { toolCalls: [call] } : { text: `It is ${secret}` }),
        callTool: (effect) => toolResult(effect, `key ${secret}`),
      });
      await using fixture = await create(talkative, { redact: createRedactor() });
      const message = { messageId: 'm1', participant: 'alice', text: `Use ${secret}` };
      const { ref } = (await fixture.engine.start(aNewTask({ message }))).state;
      await awaitParked(fixture.log, ref);
      const kept = JSON.stringify([
        await fixture.engine.read(ref),
        await fixture.engine.history(ref, { afterId: 0, limit: 10 }),
        fixture.log.read({ limit: 100 }),
        await fixture.engine.readAt(ref, 1),
      ]);
      expect(kept).not.toContain(secret);
      expect(kept.match(/\[REDACTED\]/g)?.length).toBeGreaterThanOrEqual(4);
    });
  });
}
