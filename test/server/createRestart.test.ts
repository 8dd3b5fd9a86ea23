import { expect, test } from 'vitest';
import { createRestart } from '../../server/createRestart.ts';
import { ConfigError } from '../../subgraph/index.ts';
import { FakeClock } from '../support/FakeClock.ts';

test('begins after it has answered, and once however often it is asked', async () => {
  const clock = new FakeClock();
  let begun = 0;
  const restart = createRestart(() => (begun += 1), { clock, readConfig: () => ({}) });
  const receipt = { pid: process.pid, logfile: '' };
  expect([restart(), restart(), begun]).toEqual([receipt, receipt, 0]);
  await clock.advance(1);
  expect(begun).toBe(1);
});

test('a configuration that the next start would fail on is a conflict, and nothing begins', async () => {
  const clock = new FakeClock();
  const readConfig = () => {
    throw new ConfigError('/flotilla.yaml', [
      { key: 'service.port', line: 2, column: 3, message: 'expected a number' },
    ]);
  };
  const begin = () => expect.unreachable();
  expect(() => createRestart(begin, { clock, readConfig })()).toThrow(
    expect.objectContaining({ code: 'CONFLICT' }),
  );
  await clock.advance(1);
});
