/**
 * A fleet that is only data: tasks of a few instances, one event log each, and an agent that answers at once.
 *
 * It says what a manager would say to a dashboard; it has no durability, no models and no members.
 */

export interface MockTask {
  instance: string;
  ref: string;
  id: string;
  state: string;
  subState: string | null;
  name: string;
  goal: string;
  lastReply: string | null;
  statusMessage: string | null;
  paused: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
  history: Record<string, unknown>[];
  plan: { steps: Record<string, unknown>[] } | null;
  budget: Record<string, number | null> | null;
  question: { participant: string; text: string; options: string[]; messageId: string } | null;
  origin: { ref: string; version: number } | null;
  /** Ref of the task that it is a part of. */
  parentRef: string | null;
}

export interface MockEvent {
  readonly cursor: string;
  readonly instance: string;
  readonly offset: number;
  readonly type: string;
  readonly at: string;
  readonly ref: string | null;
  readonly data: unknown;
}

export class MockFleet {
  /** The own instance first. */
  readonly instances: readonly string[];
  readonly tasks: MockTask[] = [];
  readonly log: MockEvent[] = [];
  /** Instances that do not answer. */
  readonly unreachable = new Set<string>();
  /** Of the own instance. */
  daemons: readonly { readonly name: string; readonly running: boolean }[] = [
    { name: 'heartbeat', running: true },
    { name: 'engine', running: true },
  ];
  readonly #offsets = new Map<string, number>();
  /** Every version of each task, by its id, the first one first. */
  readonly #past = new Map<string, readonly MockTask[]>();
  readonly #watchers = new Set<() => void>();
  #nowMs: number;
  #count = 0;

  constructor(instances: readonly string[], startMs = Date.now()) {
    this.instances = instances;
    this.#nowMs = startMs;
  }

  /** Adds a task that was last changed `ageMs` before now. */
  add(task: Partial<MockTask> & Pick<MockTask, 'instance' | 'name'>, ageMs = 0): MockTask {
    const count = ++this.#count;
    const at = new Date(this.#nowMs - ageMs).toISOString();
    const added: MockTask = {
      ref: `flotilla:${task.instance}/task#${count}`,
      id: `task-${count}`,
      state: 'INPUT_REQUIRED',
      subState: 'AWAITING_MESSAGE',
      goal: task.name,
      lastReply: null,
      statusMessage: null,
      paused: false,
      createdAt: at,
      updatedAt: at,
      version: 1,
      history: [],
      plan: null,
      budget: null,
      question: null,
      origin: null,
      parentRef: null,
      ...task,
    };
    this.tasks.push(added);
    this.#remember(added);
    this.#emit(added, 'task.created', {});
    return added;
  }

  find(ref: string, instance?: string | null): MockTask | undefined {
    return this.tasks.find((task) => task.ref === ref && (!instance || task.instance === instance));
  }

  /** The task as it was at a version; undefined when it never had it. */
  past({ id }: MockTask, version: number): MockTask | undefined {
    return this.#past.get(id)?.[version - 1];
  }

  /** Changes the task, as one more input of it, and tells the log. */
  change(task: MockTask, patch: Partial<MockTask>, type = 'task.status', data: unknown = {}): void {
    this.#nowMs += 1;
    Object.assign(task, patch, { version: task.version + 1, updatedAt: new Date(this.#nowMs).toISOString() });
    this.#remember(task);
    this.#emit(task, type, data);
  }

  /** A message of a person; the agent's reply follows it. */
  say(task: MockTask, text: string): void {
    this.remember(task, { __typename: 'HistoryMessage', role: 'USER', participant: 'operator', text });
    this.change(task, { state: 'WORKING', subState: null }, 'task.messageAccepted');
    setImmediate(() => this.#answer(task, `You said: ${text}`));
  }

  remember(task: MockTask, entry: Record<string, unknown>): void {
    this.#nowMs += 1;
    task.history.push({ id: task.history.length + 1, at: new Date(this.#nowMs).toISOString(), ...entry });
  }

  /** Resolves at the next event, or when `signal` aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    this.#watchers.delete(resolve);
  }

  #remember(task: MockTask): void {
    this.#past.set(task.id, [...(this.#past.get(task.id) ?? []), structuredClone(task)]);
  }

  #answer(task: MockTask, text: string): void {
    this.remember(task, { __typename: 'HistoryMessage', role: 'ASSISTANT', participant: null, text });
    this.change(task, { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', lastReply: text });
  }

  #emit({ instance, ref, updatedAt }: MockTask, type: string, data: unknown): void {
    const offset = (this.#offsets.get(instance) ?? 0) + 1;
    this.#offsets.set(instance, offset);
    const cursor = [...this.#offsets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, position]) => `${name}=${position}`)
      .join(',');
    this.log.push({ cursor, instance, offset, type, at: updatedAt, ref, data });
    for (const wake of [...this.#watchers]) wake();
  }
}
