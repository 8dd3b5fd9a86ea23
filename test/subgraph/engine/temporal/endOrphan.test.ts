import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/Clock.ts';
import { endOrphan, notePid } from '../../../../subgraph/engine/temporal/endOrphan.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

/** A shell and what it started, as the server and its watcher are; both are deaf to SIGTERM. */
const DEAF = `trap '' TERM; sh -c 'while :; do sleep 1; done' & echo ready; wait`;

test.skipIf(process.platform === 'win32')(
  'an orphan that does not end is killed, with all that it started',
  async () => {
    using folder = temporaryDirectory();
    const path = join(folder.path, 'temporal.sqlite3');
    const watcher = spawn('sh', ['-c', DEAF, 'start-dev', path], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Comes when nobody holds the pipe any more: neither of the two is there.
    const closed = once(watcher, 'close');
    await using resources = new AsyncDisposableStack();
    resources.defer(() => signalGroup(watcher.pid ?? 0));
    await once(createInterface({ input: watcher.stdout }), 'line');
    using _note = notePid(path, watcher.pid ?? 0);
    const clock = new FakeClock();
    const ended = endOrphan(path, clock);
    await clock.waiting();
    clock.advance(4_000);
    await clock.waiting();
    expect(watcher.exitCode ?? watcher.signalCode).toBeNull();
    clock.advance(2_000);
    await closed;
    expect(watcher.signalCode).toBe('SIGKILL');
    clock.advance(1_000);
    await ended;
  },
);

test('a process that serves another file is left alone, and so is a note without a process', async () => {
  using folder = temporaryDirectory();
  const path = join(folder.path, 'temporal.sqlite3');
  {
    using _note = notePid(path, process.pid);
    await endOrphan(path, systemClock);
  }
  expect(existsSync(`${path}.pid`)).toBe(false);
  using _gone = notePid(path, 2 ** 22 + 1);
  await endOrphan(path, systemClock);
});

/** Whatever a failed test has left. */
function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}
