/** The commands on a session: start, pause, resume, stop, cleanup (spec/rest-on-tasks.md, Verbs). What takes effect is recorded. */
import { badUserInput, notFound } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';
import type { NewInput, NewTask, TaskEngine, TaskRow } from '../engine/TaskEngine.ts';
import type { EventLog } from '../log/EventLog.ts';
import { refusalOf } from '../resolvers/deliveries.ts';
import { isTerminal } from '../task/index.ts';
import { CONTROL_VERBS, type ControlVerb, type WorkItemStore } from './WorkItemStore.ts';

export interface ControlOutcome {
  /** The contract's word for what was done. */
  readonly effect:
    | 'spawned'
    | 'noop'
    | 'paused'
    | 'resumed'
    | 'stopped'
    | 'cleaned'
    | 'nothing-to-clean'
    | 'rejected';
  /** Why it was not done. */
  readonly refusal?: string;
}

export interface ControlOptions {
  readonly engine: Pick<TaskEngine, 'read' | 'start' | 'deliver' | 'purge'>;
  readonly workItems: WorkItemStore;
  readonly log: Pick<EventLog, 'append'>;
  /** Who does it. */
  readonly operator: string;
  /** Whether the instance answers for the ref by its configuration. */
  readonly isDeclared: (ref: string) => boolean;
  /** The task of a declared ref that has none. */
  readonly toTask: () => NewTask;
}

/** @throws {FlotillaError} NOT_FOUND when nothing is known of the ref, BAD_USER_INPUT for another verb. */
export async function controlSession(
  ref: string,
  verb: string,
  options: ControlOptions,
): Promise<ControlOutcome> {
  const { engine, workItems, log, operator } = options;
  if (!isVerb(verb)) {
    throw badUserInput(
      `Cannot control session: "verb" is "${verb}", one of ${CONTROL_VERBS.join(', ')} is expected`,
    );
  }
  const row = await engine.read(ref);
  const outcome =
    verb === 'cleanup' ? await cleanUp(ref, row, options) : await change(ref, row, verb, options);
  const tell = (type: EventType): void => {
    const { effect, refusal: reason } = outcome;
    const data = { command: verb, actor: operator, effect, ...(reason !== undefined && { reason }) };
    log.append([{ type, level: 'INFO', source: 'sessions', ref, data }]);
  };
  if (outcome.refusal !== undefined) tell('control.rejected');
  else {
    // What was cleaned away has no last command any more.
    if (verb !== 'cleanup') workItems.recordControl(ref, { command: verb, source: 'api', actor: operator });
    tell(outcome.effect === 'cleaned' ? 'session.cleaned' : 'control.command');
  }
  return outcome;
}

function isVerb(verb: string): verb is ControlVerb {
  return CONTROL_VERBS.some((known) => known === verb);
}

async function change(
  ref: string,
  row: TaskRow | undefined,
  verb: Exclude<ControlVerb, 'cleanup'>,
  { engine, operator, isDeclared, toTask }: ControlOptions,
): Promise<ControlOutcome> {
  if (verb === 'start') {
    if (row && !isTerminal(row)) return { effect: 'noop' };
    if (isDeclared(ref)) {
      await engine.start(toTask());
      return { effect: 'spawned' };
    }
    if (row) return { effect: 'rejected', refusal: `the task is ${row.status.state}` };
  }
  if (!row) throw notFound('session', ref);
  const { kind, effect } = INPUTS[verb as keyof typeof INPUTS];
  const refusal = refusalOf(await engine.deliver({ id: row.id }, { kind, participant: operator }));
  return refusal ? { effect: 'rejected', refusal: refusal.reason } : { effect };
}

const INPUTS = {
  pause: { kind: 'pauseRequested', effect: 'paused' },
  resume: { kind: 'resumeRequested', effect: 'resumed' },
  stop: { kind: 'cancelRequested', effect: 'stopped' },
} as const satisfies Partial<
  Record<ControlVerb, { readonly kind: NewInput['kind']; readonly effect: ControlOutcome['effect'] }>
>;

/** Only what has ended is cleaned away. */
async function cleanUp(
  ref: string,
  row: TaskRow | undefined,
  { engine, workItems }: ControlOptions,
): Promise<ControlOutcome> {
  if (row && !isTerminal(row)) {
    return { effect: 'rejected', refusal: `the task is ${row.status.state}: stop it first` };
  }
  if (row) await engine.purge({ id: row.id });
  const isForgotten = workItems.forget(ref);
  return { effect: row || isForgotten ? 'cleaned' : 'nothing-to-clean' };
}
