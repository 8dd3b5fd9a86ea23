/** Slash commands of a plugin, in this process and elsewhere, and what the task makes of them. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { type JsonRpcAnswer, type JsonRpcServer, startJsonRpcServer } from '../support/JsonRpcServer.ts';
import { auditOf, eventsOf } from '../support/taskAccount.ts';
import { awaitParked, awaitReply, createTask, readTask, sendMessage } from '../support/taskClient.ts';
import { configOf, hostedTest, sharedByHost } from '../support/taskHosts.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { writePlugin } from '../support/writePlugin.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:1/rpc';

interface Desk extends AsyncDisposable {
  readonly directory: string;
  readonly remote: JsonRpcServer;
  readonly gate: Gate;
  readonly worker: InstanceProcess;
}

/** What the remote executor answers next. */
let remoteAnswer: JsonRpcAnswer = { result: { intents: [] } };

/** One worker for the whole file, and what its plugin speaks to. */
const deskOf = sharedByHost(async (host): Promise<Desk> => {
  await using resources = new AsyncDisposableStack();
  const directory = resources.adopt(temporaryDirectory(), (each) => each[Symbol.dispose]()).path;
  const remote = resources.use(await startJsonRpcServer(() => remoteAnswer));
  const gate = resources.use(await openGate());
  const desk = writePlugin(join(directory, 'desk'), deskFiles(remote.url));
  const worker = resources.use(
    new InstanceProcess('alpha', join(directory, 'alpha'), {
      plugins: [{ path: desk, override: true }],
      mcpServers: {
        orders: {
          command: process.execPath,
          args: [join(FIXTURES, 'ordersServer.ts')],
          env: { ORDERS_GATE: gate.url },
        },
      },
      scripted: {
        replies: [
          { text: 'Hello.' },
          { toolCalls: [{ tool: 'orders.gate' }] },
          { text: 'The gate was opened.' },
        ],
      },
      ...(await configOf(host)),
    }),
  );
  await worker.start();
  const owned = resources.move();
  return { directory, remote, gate, worker, [Symbol.asyncDispose]: () => owned.disposeAsync() };
});

/*
 * Feature: Slash commands
 * Scenario: a plugin takes the place of a built-in command, and a hook refuses what it should
 *   Requirement: spec/worker.md#21
 *   Given a plugin that is declared an override, with a command "status" and a hook that refuses the argument "no"
 *   When "/status" and "/status no" are sent
 *   Then the first reply is the plugin's
 *   And the second says with the code hook.abort why it is refused, and its executor has not run
 *   And a plugin that is no override has its "status" skipped with entity.conflict
 */
hostedTest(
  'a plugin takes the place of a built-in command, and a hook refuses what it should',
  async (host) => {
    const { directory, remote, worker } = await deskOf(host);
    const { url } = worker;
    const ref = await park(url, 'github:o/status#1');
    expect(await runCommand(url, ref, '/status')).toMatchObject({
      ok: true,
      text: 'The desk was asked 1 times',
    });
    const before = await factsOf(url, ref);
    expect(await runCommand(url, ref, '/status no')).toEqual({
      ok: false,
      error: 'hook.abort',
      text: expect.stringContaining('The desk is closed'),
    });
    expect(await factsOf(url, ref)).toEqual(before);
    expect(await runCommand(url, ref, '/status')).toMatchObject({ text: 'The desk was asked 2 times' });

    const desk = writePlugin(join(directory, 'other-desk'), deskFiles(remote.url));
    await using other = new InstanceProcess('beta', join(directory, 'beta'), {
      plugins: [desk],
      ...(await configOf(host)),
    });
    await other.start();
    expect(other.stderr).toMatch(/"part":"command status","code":"entity\.conflict"/);
  },
);

/*
 * Feature: Slash commands
 * Scenario: a remote executor that fails changes nothing, and is asked exactly once
 *   Requirement: spec/worker.md#22
 *   Given a command whose executor is another process
 *   When it answers 500, redirects, answers nonsense, an error, no intents, or nothing in time, or nobody is there
 *   Then each reply is a failure with the code command.transport
 *   And the executor was asked once for each that it could answer, and the task is as before but for these replies
 *   And the next command works
 */
hostedTest('a remote executor that fails changes nothing, and is asked exactly once', async (host) => {
  const { remote, worker } = await deskOf(host);
  const { url } = worker;
  const ref = await park(url, 'github:o/remote#1');
  const before = await factsOf(url, ref);
  const broken: readonly JsonRpcAnswer[] = [
    (response) => response.writeHead(500).end(),
    (response) => response.writeHead(307, { location: remote.url }).end(),
    (response) => response.end('nonsense'),
    { error: { code: -32000, message: 'closed' } },
    { result: { intents: 'none' } },
    () => {},
  ];
  for (const answer of broken) {
    remoteAnswer = answer;
    const asked = remote.requests.length;
    expect(await runCommand(url, ref, '/book x')).toMatchObject({ ok: false, error: 'command.transport' });
    expect(remote.requests.length - asked).toBe(1);
  }
  expect(await runCommand(url, ref, '/lost')).toMatchObject({ ok: false, error: 'command.transport' });
  expect(await factsOf(url, ref)).toEqual(before);

  remoteAnswer = { result: { intents: [{ kind: 'reply', text: 'booked' }] } };
  expect(await runCommand(url, ref, '/book x')).toEqual({ ok: true, error: null, text: 'booked' });
  expect(remote.requests.at(-1)).toMatchObject({
    method: 'commands.book',
    params: {
      invocation: { name: 'book', argv: ['x'], state: 'INPUT_REQUIRED', participant: { role: 'ADMIN' } },
    },
  });
});

/*
 * Feature: Slash commands
 * Scenario: a remote executor is not asked again when the instance is killed while it works
 *   Requirement: spec/worker.md#22
 *   Given a command whose executor, another process, has not answered yet
 *   When the instance is killed and started again
 *   Then the command has failed, the executor was asked once
 *   And the next command works
 */
hostedTest(
  'a remote executor is not asked again when the instance is killed while it works',
  async (host) => {
    const { directory, remote } = await deskOf(host);
    const desk = writePlugin(join(directory, 'slow-desk'), {
      'dev.flotilla/commands.json': {
        commands: [{ name: 'book', description: 'Books.', url: remote.url, timeout: 60 }],
      },
    });
    await using slow = new InstanceProcess('gamma', join(directory, 'gamma'), {
      plugins: [desk],
      scripted: { replies: [{ text: 'Hello.' }] },
      ...(await configOf(host)),
    });
    await slow.start();
    const ref = 'github:o/killed#1';
    await createTask(slow.url, 'Hello', { ref });
    await awaitParked(slow.url, { ref }, { lastReply: 'Hello.' });
    const asked = remote.requests.length;
    remoteAnswer = () => {};
    const lost = runCommand(slow.url, ref, '/book x').catch(() => undefined);
    await expect.poll(() => remote.requests.length).toBe(asked + 1);
    await slow.kill();
    await lost;
    await slow.start();

    const replies = async () =>
      (await eventsOf(slow.url, ref)).filter(({ type }) => type === 'task.commandReplied');
    // Temporal misses a heartbeat before it knows.
    await expect.poll(replies, { timeout: 60_000 }).toMatchObject([{ data: { name: 'book', ok: false } }]);
    expect(remote.requests.length).toBe(asked + 1);
    remoteAnswer = { result: { intents: [{ kind: 'reply', text: 'booked' }] } };
    expect(await runCommand(slow.url, ref, '/book y')).toMatchObject({ ok: true, text: 'booked' });
  },
);

/*
 * Feature: Slash commands
 * Scenario: a plugin's command is answered while a tool of the turn is blocked
 *   Requirement: spec/worker.md#23
 *   Requirement: spec/worker.md#24
 *   Given a task whose turn waits for a tool
 *   When "/ping" is sent, and then the tool answers
 *   Then the reply comes while the tool is still blocked and the task is WORKING, and the audit has the command as accepted
 *   And the turn finishes, the tool ran once, and the history has neither the command nor its reply
 */
hostedTest("a plugin's command is answered while a tool of the turn is blocked", async (host) => {
  const { gate, worker } = await deskOf(host);
  const { url } = worker;
  const ref = await park(url, 'github:o/ping#1');
  await sendMessage(worker.url, 'Wait for the gate', { ref });
  const release = await gate.asked();
  const before = await readTask(worker.url, { ref });
  expect(await runCommand(url, ref, '/ping')).toMatchObject({ ok: true, text: 'pong' });
  expect(await readTask(worker.url, { ref })).toEqual(before);
  expect(before.state).toBe('WORKING');
  const commands = (await eventsOf(url, ref)).filter(({ type }) => type === 'task.commandReplied');
  expect(await auditOf(url, ref)).toContainEqual(
    expect.objectContaining({ messageId: commands[0]?.data.messageId, accepted: true }),
  );
  release('open');

  const after = await awaitReply(worker.url, { ref }, 'The gate was opened.');
  expect(gate.count()).toBe(1);
  expect(after.texts.join('\n')).not.toMatch(/ping|pong/);
  const types = (await eventsOf(url, ref)).map(({ type }) => type);
  expect(types.indexOf('task.commandReplied')).toBeLessThan(types.indexOf('task.toolReturned'));
});

/*
 * Feature: Slash commands
 * Scenario: a command that throws, or asks for one thing that is wrong, changes nothing
 *   Requirement: spec/worker.md#25
 *   Given a command that throws "boom", and one with a valid and an invalid intent
 *   When both are sent
 *   Then both replies are failures, the first one with its "boom"
 *   And settings, history and everything else of the task are as before
 */
hostedTest('a command that throws, or asks for one thing that is wrong, changes nothing', async (host) => {
  const { worker } = await deskOf(host);
  const { url } = worker;
  const ref = await park(url, 'github:o/bad#1');
  const before = await factsOf(url, ref);
  expect(await runCommand(url, ref, '/bad')).toEqual({
    ok: false,
    error: 'command.failed',
    text: expect.stringMatching(/^bad: .*boom/),
  });
  expect(await runCommand(url, ref, '/half')).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^half: /),
  });
  expect(await factsOf(url, ref)).toEqual(before);
});

/*
 * Feature: Slash commands
 * Scenario: what a command asks for is done in a fixed order, whatever its own
 *   Requirement: spec/worker.md#26
 *   Given a command that returns a reply, a sub-task and settings, in this order
 *   When it is sent
 *   Then the settings change first, then the sub-task is there, then the reply comes, and it names the sub-task
 *   And the sub-task has the new settings
 */
hostedTest('what a command asks for is done in a fixed order, whatever its own', async (host) => {
  const { worker } = await deskOf(host);
  const { url } = worker;
  const ref = await park(url, 'github:o/fork#1');
  const seen = (await eventsOf(url, ref)).length;
  const { text } = await runCommand(url, ref, '/fork');
  const childId = /^Started (\S+)$/.exec(text)?.[1];
  const events = (await eventsOf(url, ref)).slice(seen);
  expect(
    events
      .map(({ type }) => type)
      .filter((type) => ['task.updated', 'task.childStarted', 'task.commandReplied'].includes(type)),
  ).toEqual(['task.updated', 'task.childStarted', 'task.commandReplied']);
  const started = events.find(({ type }) => type === 'task.childStarted');
  expect(started?.data).toMatchObject({ childId });
  const settings = { model: 'm7', effort: 'LOW' };
  expect((await factsOf(url, ref)).settings).toEqual(settings);
  expect((await factsOf(url, String(started?.data.childRef))).settings).toEqual(settings);
});

function deskFiles(url: string): Readonly<Record<string, unknown>> {
  const code = (name: string) => ({ name, description: 'A command.', import_path: `commands.mjs#${name}` });
  return {
    'commands.mjs': `
      let asked = 0;
      export function status() {
        asked += 1;
        return { intents: [{ kind: 'reply', text: 'The desk was asked ' + asked + ' times' }] };
      }
      export function ping() { return { intents: [{ kind: 'reply', text: 'pong' }] }; }
      export function bad() { throw new Error('boom'); }
      export function half() { return { intents: [{ kind: 'settings', model: 'm9' }, { kind: 'dance' }] }; }
      export function fork() {
        return { intents: [
          { kind: 'reply', text: 'Started {child.1}' },
          { kind: 'spawn', name: 'a fork' },
          { kind: 'settings', model: 'm7', effort: 'low' },
        ] };
      }
      export function refuseNo({ args }) {
        return args === 'no' ? { abort: { reason: 'policy', message: 'The desk is closed' } } : undefined;
      }`,
    'dev.flotilla/hooks.json': {
      hooks: [{ name: 'refuse-no', points: ['command.invoked.pre'], import_path: 'commands.mjs#refuseNo' }],
    },
    'dev.flotilla/commands.json': {
      commands: [
        ...['status', 'ping', 'bad', 'half', 'fork'].map(code),
        { name: 'book', description: 'Books.', url, timeout: 3 },
        { name: 'lost', description: 'Asks nobody.', url: NOBODY },
      ],
    },
  };
}

/** A parked task whose model has replied once. */
async function park(url: string, ref: string): Promise<string> {
  await createTask(url, 'Hello', { ref });
  await awaitParked(url, { ref }, { lastReply: 'Hello.' });
  return ref;
}

async function runCommand(url: string, ref: string, text: string) {
  const { runCommand: reply } = await readGraphQL(
    url,
    'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { ok text error } }',
    { ref, text },
  );
  return reply as { readonly ok: boolean; readonly text: string; readonly error: string | null };
}

/** What a failing command may not change; replies apart, no event either. */
async function factsOf(url: string, ref: string) {
  const { task } = await readGraphQL(
    url,
    `query ($ref: ID!) { task(ref: $ref) { state subState turns lastReply settings { model effort }
      history(first: 100) { nodes { __typename ... on HistoryMessage { text } } } } }`,
    { ref },
  );
  const others = (await eventsOf(url, ref)).filter(({ type }) => type !== 'task.commandReplied');
  return { ...task, events: others.length };
}

interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Resolves when somebody waits at the gate, with what lets it through. */
  asked(): Promise<(answer: string) => void>;
  /** How many have come. */
  count(): number;
}

async function openGate(): Promise<Gate> {
  const first = Promise.withResolvers<ServerResponse>();
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    first.resolve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => requests,
    async asked() {
      const response = await first.promise;
      return (answer) => response.end(answer);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
