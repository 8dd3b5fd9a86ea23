/** What is and what is not there in the answers of the contract. Pure. */
import { FlotillaError } from '../../../schema/errors.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './RestCalls.ts';

/** @throws {FlotillaError} NOT_FOUND without a row. */
export function found<T>(row: T | undefined, kind: string, key: unknown): T {
  if (row !== undefined) return row;
  throw new FlotillaError('NOT_FOUND', `no ${kind} has the key "${key}"`);
}

/** What of a list is an object; nothing when it is no list. */
export function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.map(asRecord).filter((row) => row !== undefined) : [];
}
