/** Hooks around messages, models and tools, and the sub-tasks that a person starts. */
import { expect } from 'vitest';
import type { HookDefinition } from '../../server/index.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { countingTool } from '../support/countingTool.ts';
import { FakeModel, type FakeReply } from '../support/FakeModel.ts';
import { awaitParked, awaitReply, createTask, readTask, sendMessage } from '../support/taskClient.ts';
import {
  type HostedInstance,
  type HostedOptions,
  hostedTest,
  openHosted,
  type TaskHost,
} from '../support/taskHosts.ts';

const REF = 'github:o/r#1';

/*
 * Feature: Retries
 * Scenario: hooks are told of every failed attempt, and may shorten the wait
 *   Requirement: spec/worker.md#40
 *   Given an idempotent tool that fails twice, waits of half a minute and more, and a hook that leaves a thousandth of each
 *   When a task calls the tool
 *   Then the hooks see failed and retried of the first, then of the second attempt, with the tool's error
 *   And the tool was called three times, the model asked twice, and all of it has taken less than the first wait
 */
hostedTest('hooks are told of every failed attempt, and may shorten the wait', async (host) => {
  const seen: string[] = [];
  const delays: number[] = [];
  const hooks: HookDefinition[] = [
    observe('activity.failed.pre', (context) => {
      const { attempt, effect, error } = context as {
        attempt: number;
        effect: string;
        error: { code: string };
      };
      seen.push(`failed@${attempt} ${effect} ${error.code}`);
      return undefined;
    }),
    observe('activity.retried.pre', (context) => {
      const { attempt, delayMs } = context as { attempt: number; delayMs: number };
      seen.push(`retried@${attempt}`);
      delays.push(delayMs);
      return { context: { ...context, delayMs: delayMs / 1_000 } };
    }),
  ];
  const order = countingTool({ name: 'get_order', isIdempotent: true, failures: 2 });
  await using instance = await open(host, [call('get_order'), { text: 'Found.' }], {
    config: { retries: { default: { initialIntervalSeconds: 30, maximumAttempts: 5 } } },
    hooks,
    tools: [order.tool],
  });
  await createTask(instance.url, 'hi', { ref: REF });
  // Which gives up before the first wait would be over.
  await awaitReply(instance.url, { ref: REF }, 'Found.');
  expect(seen).toEqual([
    'failed@1 callTool tool.failed',
    'retried@1',
    'failed@2 callTool tool.failed',
    'retried@2',
  ]);
  expect(Math.min(...delays)).toBeGreaterThan(20_000);
  expect(order.calls()).toBe(3);
  expect(instance.model.requests).toHaveLength(2);
});

/*
 * Feature: Retries
 * Scenario: a tool that may not be repeated is called once, and the model reads that it failed
 *   Requirement: spec/worker.md#39
 *   Given a tool that is not idempotent and fails once, and a hook that sees failed attempts
 *   When a task calls the tool
 *   Then it ran once, the hook saw the failure once
 *   And the model's next request has an error result with tool.not_retried, and the reply comes
 */
hostedTest(
  'a tool that may not be repeated is called once, and the model reads that it failed',
  async (host) => {
    const seen: unknown[] = [];
    const refund = countingTool({ name: 'refund', isIdempotent: false, failures: 1 });
    await using instance = await open(host, [call('refund'), { text: 'It failed.' }], {
      hooks: [
        observe('activity.failed.pre', (context) => {
          seen.push((context as { attempt: number }).attempt);
          return undefined;
        }),
      ],
      tools: [refund.tool],
    });
    await createTask(instance.url, 'hi', { ref: REF });
    await awaitReply(instance.url, { ref: REF }, 'It failed.');
    expect(refund.calls()).toBe(1);
    expect(seen).toEqual([1]);
    const result = instance.model.requests[1]?.input.at(-1);
    expect(result).toMatchObject({ kind: 'toolResult', isError: true });
    expect(result && 'text' in result && result.text).toContain('tool.not_retried');
  },
);

/*
 * Feature: Hooks
 * Scenario: a message that a hook refuses does not wake the task
 *   Requirement: spec/worker.md#34
 *   Given a parked task and a hook that refuses messages with a word, and rewrites another
 *   When such a message is sent, and then two others
 *   Then the refused one leaves the task parked behind its reply, and no model is asked
 *   And an event gives the reason and never the text
 *   And the next message works, and the rewritten one is read as the hook wrote it
 */
hostedTest('a message that a hook refuses does not wake the task', async (host) => {
  const hook = observe('request.received.pre', (context) => {
    const { message } = context as { message: { text: string } };
    if (message.text.includes('gossip')) return { abort: { reason: 'policy', message: 'No gossip here' } };
    return {
      context: { ...context, message: { ...message, text: message.text.replace('colour', 'color') } },
    };
  });
  await using instance = await open(host, [{ text: 'One.' }, { text: 'Two.' }], { hooks: [hook] });
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'One.');
  await askGraphQL(
    instance.url,
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "some gossip") { ref } }',
    {
      ref: REF,
    },
  );
  const refusals = async () => {
    const { events } = await readGraphQL(
      instance.url,
      'query ($ref: ID!) { events(first: 1000, filter: { ref: $ref, types: ["task.inputRefused"] }) { nodes { data } } }',
      { ref: REF },
    );
    return events.nodes.map(({ data }: { data: object }) => data);
  };
  await expect
    .poll(refusals, { timeout: 10_000 })
    .toMatchObject([{ code: 'hook.abort', reason: 'No gossip here' }]);
  expect(JSON.stringify(await refusals())).not.toContain('some gossip');
  expect(await readTask(instance.url, { ref: REF })).toMatchObject({
    state: 'INPUT_REQUIRED',
    subState: 'AWAITING_MESSAGE',
    lastReply: 'One.',
  });
  expect(instance.model.requests).toHaveLength(1);

  await sendMessage(instance.url, 'which colour?', { ref: REF });
  const { texts } = await awaitReply(instance.url, { ref: REF }, 'Two.');
  expect(texts.join('\n')).toContain('which color?');
  expect(texts.join('\n')).not.toContain('gossip');
});

/*
 * Feature: Hooks
 * Scenario: hooks around a tool refuse it, rewrite its arguments and its result
 *   Requirement: docs/guides/plugins.md#hooks
 *   Given hooks that refuse one tool, and rewrite arguments and result of another
 *   When a task calls both
 *   Then the refused tool has not run, and its call is an error result with the reason
 *   And the other one ran once with the arguments of the hook, and the model reads the hook's result
 */
hostedTest('hooks around a tool refuse it, rewrite its arguments and its result', async (host) => {
  const order = countingTool({ name: 'get_order', isIdempotent: true });
  const refund = countingTool({ name: 'refund', isIdempotent: false });
  const hooks = [
    observe('tool.invoked.pre', (context) => {
      const { tool } = context as { tool: string };
      if (tool === 'refund') return { abort: { reason: 'policy', message: 'People pay refunds' } };
      return { context: { ...context, arguments: { id: 'b' } } };
    }),
    observe('tool.invoked.post', (context) => ({
      context: { ...context, output: { text: 'nothing to see', isError: false } },
    })),
  ];
  const calls: FakeReply = {
    toolCalls: [
      { tool: 'refund', arguments: { id: 'a' } },
      { tool: 'get_order', arguments: { id: 'a' } },
    ],
  };
  await using instance = await open(host, [calls, { text: 'Done.' }], {
    hooks,
    tools: [order.tool, refund.tool],
  });
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'Done.');
  expect(refund.calls()).toBe(0);
  expect(order.arguments()).toEqual([{ id: 'b' }]);
  const results = instance.model.requests[1]!.input.flatMap((item) =>
    item.kind === 'toolResult' ? [item] : [],
  );
  expect(results).toMatchObject([
    { isError: true, text: expect.stringContaining('hook.abort: People pay refunds') },
    { isError: false, text: expect.stringContaining('nothing to see') },
  ]);
});

/*
 * Feature: Hooks
 * Scenario: a hook in front of a default body decides in its place, one behind it does not
 *   Requirement: spec/worker.md#72
 *   Given an instance with a hook at task.complete.in of priority 999, and one with the same hook at 1000
 *   When a task of each replies
 *   Then the first task has failed with the reason of the hook
 *   And the second one is parked behind its reply
 */
hostedTest('a hook in front of a default body decides in its place, one behind it does not', async (host) => {
  const decide = (priority: number): HookDefinition => ({
    ...observe('task.complete.in', (context) => ({
      context: { ...context, result: { decision: 'fail', reason: 'Not good enough' } },
    })),
    priority,
  });
  await using strict = await open(host, [{ text: 'One.' }], { hooks: [decide(999)] });
  await createTask(strict.url, 'hi', { ref: REF });
  await expect
    .poll(() => readTask(strict.url, { ref: REF }), { timeout: 10_000 })
    .toMatchObject({ state: 'FAILED' });
  const { events } = await readGraphQL(
    strict.url,
    'query ($ref: ID!) { events(first: 100, filter: { ref: $ref, types: ["task.status"] }) { nodes { data } } }',
    { ref: REF },
  );
  expect(events.nodes.at(-1).data.message).toContain('Not good enough');

  await using plain = await open(host, [{ text: 'One.' }], { hooks: [decide(1_000)] });
  await createTask(plain.url, 'hi', { ref: REF });
  await awaitReply(plain.url, { ref: REF }, 'One.');
});

/*
 * Feature: Sub-tasks
 * Scenario: a person starts a sub-task, which works by itself, and the parent's agent is told of it
 *   Requirement: spec/worker.md#18
 *   Requirement: spec/worker.md#19
 *   Requirement: spec/worker.md#49
 *   Given a parked task with a model and an effort of its own
 *   When "/sub-task Check the ledger" is sent, the parent's model is changed, and then the parent is written to
 *   Then the reply names the sub-task, a conversation of the same people, which begins with the text as the operator's message
 *   And it has taken its own turn with the model and the effort of its parent and is parked
 *   And the parent was not asked before the message
 *   And its next request tells of the sub-task by id and name, and has neither the command nor its reply
 */
hostedTest(
  "a person starts a sub-task, which works by itself, and the parent's agent is told of it",
  async (host) => {
    await using instance = await open(host, [{ text: 'One.' }, { text: 'Checked.' }, { text: 'Two.' }]);
    await createTask(instance.url, 'hi', { ref: REF });
    await awaitReply(instance.url, { ref: REF }, 'One.');
    for (const command of ['/model m2', '/effort high']) await runCommand(instance.url, command);
    const { text } = await runCommand(instance.url, '/sub-task Check the ledger');
    await runCommand(instance.url, '/model m3');
    const child = await findChild(instance.url);
    expect(text).toContain(child.id);
    expect(child).toMatchObject({
      name: 'Check the ledger',
      lifecycle: 'CONVERSATION',
      settings: { model: 'm2', effort: 'HIGH' },
    });
    await awaitReply(instance.url, { ref: child.ref }, 'Checked.');
    const { parent, ...family } = await readFamily(instance.url, child.ref);
    expect(parent).toMatchObject({ ...family, ref: REF, children: [{ id: child.id }] });
    expect(await firstMessageOf(instance.url, child.ref)).toEqual({
      participant: 'operator',
      text: 'Check the ledger',
    });
    expect(instance.model.requests.map(({ model, effort }) => [model, effort])).toEqual([
      ['d', undefined],
      ['m2', 'HIGH'],
    ]);
    expect(JSON.stringify(instance.model.requests[1]?.input)).toContain('Check the ledger');
    expect(await readTask(instance.url, { ref: REF })).toMatchObject({
      state: 'INPUT_REQUIRED',
      lastReply: 'One.',
    });

    await sendMessage(instance.url, 'and now?', { ref: REF });
    await awaitReply(instance.url, { ref: REF }, 'Two.');
    const asked = JSON.stringify(instance.model.requests[2]?.input);
    expect(instance.model.requests[2]?.model).toBe('m3');
    expect(asked).toContain(child.id);
    expect(asked).toContain(child.name);
    expect(asked).not.toContain('/sub-task');
    expect(asked).not.toContain(text);
  },
);

/*
 * Feature: Sub-tasks
 * Scenario: a sub-task without a text waits for its first message
 *   Requirement: spec/worker.md#50
 *   Given a parked task
 *   When "/sub-task" is sent, and later a message to the sub-task
 *   Then the sub-task was parked at once, and no model was asked for it
 *   And the message starts its first turn
 */
hostedTest('a sub-task without a text waits for its first message', async (host) => {
  await using instance = await open(host, [{ text: 'One.' }, { text: 'First.' }]);
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'One.');
  expect(await runCommand(instance.url, '/sub-task')).toMatchObject({ ok: true });
  const child = await findChild(instance.url);
  expect(child.name).toBe('sub-task 1');
  await awaitParked(instance.url, { ref: child.ref }, { turns: 0, subState: 'AWAITING_MESSAGE' });
  expect(instance.model.requests).toHaveLength(1);
  await sendMessage(instance.url, 'begin', { ref: child.ref });
  await awaitReply(instance.url, { ref: child.ref }, 'First.');
});

function observe(point: string, execute: HookDefinition['execute']): HookDefinition {
  return { name: point, points: [point as never], execute };
}

function call(tool: string): FakeReply {
  return { toolCalls: [{ tool, arguments: { id: 'a' } }] };
}

async function runCommand(url: string, text: string) {
  const { runCommand: reply } = await readGraphQL(
    url,
    'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { ok text } }',
    { ref: REF, text },
  );
  return reply as { readonly ok: boolean; readonly text: string };
}

/** The one task beside the parent. */
async function findChild(url: string) {
  const { tasks } = await readGraphQL(
    url,
    '{ tasks { nodes { ref id name lifecycle settings { model effort } } } }',
  );
  return tasks.nodes.find(({ ref }: { ref: string }) => ref !== REF) as {
    readonly ref: string;
    readonly id: string;
    readonly name: string;
    readonly lifecycle: string;
    readonly settings: { readonly model: string; readonly effort: string };
  };
}

/** What a task has in common with the one that it was started from, and that one. */
async function readFamily(url: string, ref: string) {
  const shared = 'contextId participants { id kind role }';
  const { task } = await readGraphQL(
    url,
    `query ($ref: ID!) { task(ref: $ref) { ${shared} parent { ref ${shared} children { id } } } }`,
    { ref },
  );
  return task;
}

async function firstMessageOf(url: string, ref: string) {
  const { task } = await readGraphQL(
    url,
    'query ($ref: ID!) { task(ref: $ref) { history(first: 1) { nodes { ... on HistoryMessage { participant text } } } } }',
    { ref },
  );
  return task.history.nodes[0];
}

/** An instance in this process, with a model of replies and short waits between attempts. */
async function open(
  host: TaskHost,
  replies: readonly FakeReply[],
  options: HostedOptions = {},
): Promise<HostedInstance & { readonly model: FakeModel }> {
  const model = new FakeModel(replies);
  const config = { retries: { default: { initialIntervalSeconds: 0.02, maximumAttempts: 5 } } };
  return Object.assign(await openHosted(host, { config, model, ...options }), { model });
}
