import { expect, test } from 'vitest';
import type { LogFields } from '../../lib/Logger.ts';
import { withFields } from '../../lib/withFields.ts';

test('withFields() gives every line its fields, which those of the line win over', () => {
  const lines: unknown[] = [];
  const write = (level: string) => (fields: LogFields, message: string) =>
    lines.push([level, fields, message]);
  const logger = withFields(
    { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    { component: 'worker', instance: 'hq' },
  );
  logger.debug({}, 'one');
  logger.info({ instance: 'alpha' }, 'two');
  logger.warn({ count: 1 }, 'three');
  logger.error({}, 'four');
  expect(lines).toEqual([
    ['debug', { component: 'worker', instance: 'hq' }, 'one'],
    ['info', { component: 'worker', instance: 'alpha' }, 'two'],
    ['warn', { component: 'worker', instance: 'hq', count: 1 }, 'three'],
    ['error', { component: 'worker', instance: 'hq' }, 'four'],
  ]);
});
