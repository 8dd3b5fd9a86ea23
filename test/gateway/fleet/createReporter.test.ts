import { expect, test } from 'vitest';
import { createReporter } from '../../../gateway/fleet/createReporter.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { StateFileError } from '../../../lib/StateDatabase.ts';
import { createTestWorker } from '../../support/createTestWorker.ts';
import { FakeClock } from '../../support/FakeClock.ts';

function open() {
  const clock = new FakeClock();
  const worker = createTestWorker({ name: 'hq', clock, instances: [] });
  const reporter = createReporter({ log: worker.log, clock, logger: silentLogger });
  const written = () => worker.log.read({ limit: 5000 }).map(({ type, level, data }) => [type, level, data]);
  return { clock, reporter, written, log: worker.log };
}

const PARTIAL = ['aggregate.partial', 'DEBUG', { operation: 'tasks', left_out: ['alpha', 'beta'] }];

test('a partial read is told at once, those within the second after it together, each of them', () => {
  const { clock, reporter, written } = open();
  reporter.partial('tasks', ['beta', 'alpha']);
  expect(written()).toEqual([PARTIAL]);
  reporter.partial('tasks', ['beta', 'alpha']);
  reporter.partial('tasks', ['beta', 'alpha']);
  expect(written()).toHaveLength(1);
  clock.advance(1000);
  expect(written()).toEqual([PARTIAL, PARTIAL, PARTIAL]);
  clock.advance(1000);
  reporter.partial('tasks', ['beta', 'alpha']);
  expect(written()).toHaveLength(4);
});

test('a thousand partial reads are written without waiting', () => {
  const { reporter, written } = open();
  for (let read = 0; read < 1001; read += 1) reporter.partial('tasks', ['alpha']);
  expect(written()).toHaveLength(1001);
});

test('closing writes what is collected, and nothing after it; no timer is left', () => {
  const { clock, reporter, written } = open();
  reporter.partial('tasks', ['alpha']);
  reporter.partial('tasks', ['alpha']);
  reporter[Symbol.dispose]();
  expect(written()).toHaveLength(2);
  reporter.partial('tasks', ['alpha']);
  reporter.malformed('alpha', 'tasks', 'why');
  expect(written()).toHaveLength(2);
  expect(clock.timers).toBe(0);
});

test('a log that cannot be written fails no read and no timer', () => {
  const { clock, reporter, written, log } = open();
  const { append } = log;
  log.append = () => {
    throw new StateFileError('store.write_failed', 'Cannot write');
  };
  reporter.partial('tasks', ['alpha']);
  reporter.partial('tasks', ['alpha']);
  reporter.malformed('alpha', 'tasks', 'no list');
  clock.advance(1000);
  expect(written()).toEqual([]);
  log.append = append;
  reporter.partial('tasks', ['beta', 'alpha']);
  clock.advance(1000);
  expect(written()).toEqual([PARTIAL]);
});

test('an answer that is dropped is told at once', () => {
  const { reporter, written } = open();
  reporter.malformed('alpha', 'tasks', 'no list');
  expect(written()).toMatchObject([
    ['instance.malformed', 'ERROR', { instance: 'alpha', operation: 'tasks', reason: 'no list' }],
  ]);
});
