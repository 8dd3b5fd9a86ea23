/** The operations that one request makes of an agent, and what their answers mean (A2A § 3.1, spec/manager.md §§ 6 and 9). */
import type { Redactor } from '../../../lib/redact.ts';
import { badUserInput, FlotillaError } from '../../../schema/errors.ts';
import { CallFailed } from '../CallFailed.ts';
import type { HttpConnection } from '../HttpConnection.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { A2ABinding, A2AOperation } from './A2ABinding.ts';
import { A2AError, toFlotillaError } from './A2AError.ts';
import { PROTOCOL_VERSION } from './judgeAgentCard.ts';
import { type RemoteTask, readRemoteTask } from './readRemoteTask.ts';

/** The most that the protocol has in one page. */
const PAGE_SIZE = 100;
/** Most tasks of one agent that are read. */
export const MAX_TASKS = 10_000;

/** A participant's id as a header can carry it. */
const PARTICIPANT = /^[\x21-\x7e]{1,200}$/;

export interface A2ACallsOptions {
  readonly connection: Pick<HttpConnection, 'send'>;
  readonly binding: A2ABinding;
  /** Who asks, when an operation names nobody. */
  readonly participant: string;
  readonly redact: Redactor;
  /** Carries the deadline. */
  readonly signal: AbortSignal;
}

export interface SentMessage {
  readonly taskId: string;
  readonly messageId: string;
  readonly text: string;
  /** @default the one of the options */
  readonly participant?: string | undefined;
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

  /** All that the participant may see. @throws {CallFailed} for more than 10,000, too. */
  async listAll(): Promise<readonly RemoteTask[]> {
    const tasks = new Map<string, RemoteTask>();
    let pageToken = '';
    do {
      const page = await this.#listPage(pageToken);
      // A task that changes between two pages may be on both.
      for (const task of page.tasks) if (!tasks.has(task.id)) tasks.set(task.id, task);
      if (page.next === pageToken && pageToken !== '') throw malformed('a page of tasks leads to itself');
      if (page.next !== '' && tasks.size >= MAX_TASKS) throw malformed(`more than ${MAX_TASKS} tasks`);
      if (page.next !== '' && page.tasks.length === 0) throw malformed('a page without tasks has a next one');
      pageToken = page.next;
    } while (pageToken !== '');
    return [...tasks.values()];
  }

  /** Undefined when the participant can see no such task. `historyLength` is the agent's choice by default. */
  async getTask(id: string, { historyLength }: { readonly historyLength?: number } = {}) {
    const params = { id, ...(historyLength !== undefined && { historyLength }) };
    try {
      return this.#taskOf(await this.#ask({ name: 'GetTask', params }));
    } catch (error) {
      if (error instanceof FlotillaError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Does not wait for the answer. Undefined when the agent has answered with a message alone. */
  async sendMessage({ taskId, messageId, text, participant }: SentMessage): Promise<RemoteTask | undefined> {
    const message = { messageId, taskId, role: 'ROLE_USER', parts: [{ text }] };
    const params = { message, configuration: { returnImmediately: true, historyLength: 0 } };
    const result = await this.#ask({ name: 'SendMessage', params }, participant);
    const { task, message: reply } = asRecord(result) ?? {};
    if (task === undefined && asRecord(reply)) return undefined;
    return this.#taskOf(task);
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
    return this.#taskOf(await this.#ask({ name: 'CancelTask', params }, participant));
  }

  async #listPage(pageToken = ''): Promise<{ readonly tasks: readonly RemoteTask[]; readonly next: string }> {
    const params = { pageSize: PAGE_SIZE, ...(pageToken !== '' && { pageToken }) };
    const { tasks, nextPageToken } = asRecord(await this.#ask({ name: 'ListTasks', params })) ?? {};
    // A list that is empty may be left out by whoever writes the protocol's JSON.
    if (tasks !== undefined && !Array.isArray(tasks)) throw malformed('the answer is not a page of tasks');
    const read = (tasks ?? []).map((task: unknown) => readRemoteTask(task, this.#options.redact));
    return {
      tasks: read.filter((task) => task !== undefined),
      next: typeof nextPageToken === 'string' ? nextPageToken : '',
    };
  }

  async #ask(operation: A2AOperation, participant?: string): Promise<unknown> {
    const { connection, binding, redact, signal } = this.#options;
    const headers = headersFor(participant ?? this.#options.participant);
    const result = await connection.send({ ...binding.toRequest(operation), headers, signal });
    if (result.kind === 'failure') throw new CallFailed(result.failure);
    try {
      return binding.readResult(result.answer);
    } catch (error) {
      if (!(error instanceof A2AError)) throw error;
      const isWrite = operation.name === 'SendMessage' || operation.name === 'CancelTask';
      throw toFlotillaError(new A2AError(error.reason, redact(error.message)), isWrite);
    }
  }

  #taskOf(value: unknown): RemoteTask {
    const task = readRemoteTask(value, this.#options.redact);
    if (!task) throw malformed('the answer is not a task');
    return task;
  }
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
