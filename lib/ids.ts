/** Identifiers and random numbers, injected. */
import { randomUUID } from 'node:crypto';

export interface IdSource {
  /** A new identifier that nobody else has: a UUID. */
  newId(): string;
  /** A number from 0 (included) to 1 (excluded), for jitter. */
  random(): number;
}

export const systemIds: IdSource = {
  newId: () => randomUUID(),
  random: () => Math.random(),
};
