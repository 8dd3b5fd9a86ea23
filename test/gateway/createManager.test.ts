/** The manager half over a real worker: both roads, the registry's own fields. */
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../gateway/fleet/FleetContext.ts';
import { openManager } from '../support/openManager.ts';

test('the public schema has both subgraphs and nothing of the routes', async () => {
  await using manager = await openManager();
  const { data } = await manager.ask('{ __schema { types { name } directives { name } } a: __typename }');
  const types = data.__schema.types.map(({ name }: { name: string }) => name);
  expect(types).toContain('Task');
  expect(types).not.toContain('FleetRoute');
  expect(data.__schema.directives.map(({ name }: { name: string }) => name)).not.toContain('fleet');
  expect(data.a).toBe('Query');
});

test('the own row is the first of the fleet, and every member has one', async () => {
  await using manager = await openManager();
  await manager.worker.config.update({
    instance: { manager: { instances: [{ name: 'beta', url: 'http://127.0.0.1:9' }] } },
  });
  const { data } = await manager.ask('{ instances { name url state role version managedCount detail } }');
  expect(data.instances).toEqual([
    {
      name: 'alpha',
      url: 'http://127.0.0.1:4114',
      state: 'LIVE',
      role: 'MANAGER',
      version: '1.2.3',
      managedCount: 0,
      detail: null,
    },
    {
      name: 'beta',
      url: 'http://127.0.0.1:9',
      state: 'UNREACHABLE',
      role: null,
      version: '',
      managedCount: 0,
      detail: expect.any(String),
    },
  ]);
});

test('what crosses into the registry is answered with the stock gateway, aliases of key fields as well', async () => {
  await using manager = await openManager();
  await manager.ask(
    'mutation { createTask(input: { name: "one", goal: "g", ref: "github:o/r#1" }) { ref } }',
  );
  const { data, errors } = await manager.ask(
    'query ($representations: ID!) { task(ref: $representations) { instance: name owner { name: url state } } }',
    { representations: 'github:o/r#1' },
  );
  expect(errors).toEqual([]);
  expect(data.task).toEqual({ instance: 'one', owner: { name: 'http://127.0.0.1:4114', state: 'LIVE' } });
});

test('an error has its code and its path on both roads', async () => {
  await using manager = await openManager();
  const first = await manager.ask('{ task(ref: "o/x#1") { ref } }');
  const second = await manager.ask('{ task(ref: "o/x#1") { ref owner { state } } }');
  for (const { data, errors } of [first, second]) {
    expect(data).toEqual({ task: null });
    expect(errors).toMatchObject([{ path: ['task'], extensions: { code: 'NOT_FOUND' } }]);
    expect(errors[0].extensions.serviceName).toBeUndefined();
  }
});

test('own health and identity tell of the fleet', async () => {
  await using manager = await openManager();
  await manager.ask(
    'mutation { createTask(input: { name: "one", goal: "g", ref: "github:o/r#1" }) { ref } }',
  );
  const well = await manager.ask(
    '{ health { role status instance instances { name } } instance { role instance managed { ref instance } } }',
  );
  expect(well.data).toEqual({
    health: { role: 'MANAGER', status: 'ok', instance: null, instances: [] },
    instance: { role: 'MANAGER', instance: null, managed: [{ ref: 'github:o/r#1', instance: 'alpha' }] },
  });
  await manager.ask('mutation { registerInstance(name: "beta", url: "http://127.0.0.1:9") { written } }');
  const ill = await manager.ask('{ health { status instances { name url state detail } } }');
  expect(ill.data.health).toEqual({
    status: 'degraded',
    instances: [
      { name: 'beta', url: 'http://127.0.0.1:9', state: 'UNREACHABLE', detail: expect.any(String) },
    ],
  });
});

test('registering and unregistering write the file, answer with the name, and are told in the log', async () => {
  await using manager = await openManager();
  const registered = await manager.ask(
    'mutation { registerInstance(name: "beta", url: "http://127.0.0.1:9/") { instance written changed } }',
  );
  expect(registered.data.registerInstance).toEqual({
    instance: 'beta',
    written: true,
    changed: ['instance.manager.instances'],
  });
  expect(manager.worker.config.current().instance.manager.instances).toMatchObject([
    { name: 'beta', url: 'http://127.0.0.1:9' },
  ]);
  await manager.ask('mutation { unregisterInstance(name: "beta") { instance } }');
  expect(manager.worker.config.current().instance.manager.instances).toEqual([]);
  const unknown = await manager.ask('mutation { unregisterInstance(name: "beta") { instance } }');
  expect(unknown.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  const records = manager.worker.log.read({
    limit: 100,
    filter: { types: ['config.updated', 'instance.*registered'] },
  });
  expect(records.map(({ type, data }) => [type, data])).toEqual([
    ['config.updated', { path: expect.any(String), keys: ['instance.manager.instances'] }],
    ['instance.registered', { instance: 'beta' }],
    ['config.updated', { path: expect.any(String), keys: ['instance.manager.instances'] }],
    ['instance.unregistered', { instance: 'beta' }],
  ]);
});

test('registrations at the same time are all kept', async () => {
  await using manager = await openManager();
  await Promise.all(
    [1, 2, 3].map((number) =>
      manager.ask(
        `mutation { registerInstance(name: "m${number}", url: "http://127.0.0.1:9/${number}") { written } }`,
      ),
    ),
  );
  expect(
    manager.worker.config
      .current()
      .instance.manager.instances.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['m1', 'm2', 'm3']);
});

test('a list read without a member is told in the log, at debug', async () => {
  await using manager = await openManager();
  await manager.ask('mutation { registerInstance(name: "beta", url: "http://127.0.0.1:9") { written } }');
  const { context } = await manager.ask('{ tasks { nodes { ref } } }');
  expect([...context.unreachable.keys()]).toEqual(['beta']);
  const records = manager.worker.log.read({ limit: 10, filter: { types: ['aggregate.partial'] } });
  expect(records).toMatchObject([{ level: 'DEBUG', data: { operation: 'tasks', left_out: ['beta'] } }]);
});

test('events of the fleet are subscribed to, with what is selected of their tasks', async () => {
  await using manager = await openManager();
  const document = parse('subscription { taskEvents { type instance task { name owner { state } } } }');
  expect(validate(manager.manager.schema, document)).toEqual([]);
  const client = new AbortController();
  const stream = await manager.manager.subscribe({ document, context: createFleetContext(client.signal) });
  if (!(Symbol.asyncIterator in stream)) throw new Error('A stream was expected');
  const events = stream[Symbol.asyncIterator]();
  const next = events.next();
  await manager.ask(
    'mutation { createTask(input: { name: "one", goal: "g", ref: "github:o/r#1" }) { ref } }',
  );
  expect(JSON.parse(JSON.stringify((await next).value))).toEqual({
    data: {
      taskEvents: {
        type: 'task.created',
        instance: 'alpha',
        task: { name: 'one', owner: { state: 'LIVE' } },
      },
    },
  });
  client.abort();
  await events.return?.();
});
