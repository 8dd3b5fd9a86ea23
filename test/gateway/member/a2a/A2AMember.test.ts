/** An A2A agent as a member: probe, reads and writes, over both bindings. */
import { describe, expect, test } from 'vitest';
import { answerWith, MISBEHAVIOURS, type Misbehaviour, redirectTo } from '../../../support/MemberServer.ts';
import { openA2AMember } from './openA2AMember.ts';

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;

function refOf(id: string): string {
  return `a2a:agent/${id}#1`;
}

describe.each(BINDINGS)('over %s', (binding) => {
  test('tasks are listed whole, whatever the pages of the agent', async () => {
    await using open = await openA2AMember({ server: { binding } });
    const { server, ask } = open;
    server.pageSize = 2;
    for (const id of ['a', 'b', 'c', 'd', 'e']) server.addTask(id);
    server.addTask('hidden', { participant: 'alice' });
    const asked = server.asked('ListTasks').length;
    const { tasks } = await ask('{ tasks(first: 3) { nodes { ref } pageInfo { hasNextPage endCursor } } }');
    expect(tasks.nodes.map(({ ref }: { ref: string }) => ref)).toEqual(['e', 'd', 'c'].map(refOf));
    expect(tasks.pageInfo.hasNextPage).toBe(true);
    expect(server.asked('ListTasks').length - asked).toBe(3);
    const next = await ask(`{ tasks(first: 3, after: "${tasks.pageInfo.endCursor}") { nodes { ref } } }`);
    expect(next.tasks.nodes.map(({ ref }: { ref: string }) => ref)).toEqual(['b', 'a'].map(refOf));
  });

  test('a task is read with what the protocol tells of it', async () => {
    await using open = await openA2AMember({ server: { binding } });
    open.server.addTask('a/b', { name: 'Work', state: 'INPUT_REQUIRED', reply: 'what next?' });
    const asked = open.server.asked('GetTask').length;
    const { task } = await open.ask(`{
      task(ref: "a2a:agent/a%2Fb#1") {
        instance ref id contextId state subState lifecycle name goal lastReply statusMessage paused version turns
        createdAt updatedAt participants { id role } settings { model } usage { inputTokens } owner { name } record plan { steps { id } }
      }
    }`);
    expect(task).toEqual({
      instance: 'agent',
      ref: 'a2a:agent/a%2Fb#1',
      id: 'a/b',
      contextId: 'context-of-a/b',
      state: 'INPUT_REQUIRED',
      subState: null,
      lifecycle: 'CONVERSATION',
      name: 'Work',
      goal: 'Work',
      lastReply: 'what next?',
      statusMessage: 'what next?',
      paused: false,
      version: 0,
      turns: 0,
      createdAt: '2026-11-30T12:00:01.000Z',
      updatedAt: '2026-11-30T12:00:01.000Z',
      participants: [{ id: 'operator', role: 'REPORTER' }],
      settings: { model: null },
      usage: { inputTokens: 0 },
      owner: { name: 'agent' },
      record: null,
      plan: null,
    });
    const requests = open.server.asked('GetTask').slice(asked);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).toMatchObject({ 'a2a-version': '1.0', 'x-participant-id': 'operator' });
    expect(requests[0]?.params.id).toBe('a/b');
  });

  test('a message is sent once for each id, as the participant that the call names', async () => {
    await using open = await openA2AMember({ server: { binding } });
    const { server, ask } = open;
    server.addTask('t', { participant: 'alice' });
    const send = `mutation {
      sendMessage(ref: "${refOf('t')}", text: "go on", messageId: "m1", participant: "alice") {
        instance ref messageId accepted duplicate state
      }
    }`;
    const receipt = {
      instance: 'agent',
      ref: refOf('t'),
      messageId: 'm1',
      accepted: true,
      duplicate: false,
      state: 'WORKING',
    };
    expect((await ask(send)).sendMessage).toEqual(receipt);
    expect((await ask(send)).sendMessage).toEqual({ ...receipt, duplicate: true });
    const [request, ...more] = server.asked('SendMessage');
    expect(more).toEqual([]);
    expect(request?.headers['x-participant-id']).toBe('alice');
    expect(request?.params).toEqual({
      message: { messageId: 'm1', taskId: 't', role: 'ROLE_USER', parts: [{ text: 'go on' }] },
      configuration: { returnImmediately: true, historyLength: 0 },
    });
  });

  test('a task is cancelled, and a task that has ended is in conflict with it', async () => {
    await using open = await openA2AMember({ server: { binding } });
    open.server.addTask('t');
    const cancel = `mutation { cancelTask(ref: "${refOf('t')}", reason: "enough") { ref state } }`;
    expect((await open.ask(cancel)).cancelTask).toEqual({ ref: refOf('t'), state: 'CANCELED' });
    expect(open.server.asked('CancelTask')[0]?.params).toEqual({ id: 't', metadata: { reason: 'enough' } });
    expect(await open.refusal(cancel)).toEqual({ code: 'CONFLICT', message: 'refused: TASK_NOT_CANCELABLE' });
    expect(await open.refusal(`mutation { sendMessage(ref: "${refOf('t')}", text: "x") { ref } }`)).toEqual({
      code: 'CONFLICT',
      message: 'refused: UNSUPPORTED_OPERATION',
    });
  });

  test('a task that there is not, or that is not the participant’s, is not found', async () => {
    await using open = await openA2AMember({ server: { binding } });
    open.server.addTask('hidden', { participant: 'alice' });
    for (const id of ['nope', 'hidden']) {
      const { code } = await open.refusal(`{ task(ref: "${refOf(id)}") { ref } }`);
      expect(code).toBe('NOT_FOUND');
    }
  });
});

test('a ref that is none of the agent’s is not asked for', async () => {
  await using open = await openA2AMember();
  const asked = open.server.requests.length;
  for (const ref of ['t', 'github:o/r#1', 'a2a:other/t#1', 'a2a:agent/..#1']) {
    expect((await open.refusal(`{ task(ref: "${ref}") { ref } }`)).code).toBe('NOT_FOUND');
    expect((await open.refusal(`mutation { cancelTask(ref: "${ref}") { ref } }`)).code).toBe('NOT_FOUND');
  }
  expect(open.server.requests).toHaveLength(asked);
});

test('a task keeps the time at which it was seen first while it changes', async () => {
  await using open = await openA2AMember();
  open.server.addTask('t');
  const read = async () => (await open.ask('{ tasks { nodes { createdAt updatedAt } } }')).tasks.nodes[0];
  expect(await read()).toEqual({
    createdAt: '2026-11-30T12:00:01.000Z',
    updatedAt: '2026-11-30T12:00:01.000Z',
  });
  open.server.setStatus('t', 'INPUT_REQUIRED');
  expect(await read()).toEqual({
    createdAt: '2026-11-30T12:00:01.000Z',
    updatedAt: '2026-11-30T12:00:02.000Z',
  });
});

test('the conversation is what the agent tells of it, with one request more', async () => {
  await using open = await openA2AMember();
  open.server.addTask('t');
  open.server.misbehave(
    'GetTask',
    answerWith(200, {
      jsonrpc: '2.0',
      id: 1,
      result: {
        id: 't',
        status: { state: 'TASK_STATE_WORKING' },
        history: [
          { role: 'ROLE_USER', parts: [{ text: 'hello' }] },
          { role: 'ROLE_AGENT', parts: [{ text: 'hi, my key is sk-abcdefghijklmnop' }] },
        ],
      },
    }),
  );
  const { task } = await open.ask(
    `{ task(ref: "${refOf('t')}") { history(last: 5) { nodes { __typename ... on HistoryMessage { id role text } } } } }`,
  );
  expect(task.history.nodes).toEqual([
    { __typename: 'HistoryMessage', id: 1, role: 'USER', text: 'hello' },
    { __typename: 'HistoryMessage', id: 2, role: 'ASSISTANT', text: 'hi, my key is [REDACTED]' },
  ]);
  expect(open.server.asked('GetTask').map(({ params }) => params.historyLength)).toEqual([0, undefined]);
});

test('what waits for a person is in need of attention, and nothing that is only parked', async () => {
  await using open = await openA2AMember();
  const { server, ask } = open;
  server.addTask('asks', { state: 'INPUT_REQUIRED', reply: 'which one? '.repeat(100) });
  server.addTask('locked', { state: 'AUTH_REQUIRED' });
  server.addTask('works');
  const parked = { 'dev.flotilla/status': { sub_state: 'awaiting_message' } };
  const rows = [
    ...['asks', 'locked', 'works'].map((id) => server.row(id)),
    { ...server.row('asks'), id: 'parked', metadata: parked },
  ];
  server.misbehave('ListTasks', answerWith(200, { jsonrpc: '2.0', id: 1, result: { tasks: rows } }));
  const { attention } = await ask('{ attention { instance ref kind detail at record } }');
  const item = { instance: 'agent', kind: 'awaiting-input', at: null, record: null };
  expect(attention).toEqual([
    { ...item, ref: refOf('asks'), detail: 'which one? '.repeat(100).slice(0, 500) },
    { ...item, ref: refOf('locked'), detail: 'It is to be authorized.' },
  ]);
});

test('artifacts stand behind the conversation, on pages of it', async () => {
  await using open = await openA2AMember();
  const task = {
    id: 't',
    status: { state: 'TASK_STATE_COMPLETED' },
    history: [{ role: 'ROLE_USER', parts: [{ text: 'hello' }] }],
    artifacts: [
      { artifactId: 'a', name: 'report', parts: [{ text: 'my key is sk-abcdefghijklmnop' }] },
      { artifactId: 'b', parts: [{ raw: 'aGVsbG8=', mediaType: 'image/png' }] },
    ],
  };
  open.server.misbehave('GetTask', answerWith(200, { jsonrpc: '2.0', id: 1, result: task }));
  const page = async (args: string) => {
    const fields = 'nodes { ... on HistoryMessage { id role text } } pageInfo { hasNextPage }';
    return (await open.ask(`{ task(ref: "${refOf('t')}") { history(${args}) { ${fields} } } }`)).task.history;
  };
  const report = { id: 2, role: 'ASSISTANT', text: '[artifact "report"]\nmy key is [REDACTED]' };
  const picture = { id: 3, role: 'ASSISTANT', text: '[artifact "b"]\n[file image/png, 5 bytes]' };
  expect(await page('first: 2')).toEqual({
    nodes: [{ id: 1, role: 'USER', text: 'hello' }, report],
    pageInfo: { hasNextPage: true },
  });
  expect(await page('after: "2"')).toEqual({ nodes: [picture], pageInfo: { hasNextPage: false } });
});

test('an answer without a task tells the state that is read then', async () => {
  await using open = await openA2AMember();
  open.server.addTask('t', { state: 'AUTH_REQUIRED' });
  const message = { messageId: 'r', role: 'ROLE_AGENT', parts: [{ text: 'noted' }] };
  open.server.misbehave('SendMessage', (response) => {
    open.server.setStatus('t', 'WORKING');
    answerWith(200, { jsonrpc: '2.0', id: 1, result: { message } })(response);
  });
  const { sendMessage } = await open.ask(
    `mutation { sendMessage(ref: "${refOf('t')}", text: "x") { accepted state } }`,
  );
  expect(sendMessage).toEqual({ accepted: true, state: 'WORKING' });
});

test.each([
  ['an interrupt', `sendMessage(ref: "${refOf('t')}", text: "x", interrupt: true) { ref }`, 'NOT_SUPPORTED'],
  [
    'a participant with a line break',
    `sendMessage(ref: "${refOf('t')}", text: "x", participant: "a\\nb") { ref }`,
    'BAD_USER_INPUT',
  ],
  [
    'a participant that is no ASCII',
    `cancelTask(ref: "${refOf('t')}", participant: "zoë") { ref }`,
    'BAD_USER_INPUT',
  ],
])('%s is refused, and nothing is sent', async (_what, field, code) => {
  await using open = await openA2AMember();
  open.server.addTask('t');
  expect((await open.refusal(`mutation { ${field} }`)).code).toBe(code);
  expect([...open.server.asked('SendMessage'), ...open.server.asked('CancelTask')]).toEqual([]);
});

test('what the protocol does not have is not in the schema of the member', async () => {
  await using open = await openA2AMember();
  for (const operation of [
    '{ commands { name } }',
    '{ config { path } }',
    '{ sessions { ref } }',
    `mutation { completeTask(ref: "${refOf('t')}") { ref } }`,
    `mutation { pauseTask(ref: "${refOf('t')}") { ref } }`,
  ]) {
    expect((await open.refusal(operation)).code).toBe('GRAPHQL_VALIDATION_FAILED');
  }
  expect((await open.refusal(`{ task(ref: "${refOf('t')}", atVersion: 1) { ref } }`)).code).toBe(
    'NOT_SUPPORTED',
  );
});

describe('a list that cannot be read', () => {
  const wrapped = (result: unknown) => answerWith(200, { jsonrpc: '2.0', id: 1, result });
  const row = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
  /** 12 MB each, without end. */
  const fatPages = (): Misbehaviour => {
    let pages = 0;
    return (response) => {
      pages += 1;
      const message = { parts: [{ text: 'x'.repeat(12_000_000) }] };
      const status = { ...row.status, message };
      wrapped({ tasks: [{ id: `t${pages}`, status }], nextPageToken: String(pages) })(response);
    };
  };
  const tooMany = Array.from({ length: 10_001 }, (_, index) => ({ ...row, id: `t${index}` }));

  test.each([
    ['no list', wrapped({ tasks: 'none' }), 'the answer is not a page of tasks'],
    [
      'a page that leads to itself',
      wrapped({ tasks: [row], nextPageToken: 'x' }),
      'a page of tasks leads to itself',
    ],
    [
      'an empty page with a next one',
      wrapped({ tasks: [], nextPageToken: 'x' }),
      'a page without tasks has a next one',
    ],
    ['more tasks than are read', wrapped({ tasks: tooMany }), 'more than 10000 tasks'],
    ['more bytes than are read', fatPages(), 'a list of tasks of more than 67108864 bytes'],
    ['HTML', MISBEHAVIOURS.html, 'the answer is no JSON-RPC response'],
    ['more than is read', MISBEHAVIOURS.oversized, 'the answer is larger than 16777216 bytes'],
  ])('is a failure of the member: %s', async (_what, how, reason) => {
    await using open = await openA2AMember();
    open.server.misbehave('ListTasks', how);
    expect(await open.execute('{ tasks { nodes { ref } } }')).toEqual({
      kind: 'failure',
      failure: { kind: 'malformed', reason },
    });
  });

  test('another task than the one that was asked for is a failure of the member', async () => {
    await using open = await openA2AMember();
    open.server.addTask('other');
    open.server.misbehave('GetTask', wrapped(row));
    expect(await open.execute(`{ task(ref: "${refOf('other')}") { state } }`)).toEqual({
      kind: 'failure',
      failure: { kind: 'malformed', reason: 'the answer is another task' },
    });
  });

  test('for rows that are none it is the others, and how many are left out is told once', async () => {
    await using open = await openA2AMember();
    const { status } = row;
    const unusable = ['', 'x'.repeat(10_000), 'new\nline', '\ud800'].map((id) => ({ id, status }));
    const tasks = [null, { id: '..' }, row, { id: 'x' }, ...unusable];
    open.server.misbehave('ListTasks', wrapped({ tasks }));
    const message =
      'rows of its list are left out (7): they are no tasks, or their ids cannot be part of a ref';
    expect(await open.execute('{ list: tasks { nodes { ref } } }')).toEqual({
      kind: 'answer',
      answer: {
        data: { list: { nodes: [{ ref: refOf('t') }] } },
        errors: [{ message, path: ['list'], extensions: { code: 'MEMBER_ERROR' } }],
      },
    });
  });

  test.each([
    ['later', { state: 'WORKING', second: 1 }, { state: 'INPUT_REQUIRED', second: 2 }, 'INPUT_REQUIRED'],
    ['earlier', { state: 'WORKING', second: 2 }, { state: 'INPUT_REQUIRED', second: 1 }, 'WORKING'],
    ['last', { state: 'WORKING', second: 1 }, { state: 'COMPLETED', second: 1 }, 'COMPLETED'],
  ])('of two rows of one task the %s status counts', async (_which, one, other, expected) => {
    await using open = await openA2AMember();
    const tasks = [one, other].map(({ state, second }) => {
      const timestamp = new Date(Date.UTC(2026, 10, 30, 12, 0, second)).toISOString();
      return { id: 't', status: { state: `TASK_STATE_${state}`, timestamp } };
    });
    open.server.misbehave('ListTasks', wrapped({ tasks }));
    expect((await open.ask('{ tasks { nodes { state } } }')).tasks.nodes).toEqual([{ state: expected }]);
  });

  test.each([
    ['JSONRPC', answerWith(200, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } })],
    ['HTTP+JSON', answerWith(404, { detail: 'Not Found' })],
  ] as const)('of an agent that has no such operation is not supported, over %s', async (binding, how) => {
    await using open = await openA2AMember({ server: { binding } });
    open.server.misbehave('ListTasks', how);
    open.server.addTask('t');
    expect((await open.refusal('{ tasks { nodes { ref } } }')).code).toBe('NOT_SUPPORTED');
    expect((await open.ask(`{ task(ref: "${refOf('t')}") { state } }`)).task).toEqual({ state: 'WORKING' });
    expect(await open.identify()).toMatchObject({ answer: { kind: 'document', body: { managed: [] } } });
  });
});

describe('the probe', () => {
  test('asks for the card, then for the tasks, and says that nothing but open tasks are managed', async () => {
    await using open = await openA2AMember({ server: { prefix: '/team' }, token: 'hunter22' });
    open.server.addTask('open');
    open.server.addTask('ended', { state: 'COMPLETED' });
    const asked = open.server.requests.length;
    expect(await open.identify()).toEqual({
      kind: 'answer',
      answer: {
        kind: 'document',
        version: '3.1.0',
        body: {
          name: 'agent',
          role: 'worker',
          scope: { mode: '', workItems: [] },
          managed: [{ ref: refOf('open'), sources: ['session'] }],
          sessionCount: 0,
        },
      },
    });
    const requests = open.server.requests.slice(asked);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /.well-known/agent-card.json',
      'POST /rpc',
    ]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer hunter22',
      'Bearer hunter22',
    ]);
  });

  test('of a card that is refused asks nothing more, and the member answers nothing', async () => {
    const capabilities = { extensions: [{ uri: 'urn:x', required: true }] };
    await using open = await openA2AMember({ server: { card: { capabilities } } });
    expect(await open.identify()).toEqual({
      kind: 'answer',
      answer: { kind: 'refused', reason: 'its card requires the extension "urn:x"' },
    });
    expect(new Set(open.server.requests.map(({ operation }) => operation))).toEqual(new Set(['card']));
    expect(await open.execute('{ tasks { nodes { ref } } }')).toMatchObject({
      failure: { reason: 'its agent card is not known' },
    });
  });

  test.each([
    [
      '404',
      answerWith(404, { detail: 'x' }),
      { kind: 'refused', reason: 'there is no agent card (HTTP 404)' },
    ],
    [
      '401',
      answerWith(401, { detail: 'a secret' }),
      { kind: 'status', status: 401, isJson: true, detail: '' },
    ],
    [
      'a redirect',
      redirectTo('http://127.0.0.1:1/'),
      { kind: 'status', status: 302, isJson: false, detail: '' },
    ],
    ['HTML', MISBEHAVIOURS.html, { kind: 'malformed', reason: 'the agent card is not JSON' }],
    ['a list', MISBEHAVIOURS.wrongShape, { kind: 'malformed', reason: 'the agent card is not an object' }],
    [
      'too much',
      MISBEHAVIOURS.oversized,
      { kind: 'malformed', reason: 'the answer is larger than 16777216 bytes' },
    ],
  ])('tells of a card that is none: %s', async (_what, how, answer) => {
    await using open = await openA2AMember();
    open.server.misbehave('card', how);
    expect(await open.identify()).toEqual({ kind: 'answer', answer });
  });

  test('goes to no address at which no member is', async () => {
    await using open = await openA2AMember({ url: 'http://169.254.169.254/agent' });
    expect(await open.identify()).toEqual({
      kind: 'failure',
      failure: { kind: 'transport', reason: 'its address is refused, see instance.manager.allowAddresses' },
    });
  });

  test('of an agent that is gone is a failure', async () => {
    await using open = await openA2AMember();
    open.server.misbehave('card', MISBEHAVIOURS.reset);
    expect(await open.identify()).toMatchObject({ kind: 'failure', failure: { kind: 'transport' } });
  });
});
