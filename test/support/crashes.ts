/** What tests need that end a host at every place where it may end. */
import { expect } from 'vitest';
import type { StateDatabase } from '../../lib/StateDatabase.ts';
import { FlotillaError } from '../../schema/errors.ts';
import type { FakeClock } from './FakeClock.ts';
import { type Fault, FaultyDatabase } from './FaultyDatabase.ts';
import type { OpenEngine } from './openEngine.ts';

/** One fault, and the moment when it happens. */
export class Faults {
  readonly happened: Promise<void>;
  hasHappened = false;
  readonly #fault: Fault;
  readonly #happen: () => void;

  constructor(fault: Fault) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.happened = promise;
    this.#happen = resolve;
    this.#fault = fault;
  }

  readonly wrap = (database: StateDatabase): StateDatabase =>
    new FaultyDatabase(database, this.#fault, () => {
      this.hasHappened = true;
      this.#happen();
    });
}

/** Time passes as soon as somebody waits for it. */
export async function keepMoving(clock: FakeClock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.waiting();
    clock.advance(clock.delaysMs[0] ?? 0);
  }
}

/** As a client does that was told to try again. */
export async function insist(request: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await request();
      return;
    } catch (error) {
      if (attempt === 2 || !(error instanceof FlotillaError) || error.code !== 'UNAVAILABLE') throw error;
    }
  }
}

export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof FlotillaError && error.code === 'UNAVAILABLE')) throw error;
}

/** Offsets of the log are gap-free. */
export function expectNoGap({ log }: OpenEngine, when: string): void {
  const offsets = log.read({ limit: 1_001 }).map(({ offset }) => offset);
  expect(offsets, when).toEqual(Array.from({ length: log.end() }, (_, index) => index + 1));
}

/** Keys of the effects whose outcome is in the journal, of every task. */
export function recordedOutcomes({ database }: OpenEngine): Set<string> {
  const rows = database
    .statement<{ readonly key: string }>(
      "SELECT json_extract(input, '$.effectKey') AS key FROM inputs WHERE json_extract(input, '$.effectKey') IS NOT NULL",
    )
    .all();
  return new Set(rows.map(({ key }) => key));
}
