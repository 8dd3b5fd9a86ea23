/** Kinds of values that several sections share. */
import { z } from 'zod';

/** The name of an environment variable that holds a secret; the secret itself is never in the file. */
export function envName() {
  return z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');
}

/** Bounds of a duration, in seconds. */
export const SECONDS = { least: 1, most: 3600 } as const;

/** A duration of at least one second and at most an hour, in seconds. */
export function seconds() {
  return z.number().min(SECONDS.least).max(SECONDS.most);
}
