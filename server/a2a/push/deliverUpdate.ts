/** One update on its way to one receiver: up to three attempts of 10 s each, then it is given up (spec/worker.md § 7.5). */
import type { AddressGuard } from '../../../lib/AddressGuard.ts';
import { backoffMs } from '../../../lib/backoff.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { Deadline } from '../../../lib/Deadline.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type { Offset, PushConfig, PushConfigStore } from '../../../subgraph/index.ts';
import { type PostOutcome, postUpdate } from './postUpdate.ts';
import type { Slots } from './Slots.ts';

/** Longest time for one attempt, in milliseconds. */
const TIMEOUT_MS = 10_000;

const MAX_ATTEMPTS = 3;

/** Between two attempts: 1 s, then 4 s. */
const PAUSES = { initialMs: 1_000, coefficient: 4, maximumMs: 10_000 };

export interface Delivery {
  /** Of the record. */
  readonly number: number;
  readonly offset: Offset;
  /** JSON text. */
  readonly body: string;
}

export interface DeliveryContext {
  readonly store: Pick<PushConfigStore, 'dueOf'>;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  /** For the jitter of the pauses. */
  readonly ids: Pick<IdSource, 'random'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Held during an attempt, and not between two. */
  readonly slots: Slots;
  /** Aborted, it lets the attempt that is under way end, and begins none. */
  readonly stop: AbortSignal;
  /** Aborted, it ends the attempt that is under way. */
  readonly cut: AbortSignal;
}

/** Resolves when the update is settled: accepted, given up, or nobody's any more. Rejects with the reason of `stop` when it is not. */
export async function deliverUpdate(
  { number, offset, body }: Delivery,
  context: DeliveryContext,
): Promise<void> {
  const { store, clock, ids, logger, slots, stop } = context;
  for (let attempt = 1; ; attempt += 1) {
    // Looked at anew: it may have been replaced or deleted meanwhile.
    const due = store.dueOf(number);
    if (due?.offset !== offset) return;
    const outcome = await slots.use(() => post(due.config, body, context));
    if (outcome.kind === 'accepted') return;
    stop.throwIfAborted();
    if (outcome.kind === 'refused' || attempt === MAX_ATTEMPTS) {
      const { id, taskId, url } = due.config;
      const facts = { config: id, task: taskId, host: new URL(url).host, attempts: attempt };
      logger.warn({ ...facts, reason: outcome.reason }, 'A push notification was given up');
      return;
    }
    await delay(clock, backoffMs(PAUSES, attempt, ids.random()), stop);
  }
}

async function post(
  { url, token, authentication }: PushConfig,
  body: string,
  { clock, guard, stop, cut }: DeliveryContext,
): Promise<PostOutcome> {
  stop.throwIfAborted();
  const { scheme, credentials } = authentication ?? {};
  const headers = {
    'content-type': 'application/a2a+json',
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
    ...(credentials !== undefined && { authorization: `${scheme} ${credentials}` }),
  };
  using deadline = new Deadline(clock, TIMEOUT_MS, cut);
  return await postUpdate({ url, headers, body, guard, signal: deadline.signal });
}
