/** The log of an agent's tasks as pages, for as long as somebody looks after the tasks. */
import type { MemberEventPage } from '../Member.ts';
import type { TaskLog } from './TaskLog.ts';

/** Most events of one page. */
const PAGE_SIZE = 256;

export interface WatchLogOptions {
  readonly log: TaskLog;
  /** Undefined: from the log's end. */
  readonly after: number | undefined;
  /** Fills the log until its signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Pages in order. A position that the log does not have is one desync at its end, and so is one that has left the log before the
 * reader came for it.
 *
 * @throws what `run` throws before `signal` aborts.
 */
export async function* watchLog({
  log,
  after,
  run,
  signal,
}: WatchLogOptions): AsyncGenerator<MemberEventPage, void> {
  const closed = new AbortController();
  const ended = AbortSignal.any([signal, closed.signal]);
  let seen = after ?? log.end;
  let isOver = false;
  let wake = (): void => {};
  const running = run(ended).finally(() => {
    isOver = true;
    wake();
  });
  // Who reads a page does not wait for it; it is told with the next one.
  running.catch(() => {});
  try {
    while (!signal.aborted) {
      if (seen < log.start || seen > log.end) {
        seen = log.end;
        yield { events: [], seen, desync: 'truncated' };
      }
      const change = log.change();
      const events = log.after(seen, PAGE_SIZE);
      seen += events.length;
      if (events.length > 0) yield { events, seen };
      else if (isOver) return await running;
      else {
        // No race with `running`, which would keep something of each for as long as it runs.
        await new Promise<void>((resolve) => {
          wake = resolve;
          void change.then(resolve);
        });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    closed.abort();
    await running.catch(() => {});
  }
}
