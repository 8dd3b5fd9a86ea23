import { expect, test } from 'vitest';
import { createLogger } from '../../server/createLogger.ts';

test('createLogger() writes JSON lines from its level on', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  logger.debug({}, 'not written');
  logger.warn({ member: 'alpha' }, 'A member is away');
  logger.error({ err: new Error('broken') }, 'A defect');
  const [warning, defect] = lines.map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  expect(warning).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    pid: process.pid,
    member: 'alpha',
    msg: 'A member is away',
  });
  expect(defect.err).toMatchObject({
    message: 'broken',
    stack: expect.stringContaining('createLogger.test'),
  });
});
