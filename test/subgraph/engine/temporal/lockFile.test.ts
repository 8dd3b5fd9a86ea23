import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../../../../subgraph/engine/temporal/lockFile.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

test('lockFile() is for one at a time, and the next one when that is over', () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, 'state.lock');
  const first = lockFile(path, 'the state');
  expect(() => lockFile(path, 'the state')).toThrow('in use by another process');
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using second = lockFile(path, 'the state');
  expect(second).toBeDefined();
});
