/** The host's life is ended at every place where it may end; the next one must come to the same result (spec/worker.md § 13, 4). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { Journal } from '../../../../subgraph/engine/embedded/Journal.ts';
import type { TaskEngine } from '../../../../subgraph/engine/TaskEngine.ts';
import { isTerminal, replay } from '../../../../subgraph/task/index.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import {
  expectNoGap,
  Faults,
  ignoreUnavailable,
  insist,
  keepMoving,
  recordedOutcomes,
} from '../../../support/crashes.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakePerformer } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aCommand, aMessage, aNewTask, COMPLETE, callToolFirst } from '../../../support/tasks.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const REF = 'github:o/r#1';
const CALLS = ['get_order', 'refund'].map((tool) => ({ callId: tool, tool, arguments: {} }));

/** Kinds of the history of a run that nothing disturbs. */
const HISTORY = 'message, toolCall, toolResult, toolCall, toolResult, message, message, message';

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
    await expectResult(opened, performer, `write ${atWrite}`);
    if (!fault.hasHappened) return;
  }
}, 120_000);

test('a disk that fails for one write, whichever, changes nothing about the result', async () => {
  for (let atWrite = 1; ; atWrite += 1) {
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
    const keys = performer.attempts.map(({ effect }) => effect.key);
    expect(new Set(keys).size, `write ${atWrite}`).toBe(keys.length);
    await expectResult(opened, performer, `write ${atWrite}`);
    if (!fault.hasHappened) return;
  }
}, 120_000);

test('a process that is killed in the middle of its effects is followed by one that goes on', async () => {
  using directory = temporaryDirectory();
  const script = join(import.meta.dirname, '../../../support/engineProcess.ts');
  const child = spawn(process.execPath, [script, directory.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect((await readLines(child, 2)).sort()).toEqual(['get_order', 'refund']);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const performer = new FakePerformer({
    callModel: callToolFirst(),
    idempotentTools: ['get_order'],
  });
  await using opened = await openEngine({ directory: directory.path, performer });
  const results = [];
  for (const number of [1, 2]) {
    const ref = `flotilla:alpha/task#${number}`;
    await awaitParked(opened.log, ref);
    const history = await opened.engine.history(ref, { afterId: 0, limit: 10 });
    results.push(history.find(({ kind }) => kind === 'toolResult'));
  }
  expect(results).toMatchObject([
    { tool: 'get_order', text: 'done', isError: false },
    { tool: 'refund', text: expect.stringContaining('tool.outcome_unknown'), isError: true },
  ]);
  expect(performer.attemptsOf('callTool')).toHaveLength(1);
  expectNoGap(opened, 'after the kill');
});

function createPerformer(): FakePerformer {
  return new FakePerformer({ callModel: callToolFirst(...CALLS), idempotentTools: ['get_order'] });
}

/** A conversation of two messages, a command and an end; done again from the start it does only what is missing. */
async function drive({ engine, log }: OpenEngine): Promise<void> {
  await insist(() => startOnce(engine));
  await parked(engine, log, 2);
  await insist(() => engine.deliver(REF, aCommand('c1')));
  await insist(() => engine.deliver(REF, aMessage('m2')));
  await parked(engine, log, 3);
  await insist(() => engine.deliver(REF, COMPLETE));
}

async function startOnce(engine: TaskEngine): Promise<void> {
  if (await engine.read(REF)) return;
  await engine.start(aNewTask({ ref: REF }));
}

/** Waits until the task has made `turns` turns and rests. */
async function parked(engine: TaskEngine, log: OpenEngine['log'], turns: number): Promise<void> {
  for (let after = log.start(); ; ) {
    const row = await engine.read(REF);
    if (row && (isTerminal(row) || (row.turns >= turns && row.status.state === 'INPUT_REQUIRED'))) return;
    for await (const page of log.watch({ after, signal: AbortSignal.timeout(10_000) })) {
      after = page.seen;
      break;
    }
  }
}

async function expectResult(opened: OpenEngine, performer: FakePerformer, when: string): Promise<void> {
  const { engine } = opened;
  const row = await engine.read(REF);
  expect(row?.status.state, when).toBe('COMPLETED');
  expect(row?.turns, when).toBe(3);
  const history = await engine.history(REF, { afterId: 0, limit: 100 });
  expect(history.map(({ kind }) => kind).join(', '), when).toBe(HISTORY);
  const refunds = performer
    .attemptsOf('callTool')
    .filter(({ effect }) => effect.kind === 'callTool' && effect.call.tool === 'refund');
  expect(refunds.length, when).toBeLessThanOrEqual(1);
  const journal = new Journal(opened.database, opened.log);
  const replayed = replay(journal.loadInputs(journal.find(REF) ?? 0));
  expect(replayed.history, when).toEqual(history);
  expect(journal.pendingEffects({ limit: 10 }), when).toEqual([]);
  expectNoGap(opened, when);
}

async function readLines({ stdout }: ChildProcess, count: number): Promise<string[]> {
  const lines: string[] = [];
  if (!stdout) return lines;
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}
