/** One open task, kept up to date: each live event of it reads the history on from where it ended. */
import type { Client } from '@urql/core';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { coalesce } from '../../live/coalesce.ts';
import type { LiveStream } from '../../live/LiveStream.ts';
import { Store } from '../../live/Store.ts';
import { hasCode, missingMembers, problemText } from '../../transport/problem.ts';
import { TaskPaneQuery } from './queries.graphql.ts';
import {
  type CommandReplyEntry,
  INITIAL_TASK_PANE,
  nextState,
  type TaskPaneResult,
  type TaskPaneState,
  toCommandReply,
} from './state.ts';

/** History entries per request. */
const PAGE_SIZE = 200;
/** So many entries are read without being asked for; a longer conversation goes on by a button. */
const MAX_ENTRIES = 2000;

export interface TaskAddress {
  readonly ref: string;
  /** Undefined: whoever holds the ref. */
  readonly instance: string | undefined;
}

export class TaskPaneStore extends Store<TaskPaneState, TaskPaneResult> {
  readonly address: TaskAddress;
  readonly #client: Client;
  readonly #stream: LiveStream;
  #stopListening: () => void = () => {};

  constructor(address: TaskAddress, client: Client, stream: LiveStream) {
    super(INITIAL_TASK_PANE, nextState);
    this.address = address;
    this.#client = client;
    this.#stream = stream;
  }

  reload(): void {
    this.apply({ kind: 'reloading' });
    this.#pull();
  }

  /** Reads more of a conversation that is too long to be read at once. */
  readOn(): void {
    this.#pull();
  }

  /** Takes in the snapshot that a mutation brought. */
  put(row: TaskRowFragment): void {
    this.apply({ kind: 'changed', row });
    this.#pull();
  }

  reply(reply: CommandReplyEntry): void {
    this.apply({ kind: 'replied', reply });
  }

  protected override start(): void {
    this.#stopListening = this.#stream.listen({
      event: (event) => {
        if (!this.#isAbout(event)) return;
        const reply = toCommandReply(event);
        if (reply) this.reply(reply);
        if (event.task) this.apply({ kind: 'changed', row: event.task });
        this.#pull();
      },
      gap: () => this.#pull(),
    });
    this.#pull();
  }

  protected override stop(): void {
    this.#stopListening();
  }

  #isAbout({ ref, instance }: { readonly ref: string | null; readonly instance: string }): boolean {
    const holder = this.address.instance ?? this.read().row?.instance ?? instance;
    return ref === this.address.ref && instance === holder;
  }

  /** Reads the task and its history from the last known entry to the end. */
  readonly #pull = coalesce(async () => {
    await this.#stream.positioned;
    do {
      if (!(await this.#readPage())) return;
    } while (this.isRead && this.#goesOn());
  });

  #goesOn(): boolean {
    const { phase, history, hasNextPage } = this.read();
    return phase === 'loading' || (hasNextPage && history.length < MAX_ENTRIES);
  }

  async #readPage(): Promise<boolean> {
    const { endCursor: after } = this.read();
    const { data, error, extensions } = await this.#client
      .query(TaskPaneQuery, { ...this.address, first: PAGE_SIZE, after })
      .toPromise();
    const problem = error && problemText(error);
    if (!data && !hasCode(error, 'NOT_FOUND')) {
      this.apply({ kind: 'failed', problem: problem ?? 'The answer is empty' });
      return false;
    }
    const task = data?.task ?? undefined;
    this.apply({
      kind: 'loaded',
      task,
      history: task?.history.nodes ?? [],
      after,
      endCursor: task?.history.pageInfo.endCursor ?? undefined,
      hasNextPage: task?.history.pageInfo.hasNextPage ?? false,
      missing: missingMembers(extensions),
      problem: hasCode(error, 'NOT_FOUND') ? undefined : problem,
    });
    return task !== undefined;
  }
}
