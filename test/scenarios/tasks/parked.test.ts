/** What a task costs that waits, on every host of tasks. */
import { Client, Connection } from '@temporalio/client';
import { expect } from 'vitest';
import { type Clock, systemClock } from '../../../lib/Clock.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { parsePrometheus } from '../../support/parsePrometheus.ts';
import { awaitReply, createTask, sendMessage } from '../../support/taskClient.ts';
import { hostedTest, openHosted } from '../../support/taskHosts.ts';

const TASKS = 20;

/** What a host does at intervals of its own may come and go while it is counted. */
const OWN_TIMERS = 2;

/*
 * Feature: Turns
 * Scenario: a task that waits for its next message holds no place, no timer and no call
 *   Requirement: spec/worker.md#32
 *   Given an instance, and the timers that it has without a task
 *   When twenty tasks have replied and wait
 *   Then no effect runs or waits for a place, and there are no more timers than before
 *   And where Temporal hosts them, it waits for nothing of theirs: no timer and no activity
 *   And a message still wakes one of them
 */
hostedTest('a task that waits for its next message holds no place, no timer and no call', async (host) => {
  const replies = Array.from({ length: TASKS + 1 }, () => ({ text: 'Done.' }));
  const { clock, timers } = countTimers(systemClock);
  await using instance = await openHosted(host, { model: new FakeModel(replies), clock });
  const before = timers();
  const refs = replies.slice(1).map((_, index) => ({ ref: `github:o/r#${index + 1}` }));
  for (const key of refs) await createTask(instance.url, 'hi', key);
  for (const key of refs) await awaitReply(instance.url, key, 'Done.');

  await expect.poll(() => effectsOf(instance.url), { timeout: 20_000 }).toEqual({ running: 0, waiting: 0 });
  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before + OWN_TIMERS);
  if (host === 'temporal') {
    await expect
      .poll(() => awaitedByTemporal(instance.log), { timeout: 20_000 })
      .toEqual({ tasks: TASKS, activities: 0, timers: 0 });
  }

  await sendMessage(instance.url, 'and now?', { ref: 'github:o/r#7' });
  await expect
    .poll(async () => (await awaitReply(instance.url, { ref: 'github:o/r#7' }, 'Done.')).turns)
    .toBe(2);
});

/** The same clock, and how many of its timers are set. */
function countTimers(inner: Clock): { readonly clock: Clock; readonly timers: () => number } {
  const live = new Set<object>();
  return {
    timers: () => live.size,
    clock: {
      ...inner,
      schedule(delayMs, callback) {
        const token = {};
        const timer = inner.schedule(delayMs, () => {
          live.delete(token);
          callback();
        });
        live.add(token);
        return {
          [Symbol.dispose]() {
            live.delete(token);
            timer[Symbol.dispose]();
          },
        };
      },
    },
  };
}

async function effectsOf(url: string): Promise<Readonly<Record<string, number>>> {
  const metrics = parsePrometheus(await (await fetch(`${url}/metrics`)).text());
  const samples = metrics.get('flotilla_effects')?.samples ?? [];
  return Object.fromEntries(samples.map(({ labels, value }) => [labels.phase, value]));
}

/** What the workflows of tasks that run on the server have out. The instance's log says where the server is. */
async function awaitedByTemporal(log: string) {
  const address = /127\.0\.0\.1:\d+(?=","namespace")/.exec(log)?.[0] ?? '';
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    let tasks = 0;
    let activities = 0;
    let timers = 0;
    for await (const { workflowId } of workflow.list({
      query: 'WorkflowType = "TaskWorkflow" AND ExecutionStatus = "Running"',
    })) {
      const handle = workflow.getHandle(workflowId);
      tasks += 1;
      activities += (await handle.describe()).raw.pendingActivities?.length ?? 0;
      for (const event of (await handle.fetchHistory()).events ?? []) {
        if (event.timerStartedEventAttributes) timers += 1;
        if (event.timerFiredEventAttributes || event.timerCanceledEventAttributes) timers -= 1;
      }
    }
    return { tasks, activities, timers };
  } finally {
    await connection.close();
  }
}
