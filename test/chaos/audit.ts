/** Whether what one subscriber saw of one log is what the log holds. Pure. */

/** One event of an instance's log. */
export interface LoggedEvent {
  readonly offset: number;
  readonly type: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** A desync: what lies between the event before it and `position` is lost, and the subscriber knows. */
export interface Mark {
  /** How many events of the instance came before it. */
  readonly index: number;
  readonly reason: string;
  /** Where the stream goes on, when it says so; else whatever comes before the next event is meant. */
  readonly position: number | undefined;
}

/** What came of one instance, in the order in which it came. */
export interface Sighting {
  readonly offsets: readonly number[];
  readonly marks: readonly Mark[];
}

/** Events that were missed one after another. */
export interface Gap {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Of the desync that told it; undefined: nobody did. */
  readonly reason: string | undefined;
}

export interface Finding {
  readonly gaps: readonly Gap[];
  /** Offsets that came again. */
  readonly doubled: readonly number[];
  /** Offsets that came for the first time behind a later one. */
  readonly disordered: readonly number[];
  /** Offsets that the log does not have, or not for this subscriber; what comes after the end of the log that was read is not judged. */
  readonly strange: readonly number[];
}

/**
 * @param log what the subscriber is to be shown, in order: all that it may have seen.
 * @param expected the part of it that it has to have seen, or to have been told of.
 */
export function audit(
  { offsets, marks }: Sighting,
  { log, expected }: { readonly log: readonly LoggedEvent[]; readonly expected: readonly LoggedEvent[] },
): Finding {
  const known = new Set(log.map(({ offset }) => offset));
  const end = log.at(-1)?.offset ?? 0;
  const seen = new Set<number>();
  const doubled: number[] = [];
  const disordered: number[] = [];
  const strange: number[] = [];
  let newest = -1;
  for (const offset of offsets) {
    if (seen.has(offset)) doubled.push(offset);
    else if (offset < newest) disordered.push(offset);
    if (offset <= end && !known.has(offset)) strange.push(offset);
    seen.add(offset);
    newest = Math.max(newest, offset);
  }
  return { gaps: findGaps({ offsets, marks }, { seen, expected }), doubled, disordered, strange };
}

function findGaps(
  { offsets, marks }: Sighting,
  { seen, expected }: { readonly seen: ReadonlySet<number>; readonly expected: readonly LoggedEvent[] },
): Gap[] {
  const gaps: Gap[] = [];
  let isOpen = false;
  /** How many of the events that came are before the one that is looked at. */
  let index = 0;
  for (const { offset } of expected) {
    if (seen.has(offset)) {
      isOpen = false;
      continue;
    }
    while (index < offsets.length && (offsets[index] as number) < offset) index += 1;
    const reason = marks.find(
      (mark) => mark.index === index && (mark.position === undefined || offset <= mark.position),
    )?.reason;
    const gap = gaps.at(-1);
    if (isOpen && gap && gap.reason === reason) {
      gaps[gaps.length - 1] = { ...gap, last: offset, count: gap.count + 1 };
    } else gaps.push({ first: offset, last: offset, count: 1, reason });
    isOpen = true;
  }
  return gaps;
}
