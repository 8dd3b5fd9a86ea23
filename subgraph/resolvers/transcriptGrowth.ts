/** Which of the transcripts that a reader watches have grown, by the events of their tasks. */
import type { TaskEngine } from '../engine/TaskEngine.ts';
import type { EventRecord } from '../log/EventLog.ts';

/** A transcript that has grown; as many lines as `transcript` counts. */
export interface TranscriptGrowth {
  readonly ref: string;
  readonly totalLines: number;
}

/** The result tells each length once: an event that has added nothing to a conversation is no news. */
export function createTranscriptGrowth(
  engine: Pick<TaskEngine, 'read'>,
  refs: ReadonlySet<string>,
): (records: readonly EventRecord[]) => Promise<readonly TranscriptGrowth[]> {
  const told = new Map<string, number>();
  return async (records) => {
    const grown: TranscriptGrowth[] = [];
    for (const ref of touched(records, refs)) {
      const totalLines = (await engine.read(ref))?.lastEntryId;
      if (totalLines === undefined || totalLines === (told.get(ref) ?? 0)) continue;
      told.set(ref, totalLines);
      grown.push({ ref, totalLines });
    }
    return grown;
  };
}

function touched(records: readonly EventRecord[], refs: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    records.flatMap(({ type, ref }) =>
      ref !== undefined && type.startsWith('task.') && refs.has(ref) ? [ref] : [],
    ),
  );
}
