import { expect, test } from 'vitest';
import { maskAnswer } from '../../../gateway/member/maskAnswer.ts';
import { answered, failed } from '../../../gateway/member/memberFailure.ts';
import { createRedactor } from '../../../lib/redact.ts';

const redact = createRedactor(['of-the-environment']);

test('maskAnswer() masks what errors say, and leaves the data as it is', () => {
  const data = { task: { goal: 'Change password=hunter2hunter2' } };
  const error = {
    message: 'no database at password=hunter2hunter2',
    path: ['task'],
    extensions: {
      code: 'CONFLICT',
      reason: 'of-the-environment',
      candidates: ['alpha', 'of-the-environment'],
    },
  };
  expect(maskAnswer(answered({ data, errors: [error] }), redact)).toEqual(
    answered({
      data,
      errors: [
        {
          message: 'no database at password=[REDACTED]',
          path: ['task'],
          extensions: { code: 'CONFLICT', reason: '[REDACTED]', candidates: ['alpha', '[REDACTED]'] },
        },
      ],
    }),
  );
});

test('maskAnswer() masks why there is no answer', () => {
  expect(maskAnswer(failed({ kind: 'status', reason: 'Bearer of-the-member' }), redact)).toEqual(
    failed({ kind: 'status', reason: 'Bearer [REDACTED]' }),
  );
});
