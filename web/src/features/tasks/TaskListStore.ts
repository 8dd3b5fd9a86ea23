/** The task list, kept up to date: pages from the server, changes from the live stream. */
import type { Client } from '@urql/core';
import type { TaskRowFragment } from '../../gql/graphql.ts';
import { coalesce } from '../../live/coalesce.ts';
import type { LiveStream } from '../../live/LiveStream.ts';
import { Store } from '../../live/Store.ts';
import { missingMembers, problemText } from '../../transport/problem.ts';
import { isSameFilter, type ListFilter, toTaskFilter } from './filter.ts';
import { TaskListQuery } from './queries.graphql.ts';
import {
  INITIAL_TASK_LIST,
  nextState,
  type TaskListResult,
  type TaskListState,
  type TaskPage,
  toTaskPage,
} from './state.ts';

const PAGE_SIZE = 50;
/** The server's limit of one page. */
const MAX_PAGE_SIZE = 1000;

export class TaskListStore extends Store<TaskListState, TaskListResult> {
  readonly #client: Client;
  readonly #stream: LiveStream;
  #stopListening: () => void = () => {};

  constructor(client: Client, stream: LiveStream) {
    super(INITIAL_TASK_LIST, nextState);
    this.#client = client;
    this.#stream = stream;
  }

  filter(filter: ListFilter): void {
    if (isSameFilter(filter, this.read().filter)) return;
    this.apply({ kind: 'filtered', filter });
    if (this.isRead) this.#load();
  }

  /** Reads the list anew, from its first page. */
  reload(): void {
    this.apply({ kind: 'reloading' });
    this.#load();
  }

  /** Reads the rows that are shown once more; none of them moves. */
  readonly refresh = coalesce(async () => {
    const { filter, phase, rows } = this.read();
    if (phase === 'loading') return this.#load();
    const page = await this.#page({ first: Math.min(Math.max(rows.length, PAGE_SIZE), MAX_PAGE_SIZE) });
    if (filter === this.read().filter && page) {
      this.apply({ kind: rows.length === 0 ? 'firstPage' : 'refreshed', page });
    }
  });

  async loadMore(): Promise<void> {
    const { phase, endCursor, hasNextPage, isLoadingMore, filter } = this.read();
    if (phase === 'loading' || !hasNextPage || isLoadingMore) return;
    this.apply({ kind: 'loadingMore' });
    const page = await this.#page({ first: PAGE_SIZE, after: endCursor });
    const now = this.read();
    if (page && filter === now.filter && endCursor === now.endCursor) this.apply({ kind: 'nextPage', page });
  }

  /** Puts what has arrived into the list, newest activity first. */
  showArrived(): void {
    if (this.read().isArrivedFull) this.reload();
    else this.apply({ kind: 'shown' });
  }

  /** Puts a task that the reader has started on top. */
  add(row: TaskRowFragment): void {
    this.apply({ kind: 'created', row });
  }

  protected override start(): void {
    this.#stopListening = this.#stream.listen({
      event: ({ task }) => {
        if (task) this.apply({ kind: 'changed', row: task });
      },
      gap: () => this.refresh(),
    });
    this.#load();
  }

  protected override stop(): void {
    this.#stopListening();
  }

  readonly #load = coalesce(async () => {
    await this.#stream.positioned;
    const { filter } = this.read();
    const page = await this.#page({ first: PAGE_SIZE });
    // Another filter was chosen meanwhile: its own load is already asked for.
    if (page && filter === this.read().filter) this.apply({ kind: 'firstPage', page });
  });

  /** Undefined after a failure, which the state then tells. */
  async #page({ first, after }: { first: number; after?: string }): Promise<TaskPage | undefined> {
    const { filter } = this.read();
    const { data, error, extensions } = await this.#client
      .query(TaskListQuery, { first, after, filter: toTaskFilter(filter) })
      .toPromise();
    const problem = error && problemText(error);
    if (data) return toTaskPage(data.tasks, { missing: missingMembers(extensions), problem });
    if (filter === this.read().filter)
      this.apply({ kind: 'failed', problem: problem ?? 'The answer is empty' });
    return undefined;
  }
}
