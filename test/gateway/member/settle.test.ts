import { expect, test } from 'vitest';
import { CallFailed } from '../../../gateway/member/CallFailed.ts';
import { settle } from '../../../gateway/member/settle.ts';
import { FlotillaError } from '../../../schema/errors.ts';

const { signal } = new AbortController();

test('settle() gives the answer', async () => {
  expect(await settle(signal, async () => 7)).toEqual({ kind: 'answer', answer: 7 });
});

test.each([
  [
    'a call without an answer',
    new CallFailed({ kind: 'transport', reason: 'connection closed' }),
    'transport',
  ],
  ['an error that the member told', new FlotillaError('MEMBER_ERROR', 'HTTP 500'), 'status'],
])('settle() makes a failure of %s', async (_what, error, kind) => {
  const result = await settle(signal, () => Promise.reject(error));
  expect(result).toEqual({ kind: 'failure', failure: { kind, reason: error.message } });
});

test('settle() does not begin after the abort, and rejects with a defect of ours', async () => {
  let isBegun = false;
  const result = await settle(AbortSignal.abort(new Error('left')), async () => {
    isBegun = true;
  });
  expect(result).toMatchObject({ kind: 'failure' });
  expect(isBegun).toBe(false);
  await expect(settle(signal, () => Promise.reject(new TypeError('a defect')))).rejects.toThrow('a defect');
});
