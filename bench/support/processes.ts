/** Processes of a benchmark: each one tells its address on its first line and ends with the benchmark. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long a process may take to tell its address, and to end after SIGTERM, in milliseconds. */
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 10_000;

/** Of what a process wrote to standard error; shown when it does not start. */
const MAX_COMPLAINT_LENGTH = 2_000;

export interface BenchProcess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
}

/**
 * Runs a file of the repository as the installed command would run, in production mode; its first line on stdout is JSON
 * with `url`. From its first moment it belongs to `resources`, so that nothing is left running when another one fails.
 */
export async function startProcess(
  resources: AsyncDisposableStack,
  file: string,
  args: readonly string[],
): Promise<BenchProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', file), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, APOLLO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    const cut = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(cut);
  });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-MAX_COMPLAINT_LENGTH);
  });
  const failure = ended.then(([code]) =>
    Promise.reject(new Error(`${file} ended with exit code ${code}: ${complaint}`)),
  );
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const line = once(lines, 'line', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  const [text] = await Promise.race([line, failure]);
  failure.catch(() => undefined);
  const { url } = JSON.parse(text as string) as { url: string };
  return { url: url.replace(/\/$/, ''), pid: child.pid as number };
}
