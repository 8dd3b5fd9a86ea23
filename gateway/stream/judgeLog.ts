/** Whether a member's log is still the one that was seen, without an identity on the wire: offsets and one event have to do. Pure. */
import type { MemberLogPage } from '../member/Member.ts';

/** An event that was seen in a log. Another log has another event at its offset, or the same one at another time. */
export interface Landmark {
  readonly offset: number;
  readonly type: string;
  readonly at: string;
}

export interface SeenLog {
  /** The position up to which the log was read; undefined: it was not. */
  readonly seen: number | undefined;
  readonly landmark: Landmark | undefined;
}

/**
 * `same`: it goes on from there. `cut`: what comes right after the position is forgotten. `reset`: it ends before the
 * position. `other`: it holds something else where the landmark was.
 */
export type LogVerdict = 'same' | 'cut' | 'reset' | 'other';

/**
 * @param page read at the landmark, if there is one. A member that counts its offsets in another way than one by one has
 * no event at just that offset, and is taken at its word.
 */
export function judgeLog({ seen, landmark }: SeenLog, { events, newest, start }: MemberLogPage): LogVerdict {
  if ((seen ?? landmark?.offset ?? 0) > newest) return 'reset';
  const there = landmark && events.find(({ offset }) => offset === landmark.offset);
  if (there && !isSame(there, landmark)) return 'other';
  return seen !== undefined && seen < start ? 'cut' : 'same';
}

function isSame(one: Landmark, other: Landmark): boolean {
  return one.type === other.type && one.at === other.at;
}
