/** A contender's process, as the benchmark sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContenderName, Order } from './child.ts';
import type { WorkResult } from './TurnHost.ts';

export class Contender implements AsyncDisposable {
  readonly name: ContenderName;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #directory: string;

  /** Resolves when it takes orders. @param program what it needs and this repository does not have */
  static async start(name: ContenderName, program: string): Promise<Contender> {
    const directory = await mkdtemp(join(tmpdir(), 'flotilla-bench-'));
    const contender = new Contender(name, directory, program);
    try {
      await contender.#hear();
    } catch (error) {
      await contender[Symbol.asyncDispose]();
      throw error;
    }
    return contender;
  }

  private constructor(name: ContenderName, directory: string, program: string) {
    this.name = name;
    this.#directory = directory;
    this.#child = fork(join(import.meta.dirname, 'child.ts'), [name, directory, program], {
      env: { ...process.env, NODE_ENV: 'production' },
      // What a peer says on its way is not ours to show; what it dies of is.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--no-deprecation'],
    });
    this.#ended = once(this.#child, 'exit');
  }

  async work(order: Order): Promise<WorkResult> {
    this.#child.send(order);
    return (await this.#hear()) as WorkResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#ended;
    // A server that outlives a killed contender for a moment still writes there.
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 10 });
  }

  /** The next thing that it says. */
  async #hear(): Promise<unknown> {
    const heard = new AbortController();
    const said = once(this.#child, 'message', { signal: heard.signal });
    const died = this.#ended.then(() => {
      throw new Error(`The contender "${this.name}" ended with exit code ${this.#child.exitCode}`);
    });
    try {
      const [message] = (await Promise.race([said, died])) as [unknown];
      return message;
    } finally {
      heard.abort();
    }
  }
}
