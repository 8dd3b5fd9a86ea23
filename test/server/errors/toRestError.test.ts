import { expect, test } from 'vitest';
import { badUserInput, ERROR_CODES, type ErrorCode } from '../../../schema/errors.ts';
import { toRestError, validationFailed } from '../../../server/errors/toRestError.ts';

test.each(Object.keys(ERROR_CODES) as ErrorCode[])(
  'toRestError() gives %s the status of the table',
  (code) => {
    const { status, body } = toRestError({ message: 'It is so', extensions: { code } });
    expect(status).toBe(ERROR_CODES[code].httpStatus);
    expect(body).toEqual({ detail: 'It is so' });
  },
);

test('toRestError() carries the candidates and the member', () => {
  const extensions = { code: 'CONFLICT', candidates: ['alpha', 'beta'], instance: 'alpha', other: 1 };
  expect(toRestError({ message: 'Two', extensions }).body).toEqual({
    detail: 'Two',
    candidates: ['alpha', 'beta'],
    instance: 'alpha',
  });
});

test('toRestError() takes our own errors', () => {
  expect(toRestError(badUserInput('Wrong'))).toEqual({ status: 400, body: { detail: 'Wrong' } });
});

test('toRestError() gives the problems of a request in the documented shape', () => {
  const problem = { loc: ['query', 'ref'], msg: 'Field required', type: 'missing' };
  expect(toRestError(validationFailed([problem]))).toEqual({ status: 422, body: { detail: [problem] } });
});

test('toRestError() masks a code that is not in the table', () => {
  const error = { message: 'Unknown argument', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
  expect(toRestError(error)).toEqual({ status: 500, body: { detail: 'Internal server error' } });
});
