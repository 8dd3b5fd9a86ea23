/** Existing A2A agents behind a manager: the card, rows, keys and refusals (docs/guides/a2a-members.md). */
import { expect, test } from 'vitest';
import { type A2AServer, type A2AServerOptions, createA2AServer, type Row } from '../support/A2AServer.ts';
import { runCli } from '../support/CliProcess.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { answerWith, MISBEHAVIOURS, redirectTo } from '../support/MemberServer.ts';

const REF = 'a2a:agent/t%2F1#1';

interface AgentFleet extends AsyncDisposable {
  readonly fleet: HostileFleet;
  readonly agent: A2AServer;
}

interface AgentFleetOptions {
  readonly agent?: A2AServerOptions;
  /** Keys of the agent's entry. */
  readonly entry?: { readonly tokenEnv?: string; readonly participant?: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Name of a standing session of the manager. @default it has none */
  readonly standing?: string;
  /** Longest wait for an answer of a member. @default 10 */
  readonly timeoutSeconds?: number;
  /** Done before the manager begins to probe. @default nothing */
  readonly prepare?: (agent: A2AServer) => void;
}

/** A manager `hq` over a worker `alpha` of ours and an agent `agent` of another make. */
async function openAgentFleet(options: AgentFleetOptions = {}): Promise<AgentFleet> {
  await using resources = new AsyncDisposableStack();
  const agent = resources.use(await createA2AServer(options.agent));
  options.prepare?.(agent);
  const fleet = resources.use(
    await openHostileFleet({
      members: { alpha: ['github:o/r#1'] },
      strangers: [{ name: 'agent', url: agent.url, kind: 'a2a', ...options.entry }],
      manager: { timeoutSeconds: options.timeoutSeconds ?? 10 },
      ...(options.standing !== undefined && { sections: { standingSessions: [{ name: options.standing }] } }),
      ...(options.env && { env: options.env }),
    }),
  );
  const owned = resources.move();
  return { fleet, agent, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/*
 * Feature: A2A agents as members
 * Scenario: the tasks of an agent are in the list beside those of a worker
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Requirement: docs/guides/a2a-members.md#refs
 *   Given a manager over a worker and an agent, each with work of its own
 *   When tasks are listed in the graph and in the REST contract, in pages and whole
 *   Then the lists are the union, every row is stamped, and a row of the agent has a ref that the REST contract takes
 */
test('the tasks of an agent are in the list beside those of a worker', async () => {
  await using open = await openAgentFleet();
  const { fleet, agent } = open;
  agent.addTask('t/1', { name: 'Water the plants', state: 'INPUT_REQUIRED', reply: 'which ones?' });
  agent.addTask('t2', { participant: 'alice' });
  const fields = 'instance ref name state';
  const { body } = await fleet.ask(`{ tasks(orderBy: REF_ASC) { nodes { ${fields} } } }`);
  expect(body.errors).toBeUndefined();
  expect(body.data.tasks.nodes).toEqual([
    { instance: 'agent', ref: REF, name: 'Water the plants', state: 'INPUT_REQUIRED' },
    { instance: 'alpha', ref: 'github:o/r#1', name: 'work of alpha', state: 'INPUT_REQUIRED' },
  ]);
  const refs: string[] = [];
  for (let after = 'null'; refs.length < 2; ) {
    const page = await fleet.ask(
      `{ tasks(first: 1, after: ${after}, orderBy: REF_ASC) { nodes { ref } pageInfo { endCursor } } }`,
    );
    refs.push(page.body.data.tasks.nodes[0].ref);
    after = JSON.stringify(page.body.data.tasks.pageInfo.endCursor);
  }
  expect(refs).toEqual([REF, 'github:o/r#1']);

  const list = await fleet.get('/api/v1/work-items');
  expect(list.headers['the-loop-instances-unreachable']).toBeUndefined();
  expect(
    list.body.map(({ ref, instance }: { ref: string; instance: string }) => `${instance} ${ref}`),
  ).toEqual([`agent ${REF}`, 'alpha github:o/r#1']);
  const one = await fleet.get(`/api/v1/work-items/one?ref=${encodeURIComponent(REF)}`);
  expect(one.body).toMatchObject({
    instance: 'agent',
    ref: REF,
    task: { id: 't/1', name: 'Water the plants' },
  });
});

/*
 * Feature: A2A agents as members
 * Scenario: a task of an agent is read, written to and cancelled by its ref alone
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Requirement: docs/guides/a2a-members.md#as-whom-it-is-asked
 *   Given an agent with a task of the participant that its entry names
 *   When the task is read, messaged twice with one id, messaged as somebody else, and cancelled twice
 *   Then the agent is asked once for each, as who was meant, and the worker never
 *   And what cannot be done is NOT_FOUND for a stranger and CONFLICT for the second cancellation
 */
test('a task of an agent is read, written to and cancelled by its ref alone', async () => {
  await using open = await openAgentFleet({ entry: { participant: 'ops' } });
  const { fleet, agent } = open;
  agent.addTask('t/1', { participant: 'ops' });
  const read = await fleet.ask(`{ task(ref: "${REF}") { instance state participants { id } } }`);
  expect(read.body.data.task).toEqual({ instance: 'agent', state: 'WORKING', participants: [{ id: 'ops' }] });

  const send = (participant: string) =>
    fleet.ask(
      `mutation { sendMessage(ref: "${REF}", text: "go on", messageId: "m", ${participant}) { instance accepted duplicate state } }`,
    );
  const receipt = { instance: 'agent', accepted: true, duplicate: false, state: 'WORKING' };
  expect((await send('participant: null')).body.data.sendMessage).toEqual(receipt);
  expect((await send('participant: null')).body.data.sendMessage).toEqual({ ...receipt, duplicate: true });
  expect((await send('participant: "eve"')).body.errors[0].extensions).toMatchObject({
    code: 'NOT_FOUND',
    instance: 'agent',
  });
  expect(agent.asked('SendMessage').map(({ headers }) => headers['x-participant-id'])).toEqual([
    'ops',
    'eve',
  ]);

  const cancel = () => fleet.ask(`mutation { cancelTask(ref: "${REF}") { state } }`);
  expect((await cancel()).body.data.cancelTask).toEqual({ state: 'CANCELED' });
  expect((await cancel()).body.errors[0]).toMatchObject({
    message: 'agent: refused: TASK_NOT_CANCELABLE',
    extensions: { code: 'CONFLICT', instance: 'agent' },
  });
  expect(agent.asked('CancelTask')).toHaveLength(2);
  expect(fleet.server('alpha').mutations).toBe(0);
});

/*
 * Feature: A2A agents as members
 * Scenario: an agent is not asked for the task of somebody else
 *   Requirement: docs/guides/a2a-members.md#refs
 *   Given a manager over a worker and an agent
 *   When tasks of the worker and of nobody are read and written to
 *   Then the worker answers for its own, the others are NOT_FOUND, and the agent hears of none of them
 */
test('an agent is not asked for the task of somebody else', async () => {
  await using open = await openAgentFleet();
  const { fleet, agent } = open;
  const own = await fleet.ask('{ task(ref: "github:o/r#1") { instance } }');
  expect(own.body.data.task).toEqual({ instance: 'alpha' });
  for (const ref of ['github:o/r#99', 'a2a:other/t#1', 'a2a:agent/%74#1']) {
    const { body } = await fleet.ask(`mutation { cancelTask(ref: "${ref}") { state } }`);
    expect(body.errors[0].extensions.code).toBe('NOT_FOUND');
  }
  const asked = new Set(agent.requests.map(({ operation }) => operation));
  expect([...asked].sort()).toEqual(['ListTasks', 'card']);
});

/*
 * Feature: A2A agents as members
 * Scenario: what an agent cannot do is said by name, and is never an empty answer
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Given a manager over a worker and an agent
 *   When operations that A2A does not have are asked of the agent
 *   Then each is NOT_SUPPORTED and 501, with its name
 */
test('what an agent cannot do is said by name, and is never an empty answer', async () => {
  await using open = await openAgentFleet();
  const { fleet, agent } = open;
  agent.addTask('t/1');
  const refused: Readonly<Record<string, string>> = {
    'Mutation.pauseTask': `mutation { pauseTask(ref: "${REF}") { state } }`,
    'Mutation.completeTask': `mutation { completeTask(ref: "${REF}") { state } }`,
    'Mutation.runCommand': `mutation { runCommand(ref: "${REF}", text: "/status") { text } }`,
    'Mutation.registerSession': `mutation { registerSession(ref: "${REF}", harness: "h", harnessSessionId: "s", instance: "agent") { ref } }`,
    'Query.config': '{ config(instance: "agent") { path } }',
    'Query.health': '{ health(instance: "agent") { status } }',
  };
  for (const [name, operation] of Object.entries(refused)) {
    const { body } = await fleet.ask(operation);
    expect(body.errors, name).toMatchObject([
      {
        message: `agent: Cannot do ${name.split('.')[1]}: it does not have ${name}`,
        extensions: { code: 'NOT_SUPPORTED', instance: 'agent' },
      },
    ]);
  }
  const health = await fleet.get('/api/v1/health?instance=agent');
  expect([health.status, health.body.instance]).toEqual([501, 'agent']);
  expect(health.body.detail).toContain('Cannot do health');
});

/*
 * Feature: A2A agents as members
 * Scenario: a list that an agent has nothing of is whole without it, also while it is down
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Given a manager over a worker and an agent, which is live and then down
 *   When lists are read that an agent cannot have rows of, and refs and names that cannot be an agent's are looked up
 *   Then the agent is named as left out of none of them
 *   And its tasks, their events and what waits for a person are listed, and named as left out once it is down
 */
test('a list that an agent has nothing of is whole without it, also while it is down', async () => {
  await using open = await openAgentFleet({ standing: 'clerk' });
  const { fleet, agent } = open;
  const header = async (path: string) =>
    (await fleet.get(`/api/v1/${path}`)).headers['the-loop-instances-unreachable'];
  const readAll = async () => {
    const ref = encodeURIComponent('github:o/r#1');
    for (const path of [
      'sessions',
      'standing-sessions',
      'daemons',
      'events/types',
      'standing-sessions/one?name=clerk',
      'standing-sessions/one?name=nobody',
      `work-items/one?ref=${ref}`,
      `work-items/one?ref=${encodeURIComponent('github:o/r#99')}`,
    ]) {
      expect(await header(path), path).toBeUndefined();
    }
    const { body } = await fleet.ask('{ commands { instance } sessions { instance } }');
    expect(body.extensions?.unreachable).toBeUndefined();
    const told = new Set(body.data.commands.map(({ instance }: { instance: string }) => instance));
    expect(told).toEqual(new Set(['hq', 'alpha']));
  };
  await readAll();
  // What was there at the first look is not told as new.
  expect(await header('events')).toBeUndefined();
  agent.addTask('t', { state: 'INPUT_REQUIRED', reply: 'which one?' });
  const attention = await fleet.get('/api/v1/attention');
  expect(attention.headers['the-loop-instances-unreachable']).toBeUndefined();
  expect(attention.body).toContainEqual({
    instance: 'agent',
    workItem: 'a2a:agent/t#1',
    kind: 'awaiting-input',
    detail: 'which one?',
  });
  const events = await fleet.get('/api/v1/events?type=task.created');
  expect(events.headers['the-loop-instances-unreachable']).toBeUndefined();
  expect(events.body).toContainEqual(
    expect.objectContaining({ instance: 'agent', event: 'task.created', work_item: 'a2a:agent/t#1' }),
  );

  await agent[Symbol.asyncDispose]();
  expect(await header('work-items')).toBe('agent');
  expect(await fleet.states()).toMatchObject({ agent: { state: 'unreachable' } });
  await readAll();
  for (const path of ['attention', 'events']) expect(await header(path), path).toBe('agent');
});

/*
 * Feature: A2A agents as members
 * Scenario: a task is begun at an agent through every face that can
 *   Requirement: docs/guides/a2a-members.md#tasks-that-are-begun-here
 *   Given a manager over a worker and an agent
 *   When tasks are created at the agent in the graph, twice with one id, and from the command line
 *   Then the agent is sent each first message once, and the refs that come back lead to its tasks
 *   And what no message carries, and a session of the REST contract, are NOT_SUPPORTED, and nothing is sent
 */
test('a task is begun at an agent through every face that can', async () => {
  await using open = await openAgentFleet();
  const { fleet, agent } = open;
  const create = (input: string) =>
    fleet.ask(`mutation { createTask(input: { ${input} }, instance: "agent") { instance ref state } }`);
  const begun = { instance: 'agent', ref: 'a2a:agent/begun-1#1', state: 'WORKING' };
  expect((await create('message: "Say hello", messageId: "m1"')).body.data.createTask).toEqual(begun);
  expect((await create('message: "Say hello", messageId: "m1"')).body.data.createTask).toEqual(begun);
  agent.setStatus('begun-1', 'INPUT_REQUIRED', 'Hello');
  const read = await fleet.ask(`{ task(ref: "${begun.ref}") { lastReply } }`);
  expect(read.body.data.task).toEqual({ lastReply: 'Hello' });

  const target = ['--url', fleet.url, '--instance', 'agent'];
  const printed = await runCli(['tasks', 'new', 'Say', 'hello', 'again', ...target]);
  expect(printed).toMatchObject({ exitCode: 0, stdout: 'a2a:agent/begun-2#1 on agent: working\n' });
  const named = await runCli(['tasks', 'new', 'Hi', '--name', 'Greet', ...target]);
  expect(named.exitCode).toBe(1);
  expect(named.stderr).toContain('an A2A agent takes no "name" with a new task');

  const ref = 'github:o/r#7';
  const session = await fleet.post('/api/v1/sessions/register', {
    ref,
    harness: 'flotilla',
    harnessSessionId: 's',
    instance: 'agent',
  });
  expect([session.status, session.body.instance]).toEqual([501, 'agent']);
  expect((await create(`message: "x", ref: "${ref}"`)).body.errors[0]).toMatchObject({
    message: 'agent: Cannot do createTask: an A2A agent takes no "ref" with a new task',
    extensions: { code: 'NOT_SUPPORTED', instance: 'agent' },
  });
  const texts = agent.asked('SendMessage').map(({ params }) => (params.message as Row).parts);
  expect(texts).toEqual([[{ text: 'Say hello' }], [{ text: 'Say hello again' }]]);
});

/*
 * Feature: A2A agents as members
 * Scenario: an agent beside workers holds up no write of what agents cannot have
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Requirement: docs/guides/a2a-members.md#refs
 *   Given a manager with a standing session and a declared ref, over a worker and an agent that are live
 *   When they are read and written to by name and by ref, without an instance
 *   Then each is done by its holder, a name that nobody has is 404, and the agent is asked for none of it
 *   And when the agent is down, its refs are 502 and name it, and every other write is done as before
 */
test('an agent beside workers holds up no write of what agents cannot have', async () => {
  await using open = await openAgentFleet({ standing: 'clerk' });
  const { fleet, agent } = open;
  agent.addTask('t/1');
  const write = async (path: string, body: object) => {
    const answer = await fleet.post(`/api/v1/${path}`, body);
    return [answer.status, answer.body.instance];
  };
  const writeAll = async () => {
    const name = 'clerk';
    expect(await write('standing-sessions/control', { name, verb: 'start' })).toEqual([200, 'hq']);
    expect(await write('standing-sessions/say', { name, text: 'Hello' })).toEqual([200, 'hq']);
    expect(await write('standing-sessions/control', { name, verb: 'stop' })).toEqual([200, 'hq']);
    expect((await write('standing-sessions/delete', { name: 'nobody' }))[0]).toBe(404);
    expect(await write('sessions/reply', { ref: 'github:o/r#1', text: 'Go on' })).toEqual([200, 'alpha']);
    const ref = encodeURIComponent('github:o/r#1');
    for (const path of [
      'standing-sessions/one?name=clerk',
      `sessions/one?ref=${ref}`,
      `work-items/one?ref=${ref}`,
      `sessions/transcript?ref=${ref}`,
    ]) {
      expect((await fleet.get(`/api/v1/${path}`)).status, path).toBe(200);
    }
  };
  await writeAll();
  const asked = new Set(agent.requests.map(({ operation }) => operation));
  expect([...asked].sort()).toEqual(['ListTasks', 'card']);

  await agent[Symbol.asyncDispose]();
  await fleet.get('/api/v1/work-items');
  expect(await fleet.states()).toMatchObject({ agent: { state: 'unreachable' } });
  const { body } = await fleet.ask(`mutation { sendMessage(ref: "${REF}", text: "x") { state } }`);
  expect(body.errors[0].extensions).toMatchObject({ code: 'MEMBER_UNAVAILABLE', instance: 'agent' });
  expect(await write('sessions/reply', { ref: REF, text: 'x' })).toEqual([502, 'agent']);
  await writeAll();
});

/*
 * Feature: A2A agents as members
 * Scenario: the row of an agent says what its card and its tasks say
 *   Requirement: docs/guides/a2a-members.md#which-agents-are-taken
 *   Given an agent behind a path, over HTTP and JSON, that demands the bearer token of its entry
 *   When the fleet is read
 *   Then the agent is live, with the card's version and as many managed refs as it has open tasks
 *   And every request to it has the token, and nothing of the caller
 */
test('the row of an agent says what its card and its tasks say', async () => {
  const card = {
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
  await using open = await openAgentFleet({
    agent: { binding: 'HTTP+JSON', prefix: '/team', card },
    entry: { tokenEnv: 'AGENT_TOKEN' },
    env: { AGENT_TOKEN: 'hunter22' },
    prepare: (server) => {
      server.addTask('t/1');
      server.addTask('t2', { state: 'COMPLETED' });
    },
  });
  const { fleet, agent } = open;
  const caller = { cookie: 'secret=1', authorization: 'Bearer mine', 'x-mine': '1' };
  const { body } = await fleet.get('/api/v1/instances', caller);
  expect(body.instances).toContainEqual({
    name: 'agent',
    url: agent.url,
    state: 'live',
    version: '3.1.0',
    mode: '',
    managedCount: 1,
    sessionCount: 0,
    probedAt: expect.any(String),
  });
  const list = await fleet.get('/api/v1/work-items', caller);
  expect(list.body).toHaveLength(3);
  for (const { headers, path } of agent.requests) {
    expect(headers.authorization).toBe('Bearer hunter22');
    expect(headers.cookie ?? headers['x-mine']).toBeUndefined();
    expect(path).toMatch(/^\/(?:\.well-known\/agent-card\.json|v1\/tasks)/);
  }
});

const ELSEWHERE = 'http://127.0.0.1:1/rpc';

/*
 * Feature: A2A agents as members
 * Scenario: an agent whose card cannot be worked with is refused, and its row says why
 *   Requirement: docs/guides/a2a-members.md#which-agents-are-taken
 *   Given agents whose cards demand what a manager cannot give, lead elsewhere, or are none
 *   When the fleet and its tasks are read, and the agent is asked by name
 *   Then its row has the state and the reason, the others' tasks are served, and it is asked for nothing but its card
 */
test.each([
  [
    'a required extension',
    { capabilities: { extensions: [{ uri: 'urn:x', required: true }] } },
    'its card requires the extension "urn:x"',
  ],
  [
    'OAuth',
    {
      securitySchemes: { login: { oauth2SecurityScheme: { flows: {} } } },
      securityRequirements: [{ schemes: { login: { list: ['all'] } } }],
    },
    'its card demands OAuth 2.0',
  ],
  [
    'another address',
    { supportedInterfaces: [{ url: ELSEWHERE, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
    'its card names interfaces at other addresses than the registered one',
  ],
  [
    'an older version',
    { supportedInterfaces: [{ url: ELSEWHERE, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }] },
    'its card offers no A2A 1.0 over JSONRPC or HTTP+JSON',
  ],
  ['no interfaces', { supportedInterfaces: undefined }, 'there is no agent card of A2A 1.0'],
])(
  'an agent whose card cannot be worked with is refused, and its row says why',
  async (_what, card, detail) => {
    await using open = await openAgentFleet({ agent: { card } });
    const { fleet, agent } = open;
    agent.addTask('t/1');
    expect((await fleet.states()).agent).toMatchObject({ state: 'mismatched', detail });
    const { body } = await fleet.ask('{ tasks { nodes { instance } } }');
    expect(body.data.tasks.nodes).toEqual([{ instance: 'alpha' }]);
    expect(body.extensions.unreachable).toEqual(['agent']);
    const keyed = await fleet.ask(`{ task(ref: "${REF}", instance: "agent") { state } }`);
    expect(keyed.body.errors[0].extensions).toMatchObject({ code: 'MEMBER_UNAVAILABLE', instance: 'agent' });
    expect(new Set(agent.requests.map(({ path }) => path))).toEqual(
      new Set(['/.well-known/agent-card.json']),
    );
    expect(await fleet.events('instance.mismatched')).toHaveLength(1);
  },
);

/*
 * Feature: A2A agents as members
 * Scenario: an agent that misbehaves costs its own rows alone
 *   Requirement: docs/guides/a2a-members.md#which-agents-are-taken
 *   Requirement: docs/guides/a2a-members.md#what-the-graph-shows-of-it
 *   Given an agent whose card or list is too large, no JSON, of another shape, cut off, a redirect or never there
 *   When tasks are listed
 *   Then the others' rows are served in time, the agent is named as left out, and no text of its bodies is told
 */
test.each(
  ['card', 'ListTasks'].flatMap((operation) =>
    (
      [
        ['too large', MISBEHAVIOURS.oversized],
        ['no JSON', MISBEHAVIOURS.html],
        ['of another shape', MISBEHAVIOURS.wrongShape],
        ['cut off', MISBEHAVIOURS.cutOff],
        ['a redirect', redirectTo('http://127.0.0.1:1/')],
        ['never there', MISBEHAVIOURS.hang],
        ['an error', answerWith(500, { error: 'your secret is 4711' })],
      ] as const
    ).map(([what, how]) => [operation, what, how] as const),
  ),
)('an agent that misbehaves costs its own rows alone', async (operation, _what, how) => {
  const prepare = (agent: A2AServer): void => agent.misbehave(operation, how);
  await using open = await openAgentFleet({ prepare, timeoutSeconds: 3 });
  const { fleet } = open;
  const answer = await fleet.ask('{ tasks { nodes { instance } } instances { name state detail } }');
  const { data, extensions } = answer.body;
  expect(data.tasks.nodes).toEqual([{ instance: 'alpha' }]);
  expect(extensions.unreachable).toEqual(['agent']);
  expect(answer.durationMs).toBeLessThan(6_000);
  expect(answer.text + fleet.operatorLog).not.toContain('4711');
});

/*
 * Feature: A2A agents as members
 * Scenario: a change of an agent's entry is in force with the next request
 *   Requirement: docs/guides/a2a-members.md#as-whom-it-is-asked
 *   Given an agent with tasks of two participants, and an entry that names one of them
 *   When the entry comes to name the other one, and then to be of a worker
 *   Then the list has the other one's tasks without a restart, and then the member is no instance of this product
 */
test("a change of an agent's entry is in force with the next request", async () => {
  await using open = await openAgentFleet({
    entry: { participant: 'alice' },
    prepare: (agent) => {
      agent.addTask('hers', { participant: 'alice' });
      agent.addTask('theirs');
    },
  });
  const { fleet, agent } = open;
  const alpha = { name: 'alpha', url: fleet.server('alpha').url };
  const enter = (entry: object) =>
    fleet.ask('mutation ($patch: JSON!) { updateConfig(patch: $patch) { restartRequired } }', {
      patch: { instance: { manager: { instances: [alpha, { name: 'agent', url: agent.url, ...entry }] } } },
    });
  const ids = async (): Promise<string[]> => {
    const { body } = await fleet.ask('{ tasks(orderBy: REF_ASC) { nodes { instance id } } }');
    return body.data.tasks.nodes
      .filter(({ instance }: { instance: string }) => instance === 'agent')
      .map(({ id }: { id: string }) => id);
  };
  expect(await ids()).toEqual(['hers']);
  expect((await enter({ kind: 'a2a' })).body.data.updateConfig.restartRequired).toEqual([]);
  expect(await ids()).toEqual(['theirs']);
  await enter({});
  expect(await ids()).toEqual([]);
  expect((await fleet.states()).agent).toMatchObject({
    state: 'mismatched',
    detail: 'not an instance of this product: HTTP 404: Not Found',
  });
});
