/** What an operator removes from the command line, on every host of tasks. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CliProcess, runCli } from '../../support/CliProcess.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { InstanceProcess } from '../../support/InstanceProcess.ts';
import { awaitReply, createTask } from '../../support/taskClient.ts';
import { hostedTest, openHosted } from '../../support/taskHosts.ts';
import { TEMPORAL_CLI, temporalTest } from '../../support/temporalServer.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const REF = 'github:o/r#1';

/*
 * Feature: Administration
 * Scenario: a task is purged from the command line, and who watches it is at the end
 *   Requirement: spec/worker.md#55
 *   Requirement: spec/worker.md#13.17
 *   Given a parked task, and somebody who watches it
 *   When "tasks purge" is run, and run again
 *   Then the first run ends with exit code 0, the second with 1, and there is no such task
 *   And the watch ends by itself, with exit code 0 and the purge as its last line
 */
hostedTest('a task is purged from the command line, and who watches it is at the end', async (host) => {
  await using instance = await openHosted(host, { model: new FakeModel([{ text: 'One.' }]) });
  const url = ['--url', instance.url];
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'One.');
  await using watch = new CliProcess(['tasks', 'watch', REF, '--json', '--after', '0', ...url]);
  await watch.until((lines) => lines.some((line) => line.includes('One.')));

  expect(await runCli(['tasks', 'purge', REF, ...url])).toEqual({
    exitCode: 0,
    stdout: `${REF}: purged\n`,
    stderr: '',
  });
  expect(await watch.ended).toBe(0);
  expect(JSON.parse(watch.lines.at(-1) ?? '')).toMatchObject({ type: 'task.purged', ref: REF });
  expect(watch.stderr).toBe('');
  for (const command of ['purge', 'show']) {
    expect(await runCli(['tasks', command, REF, ...url])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(REF),
    });
  }
});

/*
 * Feature: Administration
 * Scenario: the heartbeat is listed, deleted and made again from the command line
 *   Requirement: spec/worker.md#55
 *   Requirement: spec/worker.md#67
 *   Given an instance with its heartbeat
 *   When "schedules delete" is run twice
 *   Then the first run ends with exit code 0, the second with 1, and no schedule is listed
 *   When "schedules ensure" is run twice, the first time with an interval
 *   Then it is made once and listed with that interval
 */
hostedTest('the heartbeat is listed, deleted and made again from the command line', async (host) => {
  await using instance = await openHosted(host);
  const schedules = (...args: readonly string[]) => runCli(['schedules', ...args, '--url', instance.url]);
  const listed = await schedules('list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: 'flotilla-heartbeat', intervalSeconds: 30 }]);

  expect(await schedules('delete')).toMatchObject({ exitCode: 0, stdout: 'deleted flotilla-heartbeat\n' });
  expect(await schedules('delete')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/there is no/),
  });
  expect((await schedules('list')).stdout).toBe('No schedules.\n');

  expect((await schedules('ensure', '--interval', '90')).stdout).toBe('made\n');
  expect((await schedules('ensure')).stdout).toMatch(/^there is one already/);
  expect((await schedules('list')).stdout).toMatch(/flotilla-heartbeat +90 s/);
});

/*
 * Feature: Embedded Temporal mode
 * Scenario: an instance that is told to stop stops its server, and says so
 *   Requirement: spec/worker.md#56
 *   Given an instance as a process, with a Temporal server of its own and a parked task
 *   When it gets SIGTERM
 *   Then it ends with exit code 0 within 30 seconds, and its log says that the server has stopped
 *   And nothing listens on the ports of the two, and the same state is served again by another process
 */
temporalTest(
  'an instance that is told to stop stops its server, and says so',
  { timeout: 180_000 },
  async () => {
    using folder = temporaryDirectory();
    await using instance = new InstanceProcess('alpha', join(folder.path, 'alpha'), {
      engine: 'temporal',
      temporal: { embedded: { executable: TEMPORAL_CLI } },
      scripted: { replies: [{ text: 'One.' }] },
    });
    await instance.start();
    await createTask(instance.url, 'hi', { ref: REF });
    await awaitReply(instance.url, { ref: REF }, 'One.');
    const serverPort = Number(/127\.0\.0\.1:(\d+)(?=","namespace")/.exec(instance.stderr)?.[1]);
    expect(await accepts(serverPort)).toBe(true);

    const startedAt = performance.now();
    expect(await instance.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(instance.stderr).toContain("Temporal's server has stopped");
    expect(await accepts(serverPort)).toBe(false);
    expect(await accepts(Number(new URL(instance.url).port))).toBe(false);

    await instance.start();
    await awaitReply(instance.url, { ref: REF }, 'One.');
  },
);

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
