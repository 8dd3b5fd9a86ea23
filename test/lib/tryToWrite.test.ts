import { expect, test } from 'vitest';
import { StateFileError } from '../../lib/StateDatabase.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';

test.each([
  ['a file that cannot be written', new StateFileError('store.write_failed', 'Cannot write'), []],
  ['a defect', new Error('a defect'), [{ err: new Error('a defect'), type: 'a.b' }]],
])('tryToWrite() does not throw for %s, and logs defects alone', (_what, failure, expected) => {
  const told: unknown[] = [];
  const write = (): void => {
    throw failure;
  };
  tryToWrite(write, { error: (fields) => told.push(fields) }, { type: 'a.b' });
  expect(told).toEqual(expected);
});
