/** What was said and done in a session, as the REST contract tells it (spec/rest-on-tasks.md, Rows). */
import { toIsoTime } from '../../lib/Clock.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import type { Transcript } from '../../schema/generated/resolvers.ts';
import type { HistoryEntry } from '../task/index.ts';
import type { WorkerParts } from './WorkerParts.ts';

/** Most entries of one answer, also of one that asks for all. */
const MAX_ENTRIES = 10_000;

const PAGE = 1_000;

/**
 * The newest `tail` entries, oldest first; 0 is as many as one answer holds. A pull request stands for the work item that it delivers.
 *
 * @throws {FlotillaError} NOT_FOUND without a session, BAD_USER_INPUT for a negative `tail`.
 */
export async function readTranscript(
  { engine, workItems }: Pick<WorkerParts, 'engine' | 'workItems'>,
  { ref, tail, instance }: { readonly ref: string; readonly tail: number; readonly instance: string },
): Promise<Transcript> {
  if (tail < 0) throw badUserInput(`Cannot read transcript: "tail" is ${tail}, 0 or more is expected`);
  const [item] = workItems.deliveredBy(ref);
  const row = (await engine.read(ref)) ?? (item === undefined ? undefined : await engine.read(item));
  if (!row) throw notFound('session', ref);
  const { id, lastEntryId } = row;
  const size = Math.min(tail === 0 ? MAX_ENTRIES : tail, MAX_ENTRIES);
  const entries: HistoryEntry[] = [];
  // Ids count from 1 without a gap.
  for (let afterId = Math.max(lastEntryId - size, 0); afterId < lastEntryId; ) {
    const limit = Math.min(PAGE, lastEntryId - afterId);
    const page = await engine.history({ id }, { afterId, beforeId: lastEntryId + 1, limit });
    if (page.length === 0) break;
    entries.push(...page);
    afterId += page.length;
  }
  return {
    instance,
    ref,
    harness: 'flotilla',
    harnessSessionId: id,
    path: '',
    totalLines: lastEntryId,
    truncated: entries.length < lastEntryId,
    entries: entries.map(toEntry),
  };
}

function toEntry(entry: HistoryEntry): Record<string, unknown> {
  const common = { id: entry.id, at: toIsoTime(entry.atMs) };
  switch (entry.kind) {
    case 'message':
      return {
        ...common,
        role: entry.role.toLowerCase(),
        ...(entry.participant !== undefined && { participant: entry.participant }),
        text: entry.text,
      };
    case 'toolCall': {
      const { callId, tool, arguments: args } = entry;
      return { ...common, role: 'assistant', text: '', toolCall: { id: callId, tool, arguments: args } };
    }
    case 'toolResult': {
      const { callId, tool, text, isError } = entry;
      return { ...common, role: 'tool', text, toolResult: { id: callId, tool, isError } };
    }
  }
}
