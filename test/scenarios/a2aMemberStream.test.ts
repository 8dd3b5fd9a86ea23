/** The events of A2A agents' tasks, through a manager (docs/guides/a2a-members.md, "Events"). */
import { expect, test } from 'vitest';
import { type FrameReader, readFrames } from '../server/support/readFrames.ts';
import { type A2AServer, createA2AServer } from '../support/A2AServer.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';

const REF = 'a2a:agent/t#1';

/** A manager `hq` over the agent alone. */
function openManagerOf(agent: A2AServer): Promise<HostileFleet> {
  return openHostileFleet({
    strangers: [{ name: 'agent', url: agent.url, kind: 'a2a' }],
    manager: { timeoutSeconds: 10 },
  });
}

interface Told {
  readonly what: string;
  readonly id: string | undefined;
}

/** The next thing that is told of the agent: `event ref state`, or a desync. */
async function nextOf(reader: FrameReader): Promise<Told> {
  for (;;) {
    const [frame] = await reader.take(1);
    const { event, instance, work_item: ref, state, reason } = JSON.parse(frame?.data ?? '{}');
    if (frame?.event === 'desync') return { what: `desync ${reason} ${instance ?? ''}`.trim(), id: frame.id };
    if (instance === 'agent') return { what: [event, ref, state].filter(Boolean).join(' '), id: frame?.id };
  }
}

/*
 * Feature: Events of A2A agents
 * Scenario: a task of an agent is followed through the stream of the fleet
 *   Requirement: docs/guides/a2a-members.md#events
 *   Given an agent with a task that goes on, and a client of the manager's stream
 *   When the task asks, is answered through the manager, and is completed
 *   Then each status comes once, in order, with a cursor that counts one by one
 *   And the agent's stream is closed when the task has ended
 */
test('a task of an agent is followed through the stream of the fleet', async () => {
  await using agent = await createA2AServer();
  agent.addTask('t');
  await using fleet = await openManagerOf(agent);
  using reader = await readFrames(`${fleet.url}/api/v1/stream`);
  await agent.untilStreams('t');
  agent.setStatus('t', 'INPUT_REQUIRED', 'which one?');
  const asked = await nextOf(reader);
  await fleet.ask(`mutation { sendMessage(ref: "${REF}", text: "the red one") { accepted } }`);
  const answered = await nextOf(reader);
  agent.setStatus('t', 'COMPLETED', 'done');
  const completed = await nextOf(reader);
  expect([asked, answered, completed].map(({ what }) => what)).toEqual([
    `task.status ${REF} INPUT_REQUIRED`,
    `task.status ${REF} WORKING`,
    `task.status ${REF} COMPLETED`,
  ]);
  const [first = 0, second = 0, third = 0] = [asked, answered, completed].map(({ id }) => positionIn(id));
  expect([second - first, third - second]).toEqual([1, 1]);
  await agent.untilStreams();
});

/*
 * Feature: Events of A2A agents
 * Scenario: a client that comes back is told what has become of the tasks meanwhile
 *   Requirement: docs/guides/a2a-members.md#events
 *   Given a client that has seen an event of an agent, and went, so that nobody listens
 *   When the task changes several times, another one comes up, and the client resumes
 *   Then it is told the last status and the new task, each once, and of no desync
 */
test('a client that comes back is told what has become of the tasks meanwhile', async () => {
  await using agent = await createA2AServer();
  agent.addTask('t');
  await using fleet = await openManagerOf(agent);
  let cursor: string;
  {
    using reader = await readFrames(`${fleet.url}/api/v1/stream`);
    await agent.untilStreams('t');
    agent.setStatus('t', 'INPUT_REQUIRED', 'which one?');
    cursor = (await nextOf(reader)).id ?? '';
  }
  await agent.untilStreams();
  for (const state of ['WORKING', 'INPUT_REQUIRED', 'COMPLETED']) agent.setStatus('t', state);
  agent.addTask('new', { state: 'SUBMITTED' });
  using reader = await readFrames(`${fleet.url}/api/v1/stream`, { 'last-event-id': cursor });
  expect([(await nextOf(reader)).what, (await nextOf(reader)).what]).toEqual([
    `task.status ${REF} COMPLETED`,
    'task.created a2a:agent/new#1 SUBMITTED',
  ]);
  await agent.untilStreams('new');
  agent.setStatus('new', 'FAILED');
  expect((await nextOf(reader)).what).toBe('task.status a2a:agent/new#1 FAILED');
});

/*
 * Feature: Events of A2A agents
 * Scenario: a position from before the manager was started again is one desync
 *   Requirement: docs/guides/a2a-members.md#events
 *   Given a cursor of an event of an agent, and a manager that has begun with the agent later
 *   When a client resumes there with the cursor
 *   Then it is told of exactly one desync, and then of what happens from now on
 */
test('a position from before the manager was started again is one desync', async () => {
  await using agent = await createA2AServer();
  agent.addTask('t');
  let position: number;
  {
    await using before = await openManagerOf(agent);
    using reader = await readFrames(`${before.url}/api/v1/stream`);
    await agent.untilStreams('t');
    agent.setStatus('t', 'INPUT_REQUIRED', 'which one?');
    position = positionIn((await nextOf(reader)).id);
  }
  await using after = await openManagerOf(agent);
  using reader = await readFrames(`${after.url}/api/v1/stream`, {
    'last-event-id': `agent=${position},hq=0`,
  });
  expect((await nextOf(reader)).what).toBe('desync truncated agent');
  await agent.untilStreams('t');
  agent.setStatus('t', 'WORKING');
  expect((await nextOf(reader)).what).toBe(`task.status ${REF} WORKING`);
});

function positionIn(cursor: string | undefined): number {
  const [, position] = /(?:^|,)agent=(\d+)/.exec(cursor ?? '') ?? [];
  if (position === undefined) throw new Error(`The cursor has no position of the agent: ${cursor}`);
  return Number(position);
}
