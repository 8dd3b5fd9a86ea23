/** The whole core under the same ends as `crash.test.ts`: sub-tasks, a question, a command that changes the task (spec/worker.md § 13, 4). */
import { expect, test } from 'vitest';
import { Journal } from '../../../../subgraph/engine/embedded/Journal.ts';
import type { TaskRow } from '../../../../subgraph/engine/TaskEngine.ts';
import { isTerminal, type TaskState } from '../../../../subgraph/task/index.ts';
import { awaitEvent } from '../../../support/awaitEvent.ts';
import {
  expectNoGap,
  Faults,
  ignoreUnavailable,
  insist,
  keepMoving,
  recordedOutcomes,
} from '../../../support/crashes.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { commandOutcome, FakePerformer, modelReply } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aCommand, aMessage, aNewTask, COMPLETE } from '../../../support/tasks.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const REF = 'github:o/r#1';

/** The parent's turns; a sub-task looks an order up and says so. */
const TURNS = [
  { tool: 'spawn_subtask', arguments: { name: 'Order', goal: 'Find the order' } },
  'I wait',
  { tool: 'ask_participant', arguments: { participant_id: 'alice', question: 'Which one?' } },
  'thank you',
] as const;

test('a process that dies at any write is followed by one that comes to the same result', async () => {
  for (let atWrite = 1; ; atWrite += 1) {
    using directory = temporaryDirectory();
    const performer = createPerformer();
    const fault = new Faults({ atWrite, afterwards: 'dead' });
    {
      await using opened = await openEngine({
        directory: directory.path,
        performer,
        clock: new FakeClock(),
        wrap: fault.wrap,
      });
      await Promise.race([fault.happened, drive(opened).catch(ignoreUnavailable)]);
    }
    await using opened = await openEngine({ directory: directory.path, performer, clock: new FakeClock() });
    const recorded = recordedOutcomes(opened);
    const before = performer.attempts.length;
    await drive(opened);
    const repeated = performer.attempts.slice(before).filter(({ effect }) => recorded.has(effect.key));
    expect(repeated, `write ${atWrite}`).toEqual([]);
    await expectResult(opened, `write ${atWrite}`);
    if (!fault.hasHappened) return;
  }
}, 240_000);

test('a disk that fails for one write, whichever, changes nothing about the result', async () => {
  for (let atWrite = 1; ; atWrite += 3) {
    const performer = createPerformer();
    const fault = new Faults({ atWrite, afterwards: 'works' });
    const clock = new FakeClock();
    await using opened = await openEngine({ performer, clock, wrap: fault.wrap });
    const pump = new AbortController();
    const pumping = keepMoving(clock, pump.signal);
    await drive(opened);
    pump.abort();
    clock.schedule(0, () => {});
    await pumping;
    await expectResult(opened, `write ${atWrite}`);
    if (!fault.hasHappened) return;
  }
}, 240_000);

function createPerformer(): FakePerformer {
  return new FakePerformer({
    callModel: (effect, { state }) => modelReply(effect, turnOf(state)),
    runCommand: (effect) =>
      commandOutcome(effect, {
        kind: 'intents',
        intents: [
          { kind: 'settings', model: 'm2' },
          { kind: 'spawn' },
          { kind: 'reply', text: 'Started {child.1}' },
        ],
      }),
    idempotentTools: ['get_order'],
  });
}

function turnOf({ parent, turns }: TaskState): Parameters<typeof modelReply>[1] {
  const turn = parent ? [{ tool: 'get_order', arguments: {} }, 'found'][turns] : TURNS[turns];
  if (turn === undefined || typeof turn === 'string') return { text: turn ?? '' };
  return { toolCalls: [{ callId: `call-${turns}`, ...turn }] };
}

/** Done again from the start it does only what is missing. */
async function drive(opened: OpenEngine): Promise<void> {
  const { engine } = opened;
  await insist(() => engine.start(aNewTask({ ref: REF, creationId: 'creation-1' })));
  await until(opened, (row) => row.turns >= 3 && row.status.state === 'INPUT_REQUIRED');
  await insist(() => engine.deliver(REF, aMessage('answer', 'The first one')));
  await until(opened, (row) => row.turns >= 4 && row.status.state === 'INPUT_REQUIRED');
  const children = await runCommand(opened);
  await insist(() => engine.deliver({ id: children[1]?.id ?? '' }, COMPLETE));
  await until(opened, (row) => row.children?.[1]?.state === 'COMPLETED');
  await insist(() => engine.deliver(REF, COMPLETE));
}

/** A command in flight at an end is answered with an unknown outcome and not run again; whoever sent it then sends another. */
async function runCommand(opened: OpenEngine): Promise<NonNullable<TaskRow['children']>> {
  const { engine, log } = opened;
  for (let number = 1; ; number += 1) {
    await insist(() => engine.deliver(REF, aCommand(`c${number}`)));
    const data = { messageId: `c${number}` };
    await awaitEvent(log, { type: 'task.commandReplied', ref: REF, data });
    const row = await engine.read(REF);
    if (row?.children?.[1]) return row.children;
  }
}

/** Waits until the task is as it should be, or has ended. */
async function until({ engine, log }: OpenEngine, isThere: (row: TaskRow) => boolean): Promise<TaskRow> {
  for (let after = log.start(); ; ) {
    const row = await engine.read(REF);
    if (row && (isTerminal(row) || isThere(row))) return row;
    for await (const page of log.watch({ after, signal: AbortSignal.timeout(10_000) })) {
      after = page.seen;
      break;
    }
  }
}

async function expectResult(opened: OpenEngine, when: string): Promise<void> {
  const { engine } = opened;
  const rows = await engine.list({ limit: 10, order: 'CREATED_AT_ASC' });
  expect(
    rows.map(({ lifecycle, status, depth = 0 }) => `${lifecycle} ${depth} ${status.state}`).sort(),
    when,
  ).toEqual(['CONVERSATION 0 COMPLETED', 'CONVERSATION 1 COMPLETED', 'DELEGATED 1 COMPLETED']);
  const row = await engine.read(REF);
  expect(row, when).toMatchObject({ turns: 4, settings: { model: 'm2' }, lastReply: 'thank you' });
  expect(row?.question, when).toBeUndefined();
  const history = await engine.history(REF, { afterId: 0, limit: 100 });
  const shape = history.map((entry) => (entry.kind === 'message' ? entry.role : entry.kind)).join(', ');
  // The sub-task may be done before its parent has said that it waits.
  expect(shape, when).toMatch(
    /^USER, toolCall, toolResult, (?:ASSISTANT, NOTE|NOTE, ASSISTANT), toolCall, toolResult, USER, ASSISTANT(?:, NOTE)*$/,
  );
  expect(new Journal(opened.database, opened.log).pendingEffects({ limit: 10 }), when).toEqual([]);
  expectNoGap(opened, when);
}
