/** A GraphQL response body of a member as a `MemberAnswer`: the shape is checked, the data is not. */
import type { MemberAnswer, MemberErrorEntry } from './Member.ts';
import { asRecord } from './parseMemberJson.ts';

/** Undefined when the body is no GraphQL response. */
export function toMemberAnswer(body: unknown): MemberAnswer | undefined {
  const response = asRecord(body);
  if (!response) return undefined;
  const data = response.data === undefined || response.data === null ? null : asRecord(response.data);
  const errors = response.errors === undefined ? [] : toErrors(response.errors);
  if (data === undefined || errors === undefined) return undefined;
  return data === null && errors.length === 0 ? undefined : { data, errors };
}

function toErrors(value: unknown): readonly MemberErrorEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const errors = value.map(toError);
  return errors.every((error) => error !== undefined) ? errors : undefined;
}

function toError(value: unknown): MemberErrorEntry | undefined {
  const { message, path, extensions } = asRecord(value) ?? {};
  if (typeof message !== 'string') return undefined;
  return {
    message,
    ...(isPath(path) && { path }),
    ...(asRecord(extensions) && { extensions: asRecord(extensions) }),
  };
}

function isPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' || Number.isSafeInteger(key));
}
