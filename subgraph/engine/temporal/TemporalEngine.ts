/**
 * The task core's host on Temporal: each task is a workflow, and its history is the journal (design § 6).
 *
 * What the instance shows (lists, reads, the event log) lies in its own state file, which takes in what the workflows
 * publish. A task begins there, because its ref is the instance's to give; from then on the workflow counts. What one of
 * the two has lost is mended from the other.
 */
import { Worker as TemporalWorker, type Worker, type WorkflowBundle } from '@temporalio/worker';
import { redactDeep } from '../../../lib/redact.ts';
import { FlotillaError, notFound } from '../../../schema/errors.ts';
import { assertOutsideRef } from '../assertOutsideRef.ts';
import { type EngineOptions, needsIntake } from '../EngineOptions.ts';
import { CommitQueue } from '../embedded/CommitQueue.ts';
import { createTaskReader, type TaskReader } from '../embedded/TaskReader.ts';
import { assertTakesInputs, hostStopping } from '../endReasons.ts';
import { createAttemptRecorder } from '../recordFailedAttempts.ts';
import { toRetryPolicy } from '../retryPolicy.ts';
import type {
  Delivery,
  EngineStats,
  NewInput,
  NewTask,
  Schedule,
  TaskAddress,
  TaskEngine,
  TaskFork,
  TaskRow,
} from '../TaskEngine.ts';
import { takeTraced } from '../takeTraced.ts';
import { tellOfPurge } from '../tellOfPurge.ts';
import { toTaskRow } from '../toTaskRow.ts';
import { AttemptRunner } from './AttemptRunner.ts';
import type { Cluster } from './Cluster.ts';
import { ClusterWatch } from './ClusterWatch.ts';
import { createActivities } from './createActivities.ts';
import { explainFailure } from './explainFailure.ts';
import type { TaskWorkflowOptions } from './protocol.ts';
import { takeQueue } from './QueueLease.ts';
import { TaskInboxes } from './TaskInboxes.ts';
import { TaskReplica } from './TaskReplica.ts';
import { TaskWorkflows } from './TaskWorkflows.ts';
import { TemporalSchedules } from './TemporalSchedules.ts';

/** How many attempts run at once in one instance. */
const MAX_RUNNING_ATTEMPTS = 256;

/** Parked tasks that a worker keeps for quick answers; the others are read again from their histories. */
const CACHED_WORKFLOWS = 100;

const CALL_TIMEOUT_MS = 15_000;

/** How long a stop waits for inputs that are under way, and then for attempts that are slow to end, in milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

export interface TemporalEngineOptions extends EngineOptions {
  /** Stays connected longer than the engine. */
  readonly cluster: Cluster;
  /** The instance's own. On a shared namespace a second instance that wants it is refused. */
  readonly taskQueue: string;
  readonly workflowBundle: WorkflowBundle;
  readonly workflow: TaskWorkflowOptions;
  /** Whether other instances have their tasks in the namespace too. */
  readonly sharesNamespace: boolean;
  /** Where the payloads lie that are too large for Temporal's histories; the data converter of `cluster` writes them. */
  readonly payloadDirectory: string;
  /** How long Temporal may take to take an input, in milliseconds; then it is UNAVAILABLE. @default 15_000 */
  readonly callTimeoutMs?: number;
}

/**
 * Opens the host, starts what was left without a workflow, and takes work from the queue.
 *
 * @throws {FlotillaError} CONFLICT when another instance has the queue.
 */
export async function createTemporalEngine(options: TemporalEngineOptions): Promise<TaskEngine> {
  const engine = new TemporalEngine(options);
  try {
    await engine.open();
  } catch (error) {
    await engine[Symbol.asyncDispose]();
    throw error;
  }
  return engine;
}

class TemporalEngine implements TaskEngine {
  readonly #options: TemporalEngineOptions;
  readonly #replica: TaskReplica;
  readonly #reader: TaskReader;
  /** What is written beside the steps. */
  readonly #notes: CommitQueue;
  readonly #runner: AttemptRunner;
  readonly #workflows: TaskWorkflows;
  readonly #inboxes: TaskInboxes;
  readonly #schedules: TemporalSchedules;
  #worker: { readonly worker: Worker; readonly done: Promise<void> } | undefined;
  /** Aborts when the host stops. */
  readonly #stopping = new AbortController();
  #lease: AsyncDisposable | undefined;
  #watch: ClusterWatch | undefined;
  /** Why this process will take in nothing more. */
  #end: string | undefined;

  constructor(options: TemporalEngineOptions) {
    const { cluster, database, log, performer, hooks, clock, ids, logger, tracer, retries } = options;
    this.#options = options;
    this.#replica = new TaskReplica({ ...options, needsIntake: () => needsIntake(options) });
    this.#reader = createTaskReader(database);
    this.#notes = new CommitQueue({ database, onRollback: () => {} });
    this.#runner = new AttemptRunner({
      engine: this,
      performer,
      hooks,
      clock,
      ids,
      logger,
      tracer,
      recordFailed: createAttemptRecorder({ queue: this.#notes, journal: this.#replica, log, logger }),
      policyOf: (effect, isIdempotent) => toRetryPolicy(retries(), effect, isIdempotent),
    });
    this.#schedules = new TemporalSchedules(options);
    const { callTimeoutMs = CALL_TIMEOUT_MS } = options;
    this.#workflows = new TaskWorkflows({ ...options, replica: this.#replica, callTimeoutMs });
    this.#inboxes = new TaskInboxes({
      client: cluster.client,
      clock,
      ids,
      callTimeoutMs,
      revive: (taskId) => this.#workflows.ensure(taskId),
    });
  }

  async open(): Promise<void> {
    const { cluster, database, clock, logger, taskQueue, workflowBundle, sharesNamespace } = this.#options;
    const { redact, scheduled = async () => ({}) } = this.#options;
    const activities = createActivities({
      replica: this.#replica,
      runner: this.#runner,
      inboxes: this.#inboxes,
      logger,
      redact,
      runScheduled: async (id, signal) => {
        const result = await scheduled(id, { engine: this, signal });
        this.#workflows.sweepPayloads();
        return result;
      },
    });
    if (sharesNamespace) {
      const onLost = (owner: string) => this.#loseQueue(owner);
      const lease = { cluster, taskQueue, statePath: database.path, clock, logger, onLost };
      this.#lease = await explained(takeQueue(lease));
    }
    const worker = await TemporalWorker.create({
      connection: cluster.connection,
      namespace: cluster.namespace,
      dataConverter: cluster.dataConverter,
      identity: cluster.identity,
      taskQueue,
      workflowBundle,
      activities: { ...activities },
      maxConcurrentActivityTaskExecutions: MAX_RUNNING_ATTEMPTS,
      maxCachedWorkflows: CACHED_WORKFLOWS,
      shutdownGraceTime: 0,
      shutdownForceTime: STOP_TIMEOUT_MS,
    });
    const done = worker.run().catch((error: unknown) => {
      logger.error({ err: error }, "Temporal's worker has ended");
      this.#end ??= "Temporal's worker has ended; a restart of the instance is expected";
    });
    this.#worker = { worker, done };
    // Before anything is created: a number that a lost state file had given out is not given out again.
    if (this.#replica.isEmpty) await this.#workflows.restoreAll();
    this.#workflows.recover();
    this.#workflows.sweepPayloads();
    // A server in memory has lost the workflows; the others have what was not started meanwhile to catch up with.
    const onBack = () => this.#workflows.recover();
    this.#watch = new ClusterWatch({ cluster, clock, logger, onBack });
  }

  impediment(): string | undefined {
    if (this.#end !== undefined) return this.#end;
    return this.#watch?.answers === false ? 'Temporal does not answer' : undefined;
  }

  async start(task: NewTask): Promise<Delivery> {
    assertOutsideRef(task.ref);
    return takeTraced(this.#options, task, (traced) => this.#begin(() => this.#replica.create(traced)));
  }

  async fork(ref: string, version: number, fork: TaskFork = {}): Promise<Delivery> {
    assertOutsideRef(fork.ref);
    return takeTraced(this.#options, fork, (traced) =>
      this.#begin(() => this.#replica.fork(ref, version, traced)),
    );
  }

  async deliver(task: TaskAddress, input: NewInput): Promise<Delivery> {
    return takeTraced(this.#options, input, (traced) => this.#deliver(task, traced));
  }

  async #deliver(task: TaskAddress, input: NewInput): Promise<Delivery> {
    this.#assertOpen();
    const place = this.#replica.find(task);
    if (!place) throw notFound('task', typeof task === 'string' ? task : task.id);
    if ('messageId' in input && this.#replica.hasMessage(place, input.messageId)) {
      return this.#replica.toUnchanged(place, true);
    }
    const { id } = place.state;
    const prepared = this.#prepare(input);
    const receipt = await this.#inboxes.send(id, prepared);
    if (receipt.kind === 'applied' && receipt.delivery) return receipt.delivery;
    const now = this.#replica.find({ id }) ?? place;
    if (receipt.kind === 'ended') return this.#replica.applyToEnded(now, prepared);
    return this.#replica.toUnchanged(now, receipt.kind === 'duplicate');
  }

  readonly isOn: TaskReader['isOn'] = (task, participant) => this.#reader.isOn(task, participant);
  readonly read: TaskReader['read'] = (ref) => this.#reader.read(ref);
  readonly readMany: TaskReader['readMany'] = (refs) => this.#reader.readMany(refs);
  readonly list: TaskReader['list'] = (query) => this.#reader.list(query);
  readonly count: TaskReader['count'] = (filter, atMost) => this.#reader.count(filter, atMost);
  readonly history: TaskReader['history'] = (ref, query) => this.#reader.history(ref, query);
  readonly openRefs: TaskReader['openRefs'] = () => this.#reader.openRefs();

  readonly inboxAudit: TaskReader['inboxAudit'] = (ref, query) => this.#reader.inboxAudit(ref, query);

  stats(): EngineStats {
    return {
      tasks: this.#reader.countByState(),
      effects: { running: this.#runner.running, waiting: 0 },
      commits: this.#replica.commits,
    };
  }

  async readAt(ref: string, version: number): Promise<TaskRow> {
    return toTaskRow(this.#replica.readAt(ref, version));
  }

  async purge(task: TaskAddress): Promise<boolean> {
    this.#assertOpen();
    const place = this.#replica.find(task);
    if (!place) return false;
    const { id } = place.state;
    await tellOfPurge(this, { id });
    // Before the rest, so that nothing more is published.
    await explained(this.#workflows.terminate(id));
    const keys = this.#replica.purge({ id });
    for (const key of keys ?? []) this.#runner.abandon(key);
    await this.#workflows.removePayloads(id);
    return keys !== undefined;
  }

  schedules(): Promise<readonly Schedule[]> {
    return explained(this.#schedules.list());
  }

  ensureSchedule({ id, intervalMs }: { readonly id: string; readonly intervalMs: number }): Promise<boolean> {
    return explained(this.#schedules.ensure(id, intervalMs));
  }

  deleteSchedule(id: string): Promise<boolean> {
    return explained(this.#schedules.delete(id));
  }

  /** Ends what runs, which Temporal hands out again at the next start, and answers what was taken in before. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(hostStopping());
    await this.#watch?.[Symbol.asyncDispose]();
    await this.#drain();
    await this.#workflows[Symbol.asyncDispose]();
    await this.#stopWorker();
    await this.#notes.drain();
    // At the very end: whoever has the queue next must be alone on it.
    await this.#lease?.[Symbol.asyncDispose]();
  }

  async #stopWorker(): Promise<void> {
    if (!this.#worker) return;
    const { worker, done } = this.#worker;
    // Nothing new is taken before what runs is ended: it would be handed out to us again.
    if (worker.getState() === 'RUNNING') worker.shutdown();
    this.#runner.stop();
    await done;
  }

  /** After a silence that was longer than the lease: what is in the state file may be old by now. */
  #loseQueue(owner: string): void {
    const { logger, taskQueue } = this.#options;
    this.#end = `The instance at ${owner} has the task queue now`;
    logger.error(
      { taskQueue, owner },
      'Another instance has the task queue now; this one takes nothing more',
    );
    void this.#stopWorker();
  }

  /** A cluster that does not answer does not hold the stop up. */
  async #drain(): Promise<void> {
    const { promise: isOver, resolve: giveUp } = Promise.withResolvers<void>();
    using _timer = this.#options.clock.schedule(STOP_TIMEOUT_MS, giveUp);
    await Promise.race([this.#inboxes.drain(), isOver]);
  }

  async #begin(create: () => Delivery): Promise<Delivery> {
    this.#assertOpen();
    try {
      const delivery = create();
      await this.#workflows.ensure(delivery.state.id);
      return delivery;
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /** As the workflow and its history get it. */
  #prepare(input: NewInput): NewInput {
    const { redact } = this.#options;
    const judged =
      input.kind === 'messageReceived' && needsIntake(this.#options)
        ? { ...input, needsIntake: true as const }
        : input;
    return redact ? (redactDeep(judged, redact) as NewInput) : judged;
  }

  #assertOpen(): void {
    assertTakesInputs(this.#stopping.signal);
    if (this.#end !== undefined) {
      throw new FlotillaError(
        'UNAVAILABLE',
        `Cannot take the input: ${this.#end}, one that works is expected`,
        { details: { reason: 'temporal.stopped' } },
      );
    }
  }
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explainFailure(error);
  }
}
