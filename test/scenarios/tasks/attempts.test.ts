/** Attempts that do not come to an end by themselves, on every host of tasks. */
import { expect } from 'vitest';
import { type Clock, systemClock } from '../../../lib/Clock.ts';
import type { ToolDefinition } from '../../../server/index.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { eventsOf } from '../../support/taskAccount.ts';
import { awaitReply, createTask, readTask } from '../../support/taskClient.ts';
import { hostedTest, openHosted } from '../../support/taskHosts.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };

/** How long a tool may take (spec/worker.md § 3.2), in milliseconds. */
const TOOL_TIMEOUT_MS = 300_000;

/*
 * Feature: Attempts
 * Scenario: a tool that hangs in a living process is given up in time, called again, and the attempt is on record
 *   Requirement: spec/worker.md#38
 *   Given an idempotent tool whose first call never ends and heeds no signal, and an agent that calls it
 *   When the five minutes of a tool call have passed
 *   Then the tool is called a second time, and the task replies, with one result in its conversation
 *   And the model was asked twice
 *   And the log has one attempt that has failed, the first one: it has timed out, and another one followed
 *   And when the first call ends at last, nothing comes of it
 */
hostedTest(
  'a tool that hangs in a living process is given up in time, called again, and the attempt is on record',
  async (host) => {
    const late = Promise.withResolvers<void>();
    let calls = 0;
    const tool: ToolDefinition = {
      name: 'get_order',
      description: 'Finds an order.',
      inputSchema: { type: 'object' },
      isIdempotent: true,
      async run() {
        calls += 1;
        if (calls === 1) await late.promise;
        return { text: calls === 1 ? 'too late' : 'paid', isError: false };
      },
    };
    const model = new FakeModel([
      { toolCalls: [{ tool: 'get_order', arguments: {} }] },
      { text: 'It is paid.' },
    ]);
    await using instance = await openHosted(host, {
      model,
      tools: [tool],
      clock: hurryPast(TOOL_TIMEOUT_MS),
      config: { retries: { default: { initialIntervalSeconds: 0.01 } } },
    });
    await createTask(instance.url, 'Is it paid?', KEY);
    const replied = await awaitReply(instance.url, KEY, 'It is paid.');
    expect(replied.turns).toBe(2);
    expect(calls).toBe(2);
    expect(model.requests).toHaveLength(2);
    const events = await eventsOf(instance.url, REF);
    expect(events.filter(({ type }) => type === 'task.attemptFailed')).toMatchObject([
      {
        data: {
          effect: 'callTool',
          tool: 'get_order',
          attempt: 1,
          code: 'tool.timed_out',
          retryInMs: expect.any(Number),
        },
      },
    ]);
    expect(events.filter(({ type }) => type === 'task.toolReturned')).toMatchObject([
      { data: { isError: false } },
    ]);

    late.resolve();
    await late.promise;
    expect(await readTask(instance.url, KEY)).toEqual(replied);
    expect(await eventsOf(instance.url, REF)).toEqual(events);
  },
);

/** The system's clock, on which a wait of this length is over soon. */
function hurryPast(waitMs: number): Clock {
  return {
    ...systemClock,
    schedule: (delayMs, callback) => systemClock.schedule(delayMs === waitMs ? 100 : delayMs, callback),
  };
}
