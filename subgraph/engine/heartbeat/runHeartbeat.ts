/** One tick of the heartbeat, whatever hosts the tasks: pull channels, a look at the tasks, old records (spec/worker.md § 9.1). */
import { FlotillaError } from '../../../schema/errors.ts';
import { toTextInput } from '../../commands/toTextInput.ts';
import type { HookRunner } from '../../hooks/HookRunner.ts';
import { A2A_STATES, isTerminal, isTerminalState } from '../../task/index.ts';
import type { TaskEngine, TaskRow } from '../TaskEngine.ts';
import type { ChannelSource, PulledMessage } from './ChannelSource.ts';
import type { HeldTasks } from './createHeldTasks.ts';

/** Messages that one tick forwards; the others wait for the next one. */
const MAX_FORWARDED = 1_000;

/** Tasks that hooks are shown, those that changed last. */
const MAX_SHOWN = 1_000;

const OPEN_STATES = A2A_STATES.filter((state) => !isTerminalState(state));

/** How many records of each kind were too old. */
export type SweepResult = Readonly<Record<'tasks' | 'inboxAudit' | 'channelMessages', number>>;

export interface HeartbeatResult {
  /** Messages that tasks have taken. */
  readonly forwarded: number;
  /** Tasks that go on because the budget of the instance allows more. */
  readonly released: number;
  /** Open tasks. */
  readonly tasks: number;
  readonly deleted: SweepResult;
}

export interface HeartbeatParts {
  readonly engine: Pick<TaskEngine, 'deliver' | 'list' | 'openRefs' | 'stats'>;
  readonly channels: readonly ChannelSource[];
  readonly hooks: HookRunner;
  readonly sweep: (signal: AbortSignal) => Promise<SweepResult>;
  readonly held: Pick<HeldTasks, 'release'>;
  readonly signal: AbortSignal;
}

/** @throws when a part fails, such as a hook: the tick has failed, and what it has not done is left to the next one. */
export async function runHeartbeat(parts: HeartbeatParts): Promise<HeartbeatResult> {
  const { engine, channels, hooks, sweep, held, signal } = parts;
  let forwarded = 0;
  for (const channel of channels) forwarded += await forward(channel, parts);
  const released = await held.release(engine, signal);
  if (hooks.has('heartbeat.tick', 'pre')) {
    const rows = await engine.list({ limit: MAX_SHOWN, order: 'UPDATED_AT_DESC', states: OPEN_STATES });
    const told = await hooks.run(
      'heartbeat.tick',
      'pre',
      { attempt: 1, forwarded, tasks: rows.map(toFacts) },
      { signal },
    );
    if ('abort' in told) throw new Error(`A hook has ended the tick: ${told.abort.message}`);
  }
  return { forwarded, released, tasks: await countOpen(engine), deleted: await sweep(signal) };
}

/** A message whose task is gone or has ended stays recorded, and is not counted. */
async function forward(channel: ChannelSource, { engine, signal }: HeartbeatParts): Promise<number> {
  let forwarded = 0;
  for (const message of await channel.waiting(MAX_FORWARDED, { signal })) {
    signal.throwIfAborted();
    const isTaken = await deliver(engine, message);
    await channel.settle(message, isTaken ? 'forwarded' : 'undeliverable');
    if (isTaken) forwarded += 1;
  }
  return forwarded;
}

/** Also a message that the task refuses, has had before or ends with has reached it; one that comes after its end has not. */
async function deliver(
  engine: HeartbeatParts['engine'],
  { taskId, messageId, participant, text, channel }: PulledMessage,
): Promise<boolean> {
  try {
    const input = toTextInput({ messageId, participant, text, channel });
    const { state, events } = await engine.deliver({ id: taskId }, input);
    return !isTerminal(state) || !events.some(({ type }) => type === 'task.inputRefused');
  } catch (error) {
    if (error instanceof FlotillaError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

async function countOpen(engine: HeartbeatParts['engine']): Promise<number> {
  const counts = engine.stats?.().tasks;
  if (!counts) return (await engine.openRefs()).length;
  return OPEN_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

function toFacts({ id, ref, name, lifecycle, status: { state, subState } }: TaskRow) {
  return { id, ref, name, lifecycle, state, ...(subState !== undefined && { subState }) };
}
