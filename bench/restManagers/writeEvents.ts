/** Events in the logs of workers of the Python service, written as its other processes write them: whole lines at the end of the file. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toIsoTime } from '../../lib/Clock.ts';
import type { PythonService } from '../../test/support/PythonService.ts';

/** Of one append, in milliseconds. */
const TICK_MS = 20;
const NOTE = 'The ledger was compared with the statement of the bank, and each difference has a cause.';

export interface Writing {
  /** What the events are marked with. */
  readonly run: number;
  /** Into each log. */
  readonly perSecond: number;
  readonly seconds: number;
}

/** Writes at a steady pace; how many events there are in all logs together. */
export async function writeEvents(
  workers: readonly PythonService[],
  { run, perSecond, seconds }: Writing,
): Promise<number> {
  const events = perSecond * seconds;
  const startMs = performance.now();
  for (let written = 0; written < events; await delay(TICK_MS)) {
    const due = Math.ceil(((performance.now() - startMs + TICK_MS) / 1000) * perSecond);
    const count = Math.min(events, due) - written;
    for (const worker of workers) append(worker, run, count);
    written += count;
  }
  return events * workers.length;
}

/** Writes one event into each log. */
export function writeOne(workers: readonly PythonService[], run: number): void {
  for (const worker of workers) append(worker, run, 1);
}

function append({ directory, pid }: PythonService, run: number, count: number): void {
  const sentMs = performance.now();
  const at = toIsoTime(performance.timeOrigin + sentMs);
  const event = { ts: at, source: 'poller', event: 'poller.noted', level: 'info', pid };
  const line = JSON.stringify({
    ...event,
    work_item: 'github:octo/ledger#1',
    note: NOTE,
    run,
    sent_ms: sentMs,
  });
  appendFileSync(join(directory, '.the-loop/logs/events.jsonl'), `${line}\n`.repeat(count));
}
