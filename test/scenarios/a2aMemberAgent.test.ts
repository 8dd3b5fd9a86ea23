/**
 * A real A2A agent, `tiny-harness` of PyPI, as a member beside a worker of ours (docs/guides/a2a-members.md). Skipped on machines without
 * it; `.ci/a2a-agent` installs it.
 */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { A2AAgentProcess, AGENT_PYTHON } from '../support/A2AAgentProcess.ts';
import { type A2ABindingProxy, createA2ABindingProxy } from '../support/A2ABindingProxy.ts';
import { AimockServer, replyTo } from '../support/AimockServer.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Starting the agent, with its Temporal server, takes seconds on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

interface RealFleet extends AsyncDisposable {
  readonly fleet: HostileFleet;
  readonly agent: A2AAgentProcess;
  readonly model: AimockServer;
  readonly proxy: A2ABindingProxy;
}

/** A manager `hq` over a worker `alpha` of ours, and the agent twice: as `tiny`, and over HTTP and JSON as `plain` for somebody else. */
async function openRealFleet(): Promise<RealFleet> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const model = resources.use(await AimockServer.start());
  const directory = join(path, 'agent');
  const agent = resources.use(await A2AAgentProcess.start({ directory, modelUrl: model.url }));
  const proxy = resources.use(await createA2ABindingProxy(agent.url));
  const fleet = resources.use(
    await openHostileFleet({
      members: { alpha: ['github:o/r#1'] },
      strangers: [
        { name: 'tiny', url: agent.url, kind: 'a2a' },
        { name: 'plain', url: proxy.url, kind: 'a2a', participant: 'alice' },
      ],
      manager: { timeoutSeconds: 20 },
    }),
  );
  const owned = resources.move();
  return { fleet, agent, model, proxy, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Reads what the manager's stream tells of one task after a position. */
async function openStory(fleet: HostileFleet, ref: string, after: string) {
  const reader = await readFrames(`${fleet.url}/api/v1/stream`, { 'last-event-id': after });
  return {
    /** The next status. */
    async next(): Promise<string> {
      for (;;) {
        const [frame] = await reader.take(1);
        const { event, work_item: of, state, instance } = JSON.parse(frame?.data ?? '{}');
        // Members that the cursor does not name may say that they are read from now on.
        if (frame?.event === 'desync') expect(ref).not.toContain(`a2a:${instance}/`);
        if (event === 'task.status' && of === ref) return state;
      }
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/*
 * Feature: A real A2A agent
 * Scenario: a real agent and a worker of ours are one fleet
 *   Requirement: docs/guides/a2a-members.md#which-agents-are-taken
 *   Requirement: docs/guides/a2a-members.md#as-whom-it-is-asked
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Requirement: docs/guides/a2a-members.md#events
 *   Given our manager over a worker of ours and tiny-harness, over both of its bindings as two participants
 *   When a task is begun at the agent, tasks are listed, messaged, followed and cancelled, and something else is asked of it
 *   Then the rows are the union, the agent's model has read the message, and the stream has told how the task went
 *   And what A2A does not have is NOT_SUPPORTED
 */
test.skipIf(!AGENT_PYTHON)('a real agent and a worker of ours are one fleet', async () => {
  await using open = await openRealFleet();
  const { fleet, agent, model, proxy } = open;
  const states = await fleet.states();
  expect(states.tiny).toMatchObject({ state: 'live', version: '0.1.0' });
  expect(states.plain).toMatchObject({ state: 'live', version: '0.1.0' });

  const created = await fleet.ask(
    'mutation { createTask(input: { message: "say hello" }, instance: "tiny") { id name state } }',
  );
  expect(created.body.data.createTask).toMatchObject({ name: 'say hello' });
  const { id } = created.body.data.createTask;
  const theirs = await agent.createTask('say hi', 'alice');
  const ref = `a2a:tiny/${id}#1`;
  const theirRef = `a2a:plain/${theirs}#1`;
  const { body } = await fleet.ask(
    '{ tasks(orderBy: REF_ASC) { nodes { instance ref name participants { id } } } }',
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.tasks.nodes).toMatchObject([
    {
      instance: 'plain',
      ref: theirRef,
      name: 'say hi',
      participants: [{ id: 'alice' }, { id: 'tiny-harness' }],
    },
    { instance: 'tiny', ref, name: 'say hello', participants: [{ id: 'operator' }, { id: 'tiny-harness' }] },
    { instance: 'alpha', ref: 'github:o/r#1' },
  ]);

  for (const [member, task] of [
    ['tiny', ref],
    ['plain', theirRef],
  ] as const) {
    const word = `more-${member}`;
    await vi.waitFor(async () => {
      const read = await fleet.ask(`{ task(ref: "${task}") { state subState } }`);
      expect(read.body.data.task).toEqual({ state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' });
    }, 30_000);
    const answer = model.hold(word);
    const sent = await fleet.ask(
      `mutation { sendMessage(ref: "${task}", text: "say ${word}") { instance accepted cursor } }`,
    );
    const { cursor, ...receipt } = sent.body.data.sendMessage;
    expect(receipt).toEqual({ instance: member, accepted: true });
    await answer.asked;
    using story = await openStory(fleet, task, cursor);
    // The agent may answer a message with the task as it was before it, which nobody had looked at until then.
    const first = await story.next();
    expect(first === 'INPUT_REQUIRED' ? await story.next() : first).toBe('WORKING');
    if (member === 'plain') {
      const subscription = `POST /tasks/${theirs}:subscribe`;
      await vi.waitFor(() => expect(proxy.requests).toContain(subscription), 30_000);
    }
    answer.release();
    expect(await story.next()).toBe('INPUT_REQUIRED');
    const read = await fleet.ask(`{ task(ref: "${task}") { lastReply } }`);
    expect(read.body.data.task.lastReply).toBe(replyTo(word));

    const cancelled = await fleet.ask(`mutation { cancelTask(ref: "${task}") { instance state } }`);
    expect(cancelled.body.data.cancelTask).toEqual({ instance: member, state: 'CANCELED' });
    expect(await story.next()).toBe('CANCELED');
    const refusals = await Promise.all(
      [
        `mutation { cancelTask(ref: "${task}") { state } }`,
        `mutation { pauseTask(ref: "${task}") { state } }`,
        `{ task(ref: "a2a:${member}/nobody-has-it#1") { state } }`,
      ].map(async (operation) => (await fleet.ask(operation)).body.errors[0].extensions.code),
    );
    expect(refusals).toEqual(['CONFLICT', 'NOT_SUPPORTED', 'NOT_FOUND']);
  }
  const asked = new Set(proxy.requests.map((request) => request.replace(theirs, '{id}')));
  expect([...asked]).toEqual(
    expect.arrayContaining([
      'GET /.well-known/agent-card.json',
      'GET /tasks',
      'GET /tasks/{id}',
      'POST /message:send',
      'POST /tasks/{id}:cancel',
      'POST /tasks/{id}:subscribe',
    ]),
  );
});
