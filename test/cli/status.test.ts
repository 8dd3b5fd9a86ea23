import { expect, test } from 'vitest';
import { formatInstances, formatStatus } from '../../cli/status.ts';
import type { CliStatusQuery } from '../../schema/generated/cliOperations.ts';

type Row = CliStatusQuery['instances'][number];

function row(change: Partial<Row>): Row {
  return {
    name: 'hq',
    url: 'http://127.0.0.1:4114',
    role: 'MANAGER',
    state: 'LIVE',
    version: '1.2.3',
    mode: 'open',
    managedCount: 3,
    sessionCount: 2,
    probedAt: '2026-01-01T00:00:00.000Z',
    detail: null,
    ...change,
  };
}

function status(change: Partial<CliStatusQuery>): CliStatusQuery {
  return {
    health: { status: 'ok', version: '1.2.3', role: 'MANAGER', instances: [] },
    instance: { name: 'hq', scope: { mode: 'open', workItems: [] }, managed: [] },
    instances: [row({})],
    ...change,
  };
}

test('formatInstances() shows dashes and the reason for an instance that is not live', () => {
  const away = row({ name: 'beta', url: 'http://b', state: 'UNREACHABLE', detail: 'connection refused' });

  expect(formatInstances([row({}), row({ name: 'alpha', url: 'http://a' }), away]).split('\n')).toEqual([
    'name   url                    state        version  mode  managed  sessions',
    'hq     http://127.0.0.1:4114  live         1.2.3    open  3        2         (this instance)',
    'alpha  http://a               live         1.2.3    open  3        2',
    'beta   http://b               unreachable  —        —     —        —         connection refused',
  ]);
});

test('formatInstances() names an own row without a name', () => {
  expect(formatInstances([row({ name: '' })])).toMatch(/^\(unnamed\) +http/m);
});

test('formatStatus() of a manager counts its members in the headline', () => {
  const instances = [row({}), row({ name: 'alpha' }), row({ name: 'beta', state: 'MISMATCHED' })];

  expect(formatStatus(status({ instances }))).toContain(
    'instances   hq [manager] — this instance + 2 registered, 2 of 3 live\n  name ',
  );
});

test('formatStatus() of a worker has its health and identity only', () => {
  const text = formatStatus(
    status({
      health: { status: 'degraded', version: '1.2.3', role: 'WORKER', instances: [] },
      instance: {
        name: '',
        scope: { mode: 'locked', workItems: ['a:b/c#1'] },
        managed: [{ ref: 'a:b/c#1' }],
      },
    }),
  );

  expect(text).toBe(
    'health      degraded, version 1.2.3\ninstance    (unnamed) [locked] — 1 declared, 1 managed',
  );
});
