/** One run of the `flotilla` command as a process of its own, from the sources, as the npm scripts run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'cli/main.ts');
/** A suite starts many processes; each would compile the same sources again. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/flotilla-tests');

/** A test that runs out of time never leaves its scope: what it started ends when the test's process does, however that ends. */
const END_WITH_TEST =
  "data:text/javascript,process.once('disconnect', () => process.exit()); process.channel?.unref();";

export interface CliOptions {
  /** Beside the variables of the test's own process. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default that of the test */
  readonly cwd?: string;
}

export interface CliResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs to the end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  await using cli = new CliProcess(args, options);
  const exitCode = await cli.ended;
  return { exitCode, stdout: cli.stdout, stderr: cli.stderr };
}

/** Killed with its scope. Instances that it has started end with it: they do when the process that started them is gone. */
export class CliProcess implements AsyncDisposable {
  /** Exit code, or null when a signal ended it; everything that it wrote has been read by then. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #watchers: (() => void)[] = [];
  #stderr = '';
  #isClosed = false;

  constructor(args: readonly string[], { env = {}, cwd }: CliOptions = {}) {
    const child = spawn(process.execPath, ['--import', END_WITH_TEST, MAIN, ...args], {
      cwd,
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.ended = once(child, 'close').then(([code]) => code as number | null);
    void this.ended.then(() => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Lines of standard output so far. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  get stdout(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  get stderr(): string {
    return this.#stderr;
  }

  /**
   * The first line of standard output that passes, from the start.
   *
   * @throws when the process ends without one, with what it said.
   */
  async line(isWanted: (line: string) => boolean): Promise<string> {
    await this.until((lines) => lines.some(isWanted));
    return this.#lines.find(isWanted) as string;
  }

  /**
   * Resolves as soon as the lines of standard output are enough.
   *
   * @throws when the process ends before, with what it said.
   */
  async until(isEnough: (lines: readonly string[]) => boolean): Promise<void> {
    while (!isEnough(this.#lines)) {
      if (this.#isClosed) throw new Error(`The process has ended too early: ${this.#stderr || this.stdout}`);
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** Closes standard output from the reader's side. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  /** Sends the signal and waits for the end. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGKILL');
  }

  #wake(): void {
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const wake of watchers) wake();
  }
}
