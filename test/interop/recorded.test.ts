/** The recorded answers are still those of the real service. `UPDATE_FIXTURES=1` records them anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PYTHON, PythonService } from '../support/PythonService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { type Exchange, recordExchanges, shapeOf } from './recordExchanges.ts';

const FIXTURE = new URL('../fixtures/rest-member/exchanges.json', import.meta.url);

test.skipIf(!PYTHON)('the recorded exchanges have the shapes of the real service', async () => {
  using directory = temporaryDirectory();
  await using service = await PythonService.start({
    name: 'alpha',
    directory: join(directory.path, 'alpha'),
  });
  const exchanges = await recordExchanges(service);
  if (process.env.UPDATE_FIXTURES === '1')
    writeFileSync(FIXTURE, `${JSON.stringify(exchanges, undefined, 1)}\n`);
  const recorded = JSON.parse(readFileSync(FIXTURE, 'utf8')) as readonly Exchange[];
  for (const [index, { method, path, status, answer }] of exchanges.entries()) {
    const before = recorded[index];
    expect({ method, path, status, answer: shapeOf(answer) }).toEqual({
      method: before?.method,
      path: before?.path,
      status: before?.status,
      answer: shapeOf(before?.answer),
    });
  }
});
