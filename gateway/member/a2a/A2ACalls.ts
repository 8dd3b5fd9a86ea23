/** The operations that one request makes of an agent, and what their answers mean (A2A § 3.1, spec/manager.md §§ 6 and 9). */
import type { Clock } from '../../../lib/Clock.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { badUserInput, FlotillaError } from '../../../schema/errors.ts';
import { CallFailed } from '../CallFailed.ts';
import type { HttpConnection } from '../HttpConnection.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { SharedLists } from '../SharedLists.ts';
import type { A2ABinding, A2AOperation, Row } from './A2ABinding.ts';
import { A2AError, toFlotillaError } from './A2AError.ts';
import { collectTasks, type TaskList, type TaskListPage } from './collectTasks.ts';
import { PROTOCOL_VERSION } from './judgeAgentCard.ts';
import { type RemoteTask, readRemoteTask, rowsOf, textOfMessage } from './readRemoteTask.ts';

/** The most that the protocol has in one page. */
const PAGE_SIZE = 100;
/** A participant's id as a header can carry it. */
const PARTICIPANT = /^[\x21-\x7e]{1,200}$/;

export interface A2ACallsOptions {
  readonly connection: Pick<HttpConnection, 'send'>;
  readonly binding: A2ABinding;
  /** Who asks, when an operation names nobody. */
  readonly participant: string;
  /** Of all calls to the agent. */
  readonly lists: SharedLists<TaskList>;
  readonly redact: Redactor;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Carries the deadline. */
  readonly signal: AbortSignal;
}

export interface SentMessage {
  /** Undefined: the message begins a new task. */
  readonly taskId?: string | undefined;
  readonly messageId: string;
  readonly text: string;
  /** @default the one of the options */
  readonly participant?: string | undefined;
}

/** What an agent makes of a message: a task, or an answer alone. */
export type SentAnswer =
  | { readonly task: RemoteTask }
  /** Empty when the answer has no text. */
  | { readonly task?: undefined; readonly text: string };

/** A task with what was said in it, as far as the agent tells it. */
export interface Conversation {
  readonly task: RemoteTask;
  /** Messages of the protocol, oldest first. */
  readonly messages: readonly Row[];
  /** What has come of it, as the protocol has it. */
  readonly artifacts: readonly Row[];
}

interface Asked {
  readonly result: unknown;
  /** Of the whole answer. */
  readonly byteLength: number;
}

/**
 * Each operation is asked once; ids are those of `isTaskId`. All of them throw a `CallFailed` without an answer, or with one that is
 * none of the protocol's, and a `FlotillaError` for an error that the agent told.
 */
export class A2ACalls {
  readonly #options: A2ACallsOptions;

  constructor(options: A2ACallsOptions) {
    this.#options = options;
  }

  /** Those of the first page: at most 100, in the agent's order, which is the one that changed last first. */
  async listNewest(): Promise<readonly RemoteTask[]> {
    return (await this.#listPage()).tasks;
  }

  /** All that the participant may see. @throws {CallFailed} for more than 10,000 or 64 MiB, too. */
  listAll(): Promise<TaskList> {
    const { lists, participant, signal } = this.#options;
    return lists.read(participant, signal, (shared) =>
      new A2ACalls({ ...this.#options, signal: shared }).#collectAll(),
    );
  }

  #collectAll(): Promise<TaskList> {
    return collectTasks((pageToken) => this.#listPage(pageToken));
  }

  /** Undefined when the participant can see no such task. @param participant who asks. @default the one of the options */
  async getTask(id: string, participant?: string): Promise<RemoteTask | undefined> {
    return (await this.#getTask({ id, historyLength: 0 }, participant))?.task;
  }

  /** As long as the agent likes. Undefined when the participant can see no such task. */
  getConversation(id: string): Promise<Conversation | undefined> {
    return this.#getTask({ id });
  }

  async #getTask(
    params: { readonly id: string; readonly historyLength?: number },
    participant?: string,
  ): Promise<Conversation | undefined> {
    try {
      const { result } = await this.#ask({ name: 'GetTask', params }, participant);
      const { history, artifacts } = asRecord(result) ?? {};
      const task = this.#taskOf(result, params.id);
      return { task, messages: rowsOf(history), artifacts: rowsOf(artifacts) };
    } catch (error) {
      if (error instanceof FlotillaError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Does not wait for what comes of the message. */
  async sendMessage({ taskId, messageId, text, participant }: SentMessage): Promise<SentAnswer> {
    const message = {
      messageId,
      ...(taskId !== undefined && { taskId }),
      role: 'ROLE_USER',
      parts: [{ text }],
    };
    const params = { message, configuration: { returnImmediately: true, historyLength: 0 } };
    const { result } = await this.#ask({ name: 'SendMessage', params }, participant);
    const { task, message: reply } = asRecord(result) ?? {};
    if (task === undefined && asRecord(reply))
      return { text: textOfMessage(reply, this.#options.redact) ?? '' };
    return { task: this.#taskOf(task) };
  }

  async cancelTask(
    id: string,
    {
      reason,
      participant,
    }: { readonly reason?: string | undefined; readonly participant?: string | undefined },
  ): Promise<RemoteTask> {
    // The protocol has no reason of a cancellation: the agent finds it where it looks for more.
    const params = { id, ...(reason && { metadata: { reason } }) };
    const { result } = await this.#ask({ name: 'CancelTask', params }, participant);
    return this.#taskOf(result, id);
  }

  async #listPage(pageToken = ''): Promise<TaskListPage> {
    const params = { pageSize: PAGE_SIZE, ...(pageToken !== '' && { pageToken }) };
    const { result, byteLength } = await this.#ask({ name: 'ListTasks', params });
    const { tasks, nextPageToken } = asRecord(result) ?? {};
    // A list that is empty may be left out by whoever writes the protocol's JSON.
    if (tasks !== undefined && !Array.isArray(tasks)) throw malformed('the answer is not a page of tasks');
    const rows: readonly unknown[] = tasks ?? [];
    const read = rows.map((task) => this.#readTask(task)).filter((task) => task !== undefined);
    return {
      tasks: read,
      unusable: rows.length - read.length,
      next: typeof nextPageToken === 'string' ? nextPageToken : '',
      byteLength,
    };
  }

  async #ask(operation: A2AOperation, participant?: string): Promise<Asked> {
    const { connection, binding, redact, signal } = this.#options;
    const headers = headersFor(participant ?? this.#options.participant);
    const result = await connection.send({ ...binding.toRequest(operation), headers, signal });
    if (result.kind === 'failure') throw new CallFailed(result.failure);
    try {
      return { result: binding.readResult(result.answer), byteLength: result.answer.byteLength };
    } catch (error) {
      if (!(error instanceof A2AError)) throw error;
      // A list names no task: what is not found is the operation itself.
      const isMissing = operation.name === 'ListTasks' && error.reason === 'TASK_NOT_FOUND';
      const reason = isMissing ? 'METHOD_NOT_FOUND' : error.reason;
      throw toFlotillaError(new A2AError(reason, redact(error.message)), isWriteToTask(operation));
    }
  }

  #readTask(value: unknown): RemoteTask | undefined {
    const { redact, clock } = this.#options;
    return readRemoteTask(value, { redact, nowMs: clock.nowMs() });
  }

  /** @param id of the task that was asked for. @default any */
  #taskOf(value: unknown, id?: string): RemoteTask {
    const task = this.#readTask(value);
    if (!task) throw malformed('the answer is not a task');
    if (id !== undefined && task.id !== id) throw malformed('the answer is another task');
    return task;
  }
}

/** A first message is to no task that could be in conflict with it. */
function isWriteToTask({ name, params }: A2AOperation): boolean {
  return name === 'CancelTask' || (name === 'SendMessage' && asRecord(params.message)?.taskId !== undefined);
}

/** What goes with every request. @throws {FlotillaError} BAD_USER_INPUT for a participant that no header can carry. */
export function headersFor(participant: string): Readonly<Record<string, string>> {
  if (!PARTICIPANT.test(participant)) {
    throw badUserInput(
      'Cannot ask agent: "participant" is not 1 to 200 printable ASCII characters, such an id is expected',
    );
  }
  return { 'a2a-version': PROTOCOL_VERSION, 'x-participant-id': participant };
}

function malformed(reason: string): CallFailed {
  return new CallFailed({ kind: 'malformed', reason });
}
