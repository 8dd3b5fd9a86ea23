/**
 * One filter of the log in its two forms: conditions for SQLite, which reads old records, and a predicate for records
 * that are handed to watchers as they come. A test holds both to one meaning.
 */
import type { SqlValue } from '../../lib/StateDatabase.ts';
import { EVENT_LEVELS } from '../../schema/events.ts';
import type { EventLogFilter, EventRecord } from './EventLog.ts';

export interface SqlConditions {
  /** Each starts with `AND`, or the text is empty. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function toSqlConditions({ types, ref, minLevel, source, sinceMs }: EventLogFilter): SqlConditions {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, value: SqlValue): void => {
    conditions.push(`AND ${condition}`);
    values.push(value);
  };
  if (ref !== undefined) add('ref = ?', ref);
  if (source !== undefined) add('source = ?', source);
  if (minLevel !== undefined) add('level >= ?', EVENT_LEVELS.indexOf(minLevel));
  if (sinceMs !== undefined) add('at_ms >= ?', sinceMs);
  if (types !== undefined) {
    add('EXISTS (SELECT 1 FROM json_each(?) AS glob WHERE events.type GLOB glob.value)', toSqlGlobs(types));
  }
  return { sql: conditions.join(' '), values };
}

export function toPredicate(filter: EventLogFilter): (record: EventRecord) => boolean {
  const { types, ref, minLevel, source, sinceMs } = filter;
  const globs = types?.map(toRegExp);
  const level = minLevel === undefined ? undefined : EVENT_LEVELS.indexOf(minLevel);
  return (record) =>
    (ref === undefined || record.ref === ref) &&
    (source === undefined || record.source === source) &&
    (level === undefined || EVENT_LEVELS.indexOf(record.level) >= level) &&
    (sinceMs === undefined || record.atMs >= sinceMs) &&
    (globs === undefined || globs.some((glob) => glob.test(record.type)));
}

/** Our globs know `*` only; SQLite's `?` and `[` stand for themselves. */
function toSqlGlobs(types: readonly string[]): string {
  return JSON.stringify(types.map((type) => type.replace(/[?[]/g, '[$&]')));
}

function toRegExp(glob: string): RegExp {
  return new RegExp(`^${glob.split('*').map(RegExp.escape).join('.*')}$`, 's');
}
