/**
 * An existing service of the REST contract as a process: `the-loopy-one` of PyPI, in a folder of the test.
 *
 * `.ci/run` installs it into `.interop`; `FLOTILLA_INTEROP_PYTHON` names another interpreter that has it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { freePorts } from '../chaos/freePorts.ts';
import { isAlive } from './isAlive.ts';

const INSTALLED = fileURLToPath(new URL('../../.interop/bin/python', import.meta.url));

/** The interpreter that has the service; undefined on a machine without it. */
export const PYTHON: string | undefined =
  process.env.FLOTILLA_INTEROP_PYTHON || (existsSync(INSTALLED) ? INSTALLED : undefined);

// A gate that passes without the service would prove nothing of members of another make.
if (process.env.CI === 'true' && PYTHON === undefined) {
  throw new Error(
    'CI needs the Python service: `.ci/run` installs it, or name an interpreter in FLOTILLA_INTEROP_PYTHON',
  );
}

export interface PythonServiceOptions {
  readonly name: string;
  /** Is made when it is missing. */
  readonly directory: string;
  /** Members of a manager. @default none: a worker */
  readonly members?: readonly { readonly name: string; readonly url: string }[];
  /** Of a manager. @default 1 */
  readonly probeIntervalSeconds?: number;
  /** @default one that is free */
  readonly port?: number;
}

export class PythonService implements AsyncDisposable {
  readonly url: string;
  readonly directory: string;
  readonly configPath: string;
  readonly #python: string;
  #process: ChildProcess;
  #output = '';

  /** Resolves when the service answers. */
  static async start(options: PythonServiceOptions): Promise<PythonService> {
    const { name, directory, members, probeIntervalSeconds = 1 } = options;
    if (PYTHON === undefined) throw new Error('There is no interpreter with the service');
    const [port] = options.port === undefined ? await freePorts(1) : [options.port];
    mkdirSync(join(directory, 'work'), { recursive: true });
    const configPath = join(directory, 'cli-config.yaml');
    const role = members && {
      role: 'manager',
      manager: { instances: members, timeoutSeconds: 20, probeIntervalSeconds },
    };
    const config = {
      version: '0.12.0',
      state: { root: '.the-loop' },
      instance: { name, ...role },
      service: {
        host: '127.0.0.1',
        port,
        mcp: { enabled: false },
        hostIngresses: false,
        stream: { keepAliveSeconds: 1 },
      },
    };
    writeFileSync(configPath, stringify(config));
    const service = new PythonService(PYTHON, { directory, configPath, url: `http://127.0.0.1:${port}` });
    try {
      await service.#untilReady();
    } catch (error) {
      await service[Symbol.asyncDispose]();
      throw error;
    }
    return service;
  }

  private constructor(
    python: string,
    { directory, configPath, url }: { directory: string; configPath: string; url: string },
  ) {
    this.url = url;
    this.directory = directory;
    this.configPath = configPath;
    this.#python = python;
    this.#process = this.#spawn();
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  /** What runs now: a restart through the API puts another process in the place of the one that was started. */
  get #runningPid(): number {
    const path = join(this.directory, '.the-loop/local/service.pid');
    const pid = existsSync(path) ? Number(readFileSync(path, 'utf8').trim()) : this.pid;
    return pid > 0 ? pid : this.pid;
  }

  /** `kill -9`: asked to stop, it waits for its streams to end. */
  async kill(): Promise<void> {
    const pid = this.#runningPid;
    if (pid !== this.pid && isAlive(pid)) process.kill(pid, 'SIGKILL');
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#process.kill('SIGKILL');
    await closed;
  }

  /** After `kill`: on the same address, with the same state. Resolves when it answers. */
  async startAgain(): Promise<void> {
    this.#process = this.#spawn();
    await this.#untilReady();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #spawn(): ChildProcess {
    const child = spawn(this.#python, ['-m', 'the_loop.api.serve'], {
      cwd: this.directory,
      env: environmentIn(this.directory, this.configPath),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-10_000);
      });
    }
    return child;
  }

  async #untilReady(): Promise<void> {
    while (this.#process.exitCode === null) {
      try {
        const answer = await fetch(`${this.url}/api/v1/health`);
        await answer.body?.cancel();
        if (answer.ok) return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error(`The service ended: ${this.#output}`);
  }
}

/** Nothing of the machine's own: no home, no tokens, no settings. */
function environmentIn(directory: string, configPath: string): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', HOME: directory, THE_LOOP_CLI_CONFIG: configPath, LANG: 'C.UTF-8' };
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the service's own command line against whatever answers at `url`. */
export async function runPythonCommand(
  { directory, url }: { readonly directory: string; readonly url: string },
  ...args: readonly string[]
): Promise<CommandResult> {
  const configPath = join(directory, 'client.yaml');
  const { hostname: host, port } = new URL(url);
  writeFileSync(
    configPath,
    stringify({
      version: '0.12.0',
      state: { root: '.the-loop' },
      service: { host, port: Number(port), autoStart: false },
    }),
  );
  const child = spawn(PYTHON as string, ['-m', 'the_loop', '--config', configPath, ...args], {
    cwd: directory,
    env: environmentIn(directory, configPath),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[exitCode], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode, stdout, stderr };
}
