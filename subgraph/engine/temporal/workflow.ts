/**
 * The workflow that hosts one task: Temporal's history is the journal (design § 6, conventions § 4).
 *
 * Inputs wait in one queue. What has arrived is taken at once: each input is stepped, the instance publishes them all,
 * and only then are the senders answered and the effects started. So nothing is visible before it is durable, and the
 * events of a step are in the log before its effects start.
 *
 * This file runs in Temporal's sandbox: of ours it may import the core and types.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { HostedTask } from './HostedTask.ts';
import {
  type AddressedInput,
  type AppliedInput,
  type AttemptAnswer,
  type DeliverAnswer,
  HOST_STOPPED,
  type PendingAttempt,
  SEARCH_ATTRIBUTES,
  type TaskActivities,
  type TaskSnapshot,
  type TaskWorkflowOptions,
  type UntimedInput,
} from './protocol.ts';

/** Updates of one run; the server's own limit is 2,000. */
const MAX_UPDATES = 1_500;

/** Wait behind an attempt that was lost, in milliseconds. */
const LOST_WAIT_MS = 1_000;

const deliver = defineUpdate<readonly DeliverAnswer[], [readonly AddressedInput[]]>('deliver');
const tell = defineSignal<[UntimedInput]>('tell');
const snapshot = defineQuery<TaskSnapshot>('snapshot');

const stateKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.state, SearchAttributeType.KEYWORD);

interface Waiting extends Partial<AddressedInput> {
  readonly input: UntimedInput;
  readonly answer: (answer: DeliverAnswer) => void;
}

/**
 * Ends when the task has ended and none of its effects is out; until then it may go on in a new run. A cancellation by
 * Temporal's own tools does nothing: whether a task may be cancelled is the core's to say.
 */
export async function TaskWorkflow(start: TaskSnapshot, options: TaskWorkflowOptions): Promise<void> {
  await CancellationScope.nonCancellable(() => new TaskHost(start, options).run());
}

class TaskHost {
  readonly #task: HostedTask;
  readonly #options: TaskWorkflowOptions;
  readonly #copy: Pick<TaskActivities, 'publish' | 'restore'>;
  readonly #hands: Pick<TaskActivities, 'attempt'>;
  #queue: Waiting[] = [];
  #updates = 0;
  /** Attempts that are out or wait for their time, by the key of their effect. */
  readonly #running = new Map<string, CancellationScope>();

  constructor(start: TaskSnapshot, options: TaskWorkflowOptions) {
    this.#task = new HostedTask(start);
    this.#options = options;
    // No local activities: they run before the history has the inputs, and what the instance shows must not be undone.
    this.#copy = proxyActivities<TaskActivities>({
      startToCloseTimeout: '1 minute',
      retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
    });
    this.#hands = proxyActivities<TaskActivities>({
      startToCloseTimeout: options.attemptTimeoutMs,
      heartbeatTimeout: options.heartbeatTimeoutMs,
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      // The task's own policy counts the attempts.
      retry: { maximumAttempts: 1 },
    });
  }

  async run(): Promise<void> {
    setHandler(snapshot, () => this.#task.snapshot());
    setHandler(tell, (input) => {
      this.#queue.push({ input, answer: () => {} });
    });
    setHandler(deliver, (inputs) => {
      this.#updates += 1;
      return Promise.all(inputs.map((addressed) => this.#enqueue(addressed)));
    });
    for (;;) {
      this.#startPending();
      await condition(() => this.#queue.length > 0 || this.#isAtRest);
      if (this.#queue.length > 0) await this.#takeWhatWaits();
      else {
        await condition(allHandlersFinished);
        if (this.#queue.length > 0) continue;
        if (this.#task.isOver) return;
        await continueAsNew<typeof TaskWorkflow>(this.#task.snapshot(), this.#options);
      }
    }
  }

  /** Nothing is left to do in this run. */
  get #isAtRest(): boolean {
    return this.#running.size === 0 && (this.#task.isOver || this.#isFull);
  }

  /** The run is long enough; a new one goes on as soon as no attempt is out. */
  get #isFull(): boolean {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return (
      continueAsNewSuggested ||
      historyLength >= this.#options.maxHistoryEvents ||
      this.#updates >= MAX_UPDATES
    );
  }

  #enqueue(addressed: AddressedInput): Promise<DeliverAnswer> {
    return new Promise((answer) => this.#queue.push({ ...addressed, answer }));
  }

  async #takeWhatWaits(): Promise<void> {
    const before = this.#task.snapshot();
    const taken = this.#queue;
    this.#queue = [];
    const published: AppliedInput[] = [];
    const answers = taken.map(({ input, deliveryId, answer }) => {
      const applied = this.#task.apply(input, Date.now());
      if (!applied) return () => answer('duplicate');
      published.push({ version: this.#task.state.version, input: applied.input, deliveryId });
      for (const key of applied.abandoned) this.#running.get(key)?.cancel();
      return () => answer('applied');
    });
    if (published.length > 0) await this.#publish(before, published);
    for (const answer of answers) answer();
  }

  async #publish(before: TaskSnapshot, inputs: readonly AppliedInput[]): Promise<void> {
    this.#showState(before);
    const { id } = before.state;
    const answer = await this.#copy.publish(id, inputs);
    if (answer.kind === 'published') return;
    await this.#copy.restore(before);
    await this.#copy.publish(id, inputs);
  }

  #showState(before: TaskSnapshot): void {
    const { state } = this.#task.state.status;
    if (!this.#options.usesSearchAttributes || state === before.state.status.state) return;
    upsertSearchAttributes([{ key: stateKey, value: state }]);
  }

  #startPending(): void {
    if (this.#isFull) return;
    for (const { effect } of this.#task.pending) {
      if (!this.#running.has(effect.key)) this.#start(effect.key);
    }
  }

  #start(key: string): void {
    const scope = new CancellationScope();
    this.#running.set(key, scope);
    scope
      .run(() => this.#perform(key))
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
        return undefined;
      })
      .then((input) => {
        this.#running.delete(key);
        if (input) this.#queue.push({ input, answer: () => {} });
      });
  }

  /** The outcome; undefined when there is none: the effect was abandoned, or the next run goes on with it. */
  async #perform(key: string): Promise<UntimedInput | undefined> {
    for (;;) {
      const pending = this.#task.attemptOf(key);
      if (!pending) return undefined;
      const waitMs = pending.notBeforeMs - Date.now();
      if (waitMs > 0 && (await condition(() => this.#isFull, waitMs))) return undefined;
      const answer = await this.#attempt(pending);
      if (answer.kind === 'settled') return answer.input;
      if (answer.kind === 'dropped') return undefined;
      this.#task.note(answer.next);
    }
  }

  async #attempt(
    pending: PendingAttempt,
  ): Promise<
    Exclude<AttemptAnswer, { kind: 'again' }> | { readonly kind: 'again'; readonly next: PendingAttempt }
  > {
    const { lostAttempt: _told, ...rest } = pending;
    const { attempt } = pending;
    try {
      const answer = await this.#hands.attempt(this.#task.state.id, pending);
      if (answer.kind !== 'again') return answer;
      const { waitMs, policy } = answer;
      const notBeforeMs = Date.now() + waitMs;
      return {
        kind: 'again',
        next: { ...rest, attempt: attempt + 1, isLost: false, notBeforeMs, policy },
      };
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      // A stop is nobody's failure: it costs no attempt. A crash may be the attempt's own doing.
      const isStop = error.cause instanceof ApplicationFailure && error.cause.type === HOST_STOPPED;
      if (isStop) return { kind: 'again', next: { ...rest, isLost: true } };
      const notBeforeMs = Date.now() + LOST_WAIT_MS;
      const lost = { isLost: true, lostAttempt: attempt };
      return { kind: 'again', next: { ...rest, ...lost, attempt: attempt + 1, notBeforeMs } };
    }
  }
}
