/** A part of the benchmark in a process of its own, so that nobody's memory or CPU is taken for another's. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** How long a child may take to end after SIGTERM, in milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

export interface Child<Answer> {
  readonly pid: number;
  /** What the child said when it was ready. */
  readonly ready: unknown;
  /** Answered in the order of asking. */
  ask(request: unknown): Promise<Answer>;
}

/** Runs a file beside this one. It sends one message when it is ready, then one for each request, and ends with `resources`. */
export async function startChild<Answer>(
  resources: AsyncDisposableStack,
  file: string,
  args: readonly string[] = [],
): Promise<Child<Answer>> {
  const child = fork(join(import.meta.dirname, file), [...args], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, APOLLO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    const cut = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(cut);
  });
  const failure = ended.then(([code]) => Promise.reject(new Error(`${file} ended with exit code ${code}`)));
  failure.catch(() => undefined);
  const answer = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), failure]))[0];
  return {
    pid: child.pid as number,
    ready: await answer(),
    ask: createAsk(child, answer) as Child<Answer>['ask'],
  };
}

function createAsk(
  child: ChildProcess,
  answer: () => Promise<unknown>,
): (request: unknown) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    last = last.then(() => {
      child.send(request as object);
      return answer();
    });
    return last;
  };
}
