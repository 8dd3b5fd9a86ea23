import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../lib/Clock.ts';
import { type LogFields, type Logger, silentLogger } from '../../../../lib/Logger.ts';
import { ConfigSchema } from '../../../../schema/config/ConfigSchema.ts';
import { bundleWorkflow } from '../../../../subgraph/engine/temporal/bundleWorkflow.ts';
import { type EmbeddedServer, startEmbedded } from '../../../../subgraph/engine/temporal/startEmbedded.ts';
import { freePorts } from '../../../chaos/freePorts.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { FakePerformer } from '../../../support/FakePerformer.ts';
import { openTemporalEngine } from '../../../support/openTemporalEngine.ts';
import { retried } from '../../../support/retried.ts';
import { aMessage, aNewTask } from '../../../support/tasks.ts';
import { TEMPORAL_CLI } from '../../../support/temporalServer.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

test('a pinned binary that cannot be run is refused, and nothing is fetched in its place', async () => {
  using folder = temporaryDirectory();
  const start = startAt(folder.path, { executable: join(folder.path, 'missing') });
  await expect(start).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('temporal.embedded.executable'),
  });
});

test('a server that does not start is told with what it said, and leaves the state free', async () => {
  using folder = temporaryDirectory();
  const executable = join(folder.path, 'broken');
  writeFileSync(executable, '#!/bin/sh\necho "no such shard" >&2; exit 1\n', { mode: 0o700 });
  for (const _attempt of [1, 2]) {
    await expect(startAt(folder.path, { executable })).rejects.toThrow('no such shard');
  }
});

describe.skipIf(TEMPORAL_CLI === undefined)('with the temporal binary', { timeout: 120_000 }, () => {
  test('a port of our choice that is taken before the server has it costs another start; a port of the operator is refused', async () => {
    using folder = temporaryDirectory();
    const executable = join(folder.path, 'late');
    const taken = 'echo "listen tcp 127.0.0.1:7: bind: address already in use" >&2; exit 1';
    writeFileSync(
      executable,
      `#!/bin/sh\n[ -e "$0.once" ] || { : >"$0.once"; ${taken}; }\nexec "${TEMPORAL_CLI}" "$@"\n`,
      {
        mode: 0o700,
      },
    );
    const [port] = await freePorts(1);
    await expect(startAt(folder.path, { executable, port })).rejects.toThrow('address already in use');
    rmSync(`${executable}.once`);
    await using server = await startAt(folder.path, { executable });
    expect(server.address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('an owner that was killed is followed by the next one at once', async () => {
    using folder = temporaryDirectory();
    const script = join(import.meta.dirname, '../../../support/temporalOwner.ts');
    const env = { ...process.env, TEMPORAL_CLI_PATH: TEMPORAL_CLI };
    const owner = spawn(process.execPath, [script, folder.path, 'wait'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface({ input: owner.stdout }), 'line');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await using next = await startAt(folder.path, { executable: TEMPORAL_CLI });
    expect(next.address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('a server that has died is started again where it was, and tasks go on', async () => {
    using folder = temporaryDirectory();
    await using server = await startAt(folder.path, { executable: TEMPORAL_CLI });
    const { address, pid } = server;
    await using opened = await openTemporalEngine({
      address,
      workflowBundle: await bundleWorkflow(),
      performer: new FakePerformer(),
    });
    const { ref } = (await opened.engine.start(aNewTask())).state;
    await awaitParked(opened.log, ref);
    // The whole group: the server with the shell that watches it.
    process.kill(-pid, 'SIGKILL');
    await expect.poll(() => server.pid, { timeout: 40_000 }).not.toBe(pid);
    expect(server.address).toBe(address);
    const { cursor } = await retried('UNAVAILABLE', () => opened.engine.deliver(ref, aMessage('m2')));
    expect((await awaitParked(opened.log, ref, cursor)).data.message).toBe('reply 2');
  });

  test('the operator is told of mode, address, namespace and state, and that it is not for production', async () => {
    using folder = temporaryDirectory();
    const lines: [string, LogFields][] = [];
    const say = (fields: LogFields, message: string) => lines.push([message, fields]);
    const server = await startAt(
      folder.path,
      { executable: TEMPORAL_CLI, persist: false },
      { ...silentLogger, info: say, warn: say },
    );
    await server[Symbol.asyncDispose]();
    expect(lines.map(([message]) => message)).toEqual([
      "Temporal's server has started",
      expect.stringContaining('not for production'),
      "Temporal's server has stopped",
    ]);
    expect(lines[0]?.[1]).toEqual({
      mode: 'embedded',
      address: server.address,
      namespace: 'default',
      state: 'in memory',
    });
  });
});

function startAt(
  stateDirectory: string,
  embedded: Readonly<Record<string, unknown>>,
  logger: Logger = silentLogger,
): Promise<EmbeddedServer> {
  return startEmbedded({
    config: ConfigSchema.parse({ temporal: { embedded } }).temporal,
    stateDirectory,
    env: {},
    clock: systemClock,
    logger,
  });
}
