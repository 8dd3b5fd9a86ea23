/** Writes what a fleet read leaves out or drops into the own event log (spec/manager.md § 21). */
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';
import { EVENT_TYPES, type EventType } from '../../schema/events.ts';
import type { NewEvent, Worker } from '../../subgraph/index.ts';
import type { FleetReporter } from './FleetCalls.ts';

/**
 * How long partial reads after one that was written are collected, in milliseconds. Each write waits for the disk, and with a
 * member down each read is partial: the reads would wait for it, too.
 */
const COLLECT_MS = 1_000;
/** Most that are collected; then they are written at once. */
const MAX_COLLECTED = 1_000;

export interface ReporterOptions extends Pick<Worker, 'log'> {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Disposing writes what is collected. Nothing is written for what is told later. Nothing here throws: what the log does not take is
 * lost, and costs no read its answer.
 */
export function createReporter({ log, clock, logger }: ReporterOptions): FleetReporter & Disposable {
  let collected: NewEvent[] = [];
  let timer: Disposable | undefined;
  let isClosed = false;

  function append(events: readonly NewEvent[]): void {
    tryToWrite(() => log.append(events), logger);
  }

  function write(): void {
    timer?.[Symbol.dispose]();
    timer = undefined;
    if (collected.length === 0) return;
    const events = collected;
    collected = [];
    append(events);
    timer = clock.schedule(COLLECT_MS, write);
  }

  return {
    partial(operation, leftOut) {
      if (isClosed) return;
      collected.push(toEvent('aggregate.partial', { operation, left_out: [...leftOut].sort() }));
      if (!timer || collected.length >= MAX_COLLECTED) write();
    },
    malformed(instance, operation, reason) {
      if (!isClosed) append([toEvent('instance.malformed', { instance, operation, reason })]);
    },
    [Symbol.dispose]() {
      write();
      isClosed = true;
      timer?.[Symbol.dispose]();
    },
  };
}

function toEvent(type: EventType, data: NewEvent['data']): NewEvent {
  return { type, level: EVENT_TYPES[type].level, source: 'registry', data };
}
