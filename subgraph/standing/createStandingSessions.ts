/**
 * Standing sessions: named conversations that outlive work items (spec/rest-on-tasks.md, Rows and Verbs).
 *
 * Each is a task with the ref `standing:<name>`. It runs while its task is neither ended nor paused; a stop pauses it, so that
 * a start goes on with the same conversation.
 */
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { badUserInput, FlotillaError, notFound } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';
import { formatStandingRef } from '../../schema/taskRef.ts';
import type { NewTask, TaskEngine, TaskRow } from '../engine/TaskEngine.ts';
import type { EventLog } from '../log/EventLog.ts';
import { deliver } from '../resolvers/deliveries.ts';
import { isTerminal } from '../task/index.ts';
import type { StandingDefinition, StandingStore } from './StandingStore.ts';

export type StandingVerb = 'start' | 'stop' | 'restart';

export type StandingOutcome =
  | 'started'
  | 'resumed'
  | 'already-running'
  | 'stopped'
  | 'not-running'
  | 'deleted'
  | 'failed';

/** A standing session as it is now. */
export interface StandingSession {
  readonly definition: StandingDefinition;
  /** Whether it comes from the configuration. */
  readonly declared: boolean;
  /** Its task; absent while it was never started. */
  readonly task: TaskRow | undefined;
  readonly running: boolean;
}

export interface StandingChange {
  readonly session: StandingSession;
  readonly outcome: StandingOutcome;
  /** Why it failed; else empty. */
  readonly detail: string;
}

export interface StandingSessions {
  /** By name. */
  list(): Promise<readonly StandingSession[]>;
  read(name: string): Promise<StandingSession | undefined>;
  /** @throws {FlotillaError} BAD_USER_INPUT when the name is declared or created already. */
  create(definition: StandingDefinition, options: { readonly start: boolean }): Promise<StandingChange>;
  /** @throws {FlotillaError} BAD_USER_INPUT for one that is declared, NOT_FOUND for one that there is not. */
  delete(name: string): Promise<StandingChange>;
  /** @throws {FlotillaError} NOT_FOUND when there is none of that name. */
  start(name: string): Promise<StandingChange>;
  /** @throws {FlotillaError} as `start`. */
  stop(name: string): Promise<StandingChange>;
  /** Starts those that start with the instance. What fails is an event, and keeps none of the others. */
  startAll(): Promise<void>;
}

export interface StandingOptions {
  readonly engine: Pick<TaskEngine, 'read' | 'start' | 'deliver' | 'purge'>;
  readonly store: StandingStore;
  readonly log: Pick<EventLog, 'append'>;
  readonly config: () => Pick<Config, 'standingSessions'>;
  /** The task of a session that is started, but for its ref. */
  readonly toTask: (definition: StandingDefinition) => NewTask;
  /** Who stops and starts it. */
  readonly operator: string;
}

export function createStandingSessions(options: StandingOptions): StandingSessions {
  const { engine, store, log, config, toTask, operator: participant } = options;

  const definitions = (): Pick<StandingSession, 'definition' | 'declared'>[] => {
    const declared = config().standingSessions.map((definition) => ({ definition, declared: true }));
    const names = new Set(declared.map(({ definition }) => definition.name));
    const created = store
      .list()
      .filter(({ name }) => !names.has(name))
      .map((definition) => ({ definition, declared: false }));
    return [...declared, ...created].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  };

  const withTask = async ({
    definition,
    declared,
  }: Pick<StandingSession, 'definition' | 'declared'>): Promise<StandingSession> => {
    const task = await engine.read(formatStandingRef(definition.name));
    return { definition, declared, task, running: task !== undefined && !isTerminal(task) && !task.paused };
  };

  const read = async (name: string): Promise<StandingSession | undefined> => {
    const found = definitions().find(({ definition }) => definition.name === name);
    return found && withTask(found);
  };

  const find = async (name: string): Promise<StandingSession> => {
    const session = await read(name);
    if (!session) throw notFound('standing session', name);
    return session;
  };

  const tell = (type: EventType, name: string, data: Readonly<Record<string, unknown>> = {}): void => {
    const level = type.endsWith('failed') ? 'ERROR' : 'INFO';
    log.append([
      { type, level, source: 'sessions', ref: formatStandingRef(name), data: { session: name, ...data } },
    ]);
  };

  /** The session as `change` left it, or as it is with what went wrong. */
  const attempt = async (
    name: string,
    failure: EventType,
    change: () => Promise<StandingOutcome>,
  ): Promise<StandingChange> => {
    try {
      const outcome = await change();
      return { session: await find(name), outcome, detail: '' };
    } catch (error) {
      if (!(error instanceof FlotillaError)) throw error;
      tell(failure, name, { error: error.message });
      return { session: await find(name), outcome: 'failed', detail: error.message };
    }
  };

  const start = async (name: string): Promise<StandingChange> => {
    const { definition, task, running } = await find(name);
    return attempt(name, 'standing.spawn_failed', async () => {
      if (running) return 'already-running';
      if (task && !isTerminal(task)) {
        await deliver(engine, task.ref, { kind: 'resumeRequested', participant });
        tell('standing.resumed', name);
        return 'resumed';
      }
      await engine.start({ ...toTask(definition), ref: formatStandingRef(name) });
      tell('standing.started', name);
      return 'started';
    });
  };

  const stop = async (name: string): Promise<StandingChange> => {
    const { task, running } = await find(name);
    return attempt(name, 'standing.stop_failed', async () => {
      if (!task || !running) return 'not-running';
      await deliver(engine, task.ref, { kind: 'pauseRequested', participant });
      tell('standing.stopped', name);
      return 'stopped';
    });
  };

  return {
    list: () => Promise.all(definitions().map(withTask)),
    read,
    start,
    stop,
    async create(definition, { start: isStarted }) {
      const { name } = definition;
      if (definitions().some((other) => other.definition.name === name)) {
        throw badUserInput(
          `Cannot create standing session: "${name}" is one already, another name is expected`,
        );
      }
      store.put(definition);
      tell('standing.created', name);
      return isStarted ? start(name) : { session: await find(name), outcome: 'not-running', detail: '' };
    },
    async delete(name) {
      const session = await find(name);
      if (session.declared) {
        throw badUserInput(
          `Cannot delete standing session: "${name}" is declared in the configuration, one that was created is expected`,
        );
      }
      if (session.task) await engine.purge({ id: session.task.id });
      store.delete(name);
      tell('standing.deleted', name);
      return { session: { ...session, task: undefined, running: false }, outcome: 'deleted', detail: '' };
    },
    async startAll() {
      for (const { definition } of definitions()) if (definition.autoStart) await start(definition.name);
    },
  };
}
