import { expect, test } from 'vitest';
import { createRedactor } from '../../lib/redact.ts';
import { createLogger, type LoggerOptions } from '../../server/createLogger.ts';

function openLog(options: LoggerOptions = {}) {
  const lines: string[] = [];
  const logger = createLogger('info', { ...options, destination: { write: (line) => lines.push(line) } });
  return { logger, entries: () => lines.map((line) => JSON.parse(line)) };
}

test('createLogger() writes JSON lines from its level on', () => {
  const { logger, entries } = openLog();
  logger.debug({}, 'not written');
  logger.warn({ member: 'alpha' }, 'A member is away');
  logger.error({ err: new Error('broken', { cause: new Error('the disk') }) }, 'A defect');
  const [warning, defect, ...others] = entries();
  expect(others).toEqual([]);
  expect(warning).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    pid: process.pid,
    member: 'alpha',
    msg: 'A member is away',
  });
  expect(defect.err).toMatchObject({
    type: 'Error',
    message: 'broken: the disk',
    stack: expect.stringContaining('createLogger.test'),
  });
});

test('createLogger() gives every line its context, which the fields of a line win over', () => {
  let requestId = 'one';
  const { logger, entries } = openLog({ context: () => ({ instance: 'hq', requestId }) });
  logger.info({}, 'first');
  requestId = 'two';
  logger.info({ instance: 'alpha' }, 'second');
  expect(entries()).toMatchObject([
    { instance: 'hq', requestId: 'one' },
    { instance: 'alpha', requestId: 'two' },
  ]);
});

test('createLogger() masks credentials in messages, fields and errors', () => {
  const { logger, entries } = openLog({ redact: createRedactor(['hunter2']) });
  const err = new Error('refused hunter2');
  logger.error({ err, header: 'Bearer 0123456789', password: 'anything' }, 'With hunter2');
  const [entry] = entries();
  expect(entry).toMatchObject({
    msg: 'With [REDACTED]',
    header: 'Bearer [REDACTED]',
    password: '[REDACTED]',
    err: { message: 'refused [REDACTED]' },
  });
  expect(JSON.stringify(entry)).not.toContain('hunter2');
});
