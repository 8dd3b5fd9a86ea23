import { describe, expect, test } from 'vitest';
import { createWorkItemStore } from '../../../subgraph/sessions/WorkItemStore.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { openStateFile } from '../../support/openStateFile.ts';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

const REF = 'github:octo/repo#15';
const DECLARED = 'github:octo/repo#1';
const CONFIG = `  scope: { workItems: ["${DECLARED}"] }\n`;
const REGISTER = `mutation ($force: Boolean, $cwd: String) {
  registerSession(ref: "${REF}", harness: "claude", harnessSessionId: "x", force: $force, cwd: $cwd) {
    harness harnessSessionId exitCode messages { text }
  }
}`;
const CONTROL = `mutation ($ref: ID!, $verb: String!) {
  controlSession(ref: $ref, verb: $verb) { effect exitCode messages { stream text } }
}`;
const LINK = `mutation ($pullRequest: ID, $discover: Boolean) {
  linkPullRequest(ref: "${REF}", pullRequest: $pullRequest, discover: $discover) { pullRequest linked exitCode }
}`;
const SESSION = `{ session(ref: "${REF}") {
  cwd status pullRequests control { command source actor }
} }`;

async function control({ ask }: OpenWorker, verb: string, ref = REF) {
  return (await ask(CONTROL, { verb, ref })).controlSession;
}

describe('registerSession', () => {
  test('creates a task that waits; only force takes an open one over', async () => {
    await using open = await openWorker();
    const { registerSession: first } = await open.ask(REGISTER, { cwd: '/w/issue-15' });
    expect(first).toMatchObject({ harness: 'flotilla', exitCode: 0, messages: [{ text: 'registered' }] });
    expect((await open.refusal(REGISTER)).code).toBe('BAD_USER_INPUT');
    const { registerSession: second } = await open.ask(REGISTER, { force: true, cwd: '.' });
    expect(second).toMatchObject({ harnessSessionId: first.harnessSessionId });
    expect((await open.ask(SESSION)).session).toMatchObject({ cwd: '/w/issue-15', status: 'ACTIVE' });
  });

  test('begins anew where the task has ended', async () => {
    await using open = await openWorker();
    const { registerSession: first } = await open.ask(REGISTER);
    await control(open, 'stop');
    const { registerSession: second } = await open.ask(REGISTER);
    expect(second.harnessSessionId).not.toBe(first.harnessSessionId);
  });
});

describe('controlSession', () => {
  test('records what took effect, and not what did not', async () => {
    await using open = await openWorker();
    await open.ask(REGISTER);
    expect(await control(open, 'start')).toMatchObject({ effect: 'noop', exitCode: 0 });
    expect(await control(open, 'pause')).toMatchObject({ effect: 'paused', exitCode: 0 });
    expect((await open.ask(SESSION)).session).toMatchObject({
      status: 'PAUSED',
      control: { command: 'pause', source: 'api', actor: 'operator' },
    });
    expect(await control(open, 'resume')).toMatchObject({ effect: 'resumed' });
    expect(await control(open, 'cleanup')).toMatchObject({
      effect: 'rejected',
      exitCode: 1,
      messages: [{ stream: 'err', text: expect.stringContaining('stop it first') }],
    });
    expect(await control(open, 'stop')).toMatchObject({ effect: 'stopped' });
    expect(await control(open, 'pause')).toMatchObject({ effect: 'rejected', exitCode: 1 });
    expect((await open.ask(SESSION)).session.control.command).toBe('stop');
    const types = open.worker.log
      .read({ limit: 100, filter: { types: ['control.*'] } })
      .map(({ type, data }) => `${type} ${data.command}`);
    expect(types).toEqual([
      'control.command start',
      'control.command pause',
      'control.command resume',
      'control.rejected cleanup',
      'control.command stop',
      'control.rejected pause',
    ]);
  });

  test('a recorded command keeps the ref managed until it is cleaned up', async () => {
    await using open = await openWorker();
    await open.ask(REGISTER);
    await control(open, 'stop');
    expect((await open.worker.identity()).managed).toEqual([{ ref: REF, sources: ['control'] }]);
    expect(await control(open, 'cleanup')).toMatchObject({ effect: 'cleaned', exitCode: 0 });
    expect((await open.worker.identity()).managed).toEqual([]);
    expect((await open.refusal(SESSION)).code).toBe('NOT_FOUND');
    expect(await control(open, 'cleanup')).toMatchObject({ effect: 'nothing-to-clean' });
  });

  test('start creates the task of a declared ref, and of no other', async () => {
    await using open = await openWorker({ config: CONFIG });
    expect(await control(open, 'start', DECLARED)).toMatchObject({ effect: 'spawned', exitCode: 0 });
    expect((await open.worker.identity()).managed).toEqual([
      { ref: DECLARED, sources: ['declared', 'session', 'control'] },
    ]);
    expect((await open.refusal(CONTROL, { ref: REF, verb: 'start' })).code).toBe('NOT_FOUND');
    expect((await open.refusal(CONTROL, { ref: DECLARED, verb: 'fly' })).code).toBe('BAD_USER_INPUT');
  });
});

test('linkPullRequest: by ref or address, once; finding one takes a tracker', async () => {
  await using open = await openWorker();
  await open.ask(REGISTER);
  for (const pullRequest of ['github:octo/lib#7', 'https://github.com/octo/lib/pull/7']) {
    expect((await open.ask(LINK, { pullRequest })).linkPullRequest).toEqual({
      pullRequest: 'github:octo/lib#7',
      linked: true,
      exitCode: 0,
    });
  }
  expect((await open.ask(SESSION)).session.pullRequests).toEqual(['github:octo/lib#7']);
  const delivering = async (ref: string) =>
    (await open.ask(`{ sessions(pullRequest: "${ref}") { ref } }`)).sessions;
  expect(await delivering('github:octo/lib#7')).toEqual([{ ref: REF }]);
  expect(await delivering(REF)).toEqual([]);
  const { transcript } = await open.ask('{ transcript(ref: "github:octo/lib#7") { totalLines } }');
  expect(transcript).toEqual({ totalLines: 0 });
  expect((await open.ask(LINK, { discover: true })).linkPullRequest).toMatchObject({
    linked: false,
    exitCode: 1,
  });
  expect((await open.refusal(LINK)).code).toBe('BAD_USER_INPUT');
  expect((await open.refusal(LINK, { pullRequest: 'seven' })).code).toBe('BAD_USER_INPUT');
});

test('replySession: a task that has ended does not take it', async () => {
  await using open = await openWorker();
  await open.ask(REGISTER);
  await control(open, 'stop');
  const { replySession } = await open.ask(
    `mutation { replySession(ref: "${REF}", text: "Go on") { delivered exitCode messages { stream } } }`,
  );
  expect(replySession).toEqual({ delivered: false, exitCode: 1, messages: [{ stream: 'err' }] });
});

test('transcript: the newest entries, oldest first, of as many as there are', async () => {
  await using open = await openWorker();
  await open.ask(`mutation { createTask(input: { ref: "${REF}", message: "One" }) { ref } }`);
  await expect
    .poll(async () => (await open.ask(`{ task(ref: "${REF}") { subState } }`)).task.subState)
    .toBe('AWAITING_MESSAGE');
  const read = async (tail: number) =>
    (await open.ask(`{ transcript(ref: "${REF}", tail: ${tail}) { totalLines truncated entries } }`))
      .transcript;
  const all = await read(0);
  expect(all).toMatchObject({ totalLines: 2, truncated: false });
  expect(all.entries).toMatchObject([
    { id: 1, role: 'user', participant: 'operator', text: 'One' },
    { id: 2, role: 'assistant' },
  ]);
  expect(await read(1)).toEqual({ totalLines: 2, truncated: true, entries: [all.entries[1]] });
  const refused = `{ transcript(ref: "${REF}", tail: -1) { totalLines } }`;
  expect((await open.refusal(refused)).code).toBe('BAD_USER_INPUT');
});

test('what is kept of a work item survives a restart', () => {
  using file = openStateFile();
  const clock = new FakeClock();
  const store = createWorkItemStore({ database: file.database, clock });
  store.recordControl(REF, { command: 'pause', source: 'api', actor: 'operator' });
  expect(store.linkPullRequest(REF, 'github:octo/lib#7')).toBe(true);
  expect(store.linkPullRequest(REF, 'github:octo/lib#7')).toBe(false);
  store.setDirectory(REF, '/w');
  file.reopen();
  const again = createWorkItemStore({ database: file.database, clock });
  expect(again.read(REF)).toEqual({
    control: { command: 'pause', source: 'api', actor: 'operator', atMs: clock.nowMs() },
    pullRequests: ['github:octo/lib#7'],
    directory: '/w',
  });
  expect(again.controlledRefs()).toEqual([REF]);
  expect(again.deliveredBy('github:octo/lib#7')).toEqual([REF]);
  expect(again.deliveredBy(REF)).toEqual([]);
  expect(again.workedOnIn(['/v', '/w'])).toEqual([REF]);
  expect(again.workedOnIn([''])).toEqual([]);
  expect([again.forget(REF), again.forget(REF)]).toEqual([true, false]);
  expect(again.read(REF)).toEqual({ pullRequests: [], directory: '' });
});
