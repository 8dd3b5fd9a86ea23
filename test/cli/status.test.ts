import { expect, test } from 'vitest';
import {
  formatInstances,
  formatStatus,
  type StatusDocument,
  toFileStatus,
  toStatusDocument,
} from '../../cli/status.ts';
import { ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import type { FleetRow } from '../../schema/fleetDocument.ts';

function row(change: Partial<FleetRow>): FleetRow {
  return {
    name: 'hq',
    url: 'http://127.0.0.1:4114',
    state: 'live',
    version: '1.2.3',
    mode: 'open',
    managedCount: 3,
    sessionCount: 2,
    probedAt: '2026-01-01T00:00:00Z',
    ...change,
  };
}

function status(instances: readonly FleetRow[], change: Partial<StatusDocument> = {}): StatusDocument {
  return {
    health: { status: 'ok', version: '1.2.3' },
    scope: { mode: 'open', workItems: [] },
    instances: { role: 'manager', name: 'hq', instances },
    ...change,
  };
}

test('formatInstances() shows dashes and the reason for an instance that is not live', () => {
  const away = row({ name: 'beta', url: 'http://b', state: 'unreachable', detail: 'connection refused' });

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

test('formatInstances() keeps a reason on its line and away from the terminal', () => {
  const away = row({ name: 'beta', state: 'unreachable', detail: 'it said\n\u001b[2J nothing' });
  expect(formatInstances([row({}), away])).toMatch(/ it said \[2J nothing$/);
});

test('formatStatus() of a manager counts its members in the headline', () => {
  const instances = [
    row({}),
    row({ name: 'alpha', managedCount: 9 }),
    row({ name: 'beta', state: 'mismatched' }),
  ];

  const [, identity, ...lines] = formatStatus(status(instances)).split('\n');

  expect(identity).toBe('instance    hq [open] — 0 declared, 3 managed');
  expect(lines[0]).toBe('instances   hq [manager] — this instance + 2 registered, 2 of 3 live');
  expect(lines.slice(1).join('\n')).toBe(formatInstances(instances).replace(/^/gm, '  '));
});

test('formatStatus() of a worker has its health and identity only', () => {
  const text = formatStatus(
    status([row({ name: '', managedCount: 1 })], {
      health: { status: 'degraded', version: '1.2.3' },
      scope: { mode: 'locked', workItems: ['a:b/c#1'] },
      instances: { role: 'worker', name: '', instances: [row({ name: '', managedCount: 1 })] },
    }),
  );

  expect(text).toBe(
    'health      degraded, version 1.2.3\ninstance    (unnamed) [locked] — 1 declared, 1 managed',
  );
});

test('toStatusDocument() carries the fleet document as REST has it', () => {
  const member = { ...row({ probedAt: '2026-01-01T00:00:00.123Z' }), detail: null };
  const scope = { mode: 'open', workItems: [] };
  const health = { status: 'ok', version: '1.2.3' };
  expect(
    toStatusDocument({
      health,
      instance: { name: 'hq', role: 'MANAGER', scope },
      instances: [
        { ...member, state: 'LIVE' },
        { ...member, name: 'beta', state: 'MISMATCHED', detail: 'another name' },
      ],
    }),
  ).toEqual({
    health,
    scope,
    instances: {
      role: 'manager',
      name: 'hq',
      instances: [row({}), row({ name: 'beta', state: 'mismatched', detail: 'another name' })],
    },
  });
});

const SILENT = { status: 'not running', detail: 'nobody answers' };

test('toFileStatus() of a worker has its own row only, whatever its registry holds', () => {
  const config = ConfigSchema.parse({
    instance: { name: 'alpha', manager: { instances: [{ name: 'beta', url: 'http://b' }] } },
    service: { host: '::1', port: 4200 },
  });

  expect(toFileStatus(config, SILENT)).toEqual({
    health: { status: 'not running', version: '', detail: 'nobody answers' },
    scope: { mode: 'open', workItems: [] },
    instances: {
      role: 'worker',
      name: 'alpha',
      instances: [
        {
          ...{ name: 'alpha', url: 'http://[::1]:4200', state: 'unreachable', version: '', mode: '' },
          ...{ managedCount: 0, sessionCount: 0, probedAt: '', detail: 'nobody answers' },
        },
      ],
    },
  });
});

test('toFileStatus() of a manager lists its members as not probed', () => {
  const config = ConfigSchema.parse({
    instance: { name: 'hq', role: 'manager', manager: { instances: [{ name: 'beta', url: 'http://b' }] } },
  });

  expect(toFileStatus(config, SILENT).instances.instances).toMatchObject([
    { name: 'hq', url: 'http://127.0.0.1:4114', state: 'unreachable' },
    {
      name: 'beta',
      url: 'http://b',
      state: 'unprobed',
      detail: 'the manager that probes it was not reached',
    },
  ]);
});

test('toFileStatus() makes up no address for a service on any free port', () => {
  const config = ConfigSchema.parse({ service: { port: 0 } });
  const { instances } = toFileStatus(config, { status: 'unknown', detail: 'any free port' });
  expect(instances.instances).toMatchObject([{ url: '', state: 'unprobed', detail: 'any free port' }]);
});

test('formatStatus() of a service that was not reached says why, and counts only what its file declares', () => {
  const config = ConfigSchema.parse({
    instance: { name: 'alpha', scope: { mode: 'locked', workItems: ['github:o/r#1'] } },
  });

  expect(formatStatus(toFileStatus(config, SILENT))).toBe(
    'health      not running, nobody answers\ninstance    alpha [locked] — 1 declared',
  );
});
