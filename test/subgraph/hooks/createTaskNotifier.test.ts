import { expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import { createHookRunner, type HookDefinition } from '../../../subgraph/hooks/createHookRunner.ts';
import { createTaskNotifier } from '../../../subgraph/hooks/createTaskNotifier.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { MemoryEventLog } from '../../support/MemoryEventLog.ts';
import { recordingLogger } from '../config/configDirectory.ts';

const TASK = { id: 't', name: 'Order', lifecycle: 'CONVERSATION' };

test('hooks are told of every new task and every change of state from now on, in order', async () => {
  const seen: string[] = [];
  await using notified = notify((context, { point }) => {
    seen.push(`${point} ${JSON.stringify(context)}`);
    return undefined;
  });
  const { log } = notified;
  append(log, 'task.created', { name: 'Order', state: 'SUBMITTED' });
  append(log, 'task.updated', { changed: ['plan'] });
  append(log, 'task.status', { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' });
  const told = (state: object) =>
    JSON.stringify({
      taskId: 't',
      correlationId: 't',
      attempt: 1,
      task: { ref: 'o/r#1', name: 'Order', lifecycle: 'CONVERSATION', ...state },
    });
  await expect
    .poll(() => seen)
    .toEqual([
      `task.created.pre ${told({ state: 'SUBMITTED' })}`,
      `task.created.post ${told({ state: 'SUBMITTED' })}`,
      `task.state_changed.pre ${told({ state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' })}`,
      `task.state_changed.post ${told({ state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' })}`,
    ]);
});

test('a hook that fails is logged, and the next news is told', async () => {
  let runs = 0;
  await using notified = notify(() => {
    runs += 1;
    throw new Error('broken');
  });
  const { log, lines } = notified;
  append(log, 'task.created', { name: 'Order', state: 'SUBMITTED' });
  append(log, 'task.status', { state: 'WORKING' });
  await expect.poll(() => runs).toBe(2);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[0]).toMatchObject({ level: 'warn', fields: { code: 'hook.failed', ref: 'o/r#1' } });
});

function notify(execute: HookDefinition['execute']) {
  const clock = new FakeClock();
  const log = new MemoryEventLog(clock);
  append(log, 'task.created', { name: 'Old', state: 'SUBMITTED' });
  const { logger, lines } = recordingLogger();
  const hooks = createHookRunner([{ name: 'observer', execute }], { clock, redact: createRedactor() });
  const notifier = createTaskNotifier({ log, hooks, logger, readTask: async () => TASK });
  return { log, lines, [Symbol.asyncDispose]: () => notifier[Symbol.asyncDispose]() };
}

function append(log: MemoryEventLog, type: string, data: Readonly<Record<string, unknown>>): void {
  log.append([{ type, level: 'INFO', source: 'tasks', ref: 'o/r#1', data }]);
}
