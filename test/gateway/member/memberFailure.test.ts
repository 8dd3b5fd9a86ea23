/** What a failed call says of whether the member can have got it. */
import { expect, test } from 'vitest';
import { isNotConnected, toMemberFailure } from '../../../gateway/member/memberFailure.ts';

const { signal } = new AbortController();

test.each([
  ['ECONNREFUSED', true],
  ['ENOTFOUND', true],
  ['EAI_AGAIN', true],
  ['ECONNRESET', false],
  ['UND_ERR_SOCKET', false],
  ['UND_ERR_HEADERS_TIMEOUT', false],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', false],
  ['E_SOMETHING', false],
])('after %s it is %j that there was no connection', (code, expected) => {
  const error = Object.assign(new Error('failed'), { code });
  expect(isNotConnected(toMemberFailure(error, signal))).toBe(expected);
});
