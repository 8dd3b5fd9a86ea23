/** The `transcripts` of the `events` subscription. Pure. */
import { badUserInput } from './errors.ts';

/** Refs of one subscription. */
export const MAX_WATCHED_TRANSCRIPTS = 64;

/**
 * Each ref once.
 *
 * @throws {FlotillaError} BAD_USER_INPUT for more than 64.
 */
export function readWatchedTranscripts(refs: readonly string[] | null | undefined): ReadonlySet<string> {
  const watched = new Set(refs);
  if (watched.size <= MAX_WATCHED_TRANSCRIPTS) return watched;
  throw badUserInput(
    `Cannot read events: "transcripts" has ${watched.size} refs, at most ${MAX_WATCHED_TRANSCRIPTS} are accepted`,
  );
}
