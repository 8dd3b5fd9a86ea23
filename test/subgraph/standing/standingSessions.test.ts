import { describe, expect, test } from 'vitest';
import { createStandingStore } from '../../../subgraph/standing/StandingStore.ts';
import { openStateFile } from '../../support/openStateFile.ts';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

const DECLARED = `standingSessions:
  - { name: shepherd, description: Watches, prompt: Look around }
  - { name: lazy, autoStart: false }
`;
const LIST = '{ standingSessions { name declared autoStart ref status running } }';
const CONTROL = `mutation ($name: String, $verb: String!) {
  controlStanding(name: $name, verb: $verb) {
    ok sessions { outcome session { name status harnessSessionId } } stopped { outcome }
  }
}`;
const CREATE = `mutation ($name: String!, $start: Boolean, $prompt: String) {
  createStanding(name: $name, start: $start, prompt: $prompt) { ok sessions { outcome detail session { status declared } } }
}`;
const SAY = 'mutation ($name: String!) { sayStanding(name: $name, text: "Hello") { delivered exitCode } }';
const DELETE =
  'mutation ($name: String!) { deleteStanding(name: $name) { ok sessions { outcome session { status } } } }';

async function control({ ask }: OpenWorker, verb: string, name?: string) {
  return (await ask(CONTROL, { verb, name })).controlStanding;
}

describe('declared ones', () => {
  test('start with the instance, by name in the list, and begin with their prompt', async () => {
    await using open = await openWorker({ config: DECLARED });
    const { standingSessions } = await open.ask(LIST);
    expect(standingSessions).toEqual([
      {
        name: 'lazy',
        declared: true,
        autoStart: false,
        ref: 'standing:lazy',
        status: 'absent',
        running: false,
      },
      {
        name: 'shepherd',
        declared: true,
        autoStart: true,
        ref: 'standing:shepherd',
        status: 'running',
        running: true,
      },
    ]);
    const { task } = await open.ask(
      '{ task(ref: "standing:shepherd") { name history { nodes { ... on HistoryMessage { text } } } } }',
    );
    expect(task).toMatchObject({ name: 'shepherd', history: { nodes: [{ text: 'Look around' }] } });
  });

  test('are in no list of work items and in no managed set', async () => {
    await using open = await openWorker({ config: DECLARED });
    const { tasks, sessions, instance } = await open.ask(
      '{ tasks { nodes { ref } } sessions { ref } instance { managed { ref } sessionCount } }',
    );
    expect({ tasks, sessions, instance }).toEqual({
      tasks: { nodes: [] },
      sessions: [],
      instance: { managed: [], sessionCount: 0 },
    });
    const { code } = await open.refusal('{ session(ref: "standing:shepherd") { ref } }');
    expect(code).toBe('NOT_FOUND');
  });

  test('cannot be deleted', async () => {
    await using open = await openWorker({ config: DECLARED });
    expect((await open.refusal(DELETE, { name: 'lazy' })).code).toBe('BAD_USER_INPUT');
  });
});

describe('control', () => {
  test('a stop keeps the conversation, with which a start goes on', async () => {
    await using open = await openWorker({ config: DECLARED });
    const stopped = await control(open, 'stop', 'shepherd');
    expect(stopped.sessions).toMatchObject([{ outcome: 'stopped', session: { status: 'stopped' } }]);
    expect((await control(open, 'stop', 'shepherd')).sessions).toMatchObject([{ outcome: 'not-running' }]);
    const started = await control(open, 'start', 'shepherd');
    expect(started.sessions).toMatchObject([{ outcome: 'resumed', session: { status: 'running' } }]);
    expect(started.sessions[0].session.harnessSessionId).toBe(stopped.sessions[0].session.harnessSessionId);
    expect((await control(open, 'start', 'shepherd')).sessions).toMatchObject([
      { outcome: 'already-running' },
    ]);
  });

  test('a restart tells what it stopped, and needs a name', async () => {
    await using open = await openWorker({ config: DECLARED });
    expect(await control(open, 'restart', 'shepherd')).toMatchObject({
      ok: true,
      stopped: [{ outcome: 'stopped' }],
      sessions: [{ outcome: 'resumed' }],
    });
    expect((await open.refusal(CONTROL, { verb: 'restart' })).code).toBe('BAD_USER_INPUT');
    expect((await open.refusal(CONTROL, { verb: 'fly', name: 'lazy' })).code).toBe('BAD_USER_INPUT');
    expect((await open.refusal(CONTROL, { verb: 'start', name: 'nobody' })).code).toBe('NOT_FOUND');
  });

  test('what the task refuses has failed, and is not told as done', async () => {
    await using open = await openWorker({ config: DECLARED });
    await open.ask(`mutation { updateTask(ref: "standing:shepherd", input: {
      participants: [{ id: "alice", role: ADMIN }]
    }) { ref } }`);
    expect(await control(open, 'stop', 'shepherd')).toMatchObject({
      ok: false,
      sessions: [{ outcome: 'failed', session: { status: 'running' } }],
    });
    const { events } = await open.ask('{ events(filter: { types: ["standing.stop*"] }) { nodes { type } } }');
    expect(events.nodes).toEqual([{ type: 'standing.stop_failed' }]);
  });

  test('without a name it is about all of them', async () => {
    await using open = await openWorker({ config: DECLARED });
    expect((await control(open, 'start')).sessions).toMatchObject([
      { outcome: 'started', session: { name: 'lazy' } },
      { outcome: 'already-running', session: { name: 'shepherd' } },
    ]);
  });

  test('one whose task has ended begins a new conversation', async () => {
    await using open = await openWorker({ config: DECLARED });
    await open.ask('mutation { cancelTask(ref: "standing:shepherd") { state } }');
    expect((await control(open, 'start', 'shepherd')).sessions).toMatchObject([{ outcome: 'started' }]);
  });
});

describe('created ones', () => {
  test('are started or not, have a name of their own, and are gone when they are deleted', async () => {
    await using open = await openWorker({ config: DECLARED });
    expect((await open.ask(CREATE, { name: 'helper', prompt: 'Hi' })).createStanding).toEqual({
      ok: true,
      sessions: [{ outcome: 'started', detail: '', session: { status: 'running', declared: false } }],
    });
    expect((await open.ask(CREATE, { name: 'idle', start: false })).createStanding.sessions).toMatchObject([
      { outcome: 'not-running', session: { status: 'absent' } },
    ]);
    for (const name of ['helper', 'lazy', 'No Name']) {
      expect((await open.refusal(CREATE, { name })).code, name).toBe('BAD_USER_INPUT');
    }
    expect((await open.ask(DELETE, { name: 'helper' })).deleteStanding.sessions).toMatchObject([
      { outcome: 'deleted', session: { status: 'absent' } },
    ]);
    expect((await open.refusal(DELETE, { name: 'helper' })).code).toBe('NOT_FOUND');
    expect((await open.refusal('{ task(ref: "standing:helper") { ref } }')).code).toBe('NOT_FOUND');
    expect((await open.ask(CREATE, { name: 'helper' })).createStanding.ok).toBe(true);
  });

  test('are kept in the state file', () => {
    using file = openStateFile();
    const helper = { name: 'helper', description: '', prompt: 'Hi', directory: '', autoStart: true };
    createStandingStore(file.database).put(helper);
    file.reopen();
    const store = createStandingStore(file.database);
    expect(store.list()).toEqual([helper]);
    store.delete('helper');
    expect(store.list()).toEqual([]);
  });
});

test('what is said reaches a session that runs, and no other', async () => {
  await using open = await openWorker({ config: DECLARED });
  expect((await open.ask(SAY, { name: 'shepherd' })).sayStanding).toEqual({ delivered: true, exitCode: 0 });
  await control(open, 'stop', 'shepherd');
  for (const name of ['shepherd', 'lazy', 'nobody']) {
    expect((await open.refusal(SAY, { name })).code, name).toBe('NOT_FOUND');
  }
});

test('a client cannot take the ref of one for a task of its own', async () => {
  await using open = await openWorker({ config: DECLARED });
  const create = 'mutation { createTask(input: { ref: "standing:lazy" }) { ref } }';
  expect((await open.refusal(create)).code).toBe('BAD_USER_INPUT');
  const fork =
    'mutation { forkTask(ref: "standing:shepherd", atVersion: 1, newRef: "standing:lazy") { ref } }';
  expect((await open.refusal(fork)).code).toBe('BAD_USER_INPUT');
});
