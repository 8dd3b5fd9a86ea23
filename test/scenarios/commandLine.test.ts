/** The `flotilla` command against a fleet that runs: what it prints, where, and how it ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replyTo } from '../support/AimockServer.ts';
import { CliProcess, type CliResult, runCli } from '../support/CliProcess.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, createTask, sendMessage } from '../support/taskClient.ts';

const FOREVER = { scripted: { replies: [{ text: replyTo('anything') }] } };

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: FOREVER, beta: FOREVER }, manager: FOREVER });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: Command line
 * Scenario: a task is started, read, talked to and ended from the command line
 *   Requirement: README.md#quick-start
 *   Given a fleet that runs
 *   When "tasks new", "list", "show", "send", "complete" and "cancel" are run against its manager
 *   Then each prints what it did in words, names the instance, and ends with exit code 0
 */
test('a task is started, read, talked to and ended from the command line', async () => {
  const ref = 'github:o/talk#1';
  const created = await flotilla(
    'tasks',
    'new',
    'Say',
    'hello',
    '--instance',
    'alpha',
    '--ref',
    ref,
    '--name',
    'Talk',
  );
  expect(created).toEqual(printed(/^github:o\/talk#1 on alpha: (working|submitted)\n$/));
  await awaitParked(fleet.url, { ref }, { turns: 1 });

  const listed = await flotilla('tasks', 'list', '--text', 'o/talk', '--state', 'input-required');
  expect(listed).toEqual(
    printed(
      /^instance +ref +state +name +last reply\nalpha +github:o\/talk#1 +input required, awaiting message +Talk +answer to anything\n$/,
    ),
  );

  expect(await flotilla('tasks', 'send', ref, 'And', 'more?')).toEqual(
    printed(/^delivered to github:o\/talk#1 on alpha\n$/),
  );
  await awaitParked(fleet.url, { ref }, { turns: 2 });
  expect(await flotilla('tasks', 'send', ref, '/status')).toEqual(
    printed(/input.required|INPUT_REQUIRED|awaiting/i),
  );

  const shown = await flotilla('tasks', 'show', ref);
  expect(shown).toEqual(
    printed(/^task +github:o\/talk#1 on alpha\nname +Talk\nstate +input required, awaiting message\n/),
  );
  expect(shown.stdout).toMatch(/operator: Say hello\n.*answer to anything\n.*operator: And more\?\n/s);

  expect(await flotilla('tasks', 'complete', ref, '--text', 'Done')).toEqual(
    printed(/^github:o\/talk#1 on alpha: completed\n$/),
  );
  await createTask(fleet.url, 'Say hello', { ref: 'github:o/talk#2', instance: 'beta' });
  expect(await flotilla('tasks', 'cancel', 'github:o/talk#2', '--reason', 'No need')).toEqual(
    printed(/^github:o\/talk#2 on beta: canceled\n$/),
  );
});

/*
 * Feature: Command line
 * Scenario: with --json programs read the same from the command line
 *   Requirement: README.md#quick-start
 *   Given a fleet with a task
 *   When the commands are run with --json
 *   Then standard output is JSON and nothing else
 */
test('with --json programs read the same from the command line', async () => {
  const ref = 'github:o/json#1';
  const created = await flotilla('tasks', 'new', 'Say hello', '--ref', ref, '--instance', 'beta', '--json');
  expect(JSON.parse(created.stdout)).toMatchObject({ instance: 'beta', ref, name: 'Say hello' });
  await awaitParked(fleet.url, { ref }, { turns: 1 });

  const listed = await flotilla('tasks', 'list', '--text', 'o/json', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ instance: 'beta', ref, state: 'INPUT_REQUIRED' }]);
  const shown = await flotilla('tasks', 'show', ref, '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ ref, turns: 1, history: [{ text: 'Say hello' }, {}] });
  const sent = await flotilla('tasks', 'send', ref, 'More', '--json');
  expect(JSON.parse(sent.stdout)).toMatchObject({ instance: 'beta', ref, duplicate: false });
  const command = await flotilla('tasks', 'send', ref, '/status', '--json');
  expect(JSON.parse(command.stdout)).toMatchObject({ instance: 'beta', ref, name: 'status', ok: true });
});

/*
 * Feature: Command line
 * Scenario: status shows the manager and its fleet in one table
 *   Requirement: spec/manager.md#R3.3
 *   Requirement: spec/manager.md#T1
 *   Given a manager hq with the live workers alpha and beta
 *   When "flotilla status" is run against hq and against alpha
 *   Then hq's has the headline and a row for each instance, its own first
 *   And alpha's has neither
 *   And with --json both have the rows
 */
test('status shows the manager and its fleet in one table', async () => {
  const { stdout, ...rest } = await flotilla('status');
  expect(rest).toEqual({ exitCode: 0, stderr: '' });
  const [health, identity, headline, header, ...rows] = stdout.trimEnd().split('\n');
  expect(health).toMatch(/^health +ok, version \d/);
  expect(identity).toMatch(/^instance {4}hq \[open\] — 0 declared, \d+ managed$/);
  expect(headline).toBe('instances   hq [manager] — this instance + 2 registered, 3 of 3 live');
  expect(header).toMatch(/^ {2}name +url +state +version +mode +managed +sessions$/);
  expect(rows).toEqual([
    expect.stringMatching(/^ {2}hq +http:\S+ +live +\S+ +open +\d+ +\d+ +\(this instance\)$/),
    expect.stringMatching(/^ {2}alpha +http:\S+ +live +\S+ +open +\d+ +\d+$/),
    expect.stringMatching(/^ {2}beta +http:\S+ +live +\S+ +open +\d+ +\d+$/),
  ]);

  const ofWorker = await runCli(['status', '--url', fleet.instance('alpha').url]);
  expect(ofWorker.stdout).toMatch(/^health .*\ninstance {4}alpha .*\n$/);
  const json = JSON.parse((await flotilla('status', '--json')).stdout);
  const { instances } = json.instances;
  expect(instances.map(({ name }: { name: string }) => name)).toEqual(['hq', 'alpha', 'beta']);
});

/*
 * Feature: Command line
 * Scenario: what cannot be done is one line on standard error, and the exit code tells whose mistake it is
 *   Requirement: spec/manager.md#R4.6
 *   Given a fleet that runs, and an address where nobody listens
 *   When a command is mistyped, names what is not there, or asks nobody
 *   Then standard output is empty and standard error begins with "error: "
 *   And the exit code is 2 for the caller's mistakes and for an instance that is not there, else 1
 */
test.each([
  { args: ['tasks', 'show', 'github:o/nobody#1'], exitCode: 1, told: /github:o\/nobody#1/ },
  { args: ['tasks', 'send', 'github:o/nobody#1', 'Hello'], exitCode: 1, told: /github:o\/nobody#1/ },
  { args: ['tasks', 'new', 'Hello', '--instance', 'gamma'], exitCode: 1, told: /gamma/ },
  { args: ['tasks', 'new', 'Hello', '--ref', 'no ref'], exitCode: 2, told: /ref/ },
  { args: ['tasks', 'watch', '--instance', 'gamma'], exitCode: 1, told: /gamma/ },
  { args: ['tasks', 'list', '--state', 'sleeping'], exitCode: 2, told: /WORKING/ },
  { args: ['tasks', 'list', '--limit', '0'], exitCode: 2, told: /number from 1/ },
  { args: ['tasks', 'show'], exitCode: 2, told: /missing required argument/ },
  { args: ['tasks', 'fly'], exitCode: 2, told: /unknown command/ },
  { args: ['status', '--verbose'], exitCode: 2, told: /unknown option/ },
  { args: ['up', '--workers', 'many'], exitCode: 2, told: /number from 0/ },
  { args: ['start'], exitCode: 2, told: /--config/ },
  { args: ['status', '--url', 'http://127.0.0.1:9'], exitCode: 2, told: /ECONNREFUSED|bad port/ },
  { args: ['status', '--url', 'ftp://hq'], exitCode: 2, told: /not an http or https URL/ },
  { args: ['tasks', 'watch', '--url', 'http://127.0.0.1:9'], exitCode: 2, told: /Cannot reach the instance/ },
])(
  'what cannot be done is one line on standard error, and the exit code tells whose mistake it is',
  async ({ args, exitCode, told }) => {
    const result = await flotilla(...args);

    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).toMatch(told);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  },
);

/*
 * Feature: Command line
 * Scenario: a refused command text is told and ends with exit code 1
 *   Requirement: spec/manager.md#R4.6
 *   Given a task that has ended, and one that waits
 *   When a message is sent to the first and an unknown slash command to the second
 *   Then both are told, and the exit code is 1
 */
test('a refused command text is told and ends with exit code 1', async () => {
  await createTask(fleet.url, 'Say hello', { ref: 'github:o/refuse#1', instance: 'alpha' });
  await createTask(fleet.url, 'Say hello', { ref: 'github:o/refuse#2', instance: 'alpha' });
  await flotilla('tasks', 'complete', 'github:o/refuse#1');

  const ended = await flotilla('tasks', 'send', 'github:o/refuse#1', 'Hello?');
  expect(ended).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: .*COMPLETED/),
  });
  const unknown = await flotilla('tasks', 'send', 'github:o/refuse#2', '/nonsense');
  expect(unknown).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('nonsense') });
});

/*
 * Feature: Command line
 * Scenario: a ref that two instances hold wants --instance
 *   Requirement: spec/manager.md#R2.4
 *   Requirement: spec/manager.md#T1
 *   Given alpha and beta that both hold the same ref
 *   When the task is shown and written to by its ref alone, and then with --instance
 *   Then the first two are told that it is ambiguous and by whom, with exit code 1
 *   And with --instance that instance answers
 */
test('a ref that two instances hold wants --instance', async () => {
  const ref = 'github:o/double#1';
  for (const instance of ['alpha', 'beta']) await createTask(fleet.url, 'Say hello', { ref, instance });

  for (const args of [
    ['tasks', 'show', ref],
    ['tasks', 'send', ref, 'Hello'],
  ]) {
    const refused = await flotilla(...args);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/alpha.*beta/) });
  }
  expect(await flotilla('tasks', 'show', ref, '--instance', 'beta')).toEqual(
    printed(/^task +github:o\/double#1 on beta\n/),
  );
});

/*
 * Feature: Command line
 * Scenario: a list without a member says so
 *   Requirement: spec/manager.md#R2.9
 *   Given a fleet of which beta has died
 *   When tasks are listed
 *   Then the rows of the others are on standard output and a warning that names beta is on standard error
 *   And a call to beta ends with exit code 1
 */
test('a list without a member says so', async () => {
  await using own = await ProcessFleet.start({ workers: { beta: FOREVER } });
  await createTask(own.url, 'Say hello', { ref: 'github:o/part#1' });
  await own.instance('beta').kill();

  const listed = await runCli(['tasks', 'list', '--url', own.url]);
  expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('github:o/part#1') });
  expect(listed.stderr).toMatch(/^warning: beta is missing from this list: unreachable/);
  const created = await runCli(['tasks', 'new', 'Hello', '--instance', 'beta', '--url', own.url]);
  expect(created).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^error: .*beta/) });
});

/*
 * Feature: Command line
 * Scenario: tasks watch goes on where it was when its instance is back
 *   Requirement: spec/manager.md#R2.8
 *   Given "tasks watch --json" on a task of alpha
 *   When alpha is killed, is started again, and gets another message for the task
 *   Then each line is one event, and no event is missing or told twice
 *   And Ctrl-C ends it with exit code 0
 */
test('tasks watch goes on where it was when its instance is back', async () => {
  const ref = 'github:o/watch#1';
  const alpha = fleet.instance('alpha');
  await using watch = new CliProcess(['tasks', 'watch', ref, '--json', '--after', '0', '--url', alpha.url]);
  await createTask(alpha.url, 'Say hello', { ref });
  await watch.until((lines) => parkings(lines) === 1);

  await alpha.kill();
  await alpha.start();
  await sendMessage(alpha.url, 'Once more', { ref });
  await watch.until((lines) => parkings(lines) === 2);

  const events = watch.lines.map((line) => JSON.parse(line) as { offset: number; type: string; ref: string });
  const told = events.filter(({ type }) => type !== 'stream.bookmark');
  expect(new Set(told.map((event) => event.ref))).toEqual(new Set([ref]));
  expect(told.map(({ type }) => type).filter((type) => type !== 'task.updated')).toEqual([
    'task.created',
    ...['task.messageAccepted', 'task.status', 'task.turnStarted', 'task.status'],
    ...['task.messageAccepted', 'task.status', 'task.turnStarted', 'task.status'],
  ]);
  const offsets = told.map(({ offset }) => offset);
  expect(offsets).toEqual([...new Set(offsets)].toSorted((a, b) => a - b));
  expect(await watch.kill('SIGINT')).toBe(0);
});

/*
 * Feature: Command line
 * Scenario: a reader that has seen enough ends the command quietly
 *   Requirement: README.md#quick-start
 *   Given "tasks watch" whose output goes to a reader that leaves after the first line
 *   When another event comes
 *   Then the command ends with exit code 0 and nothing on standard error
 */
test('a reader that has seen enough ends the command quietly', async () => {
  const ref = 'github:o/pipe#1';
  await createTask(fleet.url, 'Say hello', { ref, instance: 'alpha' });
  const { url } = fleet.instance('alpha');
  await using watch = new CliProcess(['tasks', 'watch', ref, '--after', '0', '--url', url]);
  await watch.until((lines) => lines.length > 0);

  watch.stopReading();
  await sendMessage(url, 'Once more', { ref });

  expect(await watch.ended).toBe(0);
  expect(watch.stderr).toBe('');
});

/** Against the manager, unless the arguments say otherwise. */
function flotilla(...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { env: { FLOTILLA_URL: fleet.url } });
}

function printed(stdout: RegExp): CliResult {
  return { exitCode: 0, stdout: expect.stringMatching(stdout), stderr: '' };
}

/** How often the task was parked, by these events. */
function parkings(lines: readonly string[]): number {
  const events = lines.map((line) => JSON.parse(line) as { type: string; data: { state?: string } });
  return events.filter(({ type, data }) => type === 'task.status' && data.state === 'INPUT_REQUIRED').length;
}
