/** How long ago something was, in few characters. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `40 s`, `5 min`, `3 h`, `6 d`; older than a week, the date as `2026-03-09`. Times ahead of `nowMs` are `now`. */
export function relativeTime(at: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(at);
  if (agoMs < 10 * SECOND) return 'now';
  if (agoMs < MINUTE) return `${Math.floor(agoMs / (10 * SECOND)) * 10} s`;
  if (agoMs < HOUR) return `${Math.floor(agoMs / MINUTE)} min`;
  if (agoMs < DAY) return `${Math.floor(agoMs / HOUR)} h`;
  if (agoMs < 7 * DAY) return `${Math.floor(agoMs / DAY)} d`;
  return at.slice(0, 10);
}
