/**
 * An A2A agent of another make as a process: `tiny-harness` of PyPI, in a folder of the test, with a Temporal server of its own.
 *
 * `.ci/a2a-agent` installs it into `.a2a-agent`; `FLOTILLA_A2A_PYTHON` names another interpreter that has it. The Temporal server is
 * the one of `TEMPORAL_CLI_PATH`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../chaos/freePorts.ts';

const INSTALLED = fileURLToPath(new URL('../../.a2a-agent/bin/python', import.meta.url));
const TEMPORAL = process.env.TEMPORAL_CLI_PATH || undefined;

/** The interpreter that has the agent; undefined on a machine without it, or without a Temporal server for it. */
export const AGENT_PYTHON: string | undefined =
  TEMPORAL === undefined
    ? undefined
    : process.env.FLOTILLA_A2A_PYTHON || (existsSync(INSTALLED) ? INSTALLED : undefined);

// A gate that passes without the agent would prove nothing of members of another make.
if (process.env.CI === 'true' && AGENT_PYTHON === undefined) {
  throw new Error(
    'CI needs the A2A agent: `.ci/a2a-agent` installs it, or name an interpreter in FLOTILLA_A2A_PYTHON; and TEMPORAL_CLI_PATH',
  );
}

/** The command line of the package, which is no module that could be run. */
const MAIN = 'import sys; from tiny_harness.service.cli import main; sys.exit(main(sys.argv[1:]))';

/** What it says when its Temporal server has ended. */
const STOPPED = 'embedded Temporal stopped';

export interface A2AAgentOptions {
  /** Is made when it is missing. */
  readonly directory: string;
  /** Of a model endpoint that speaks the Chat Completions API. */
  readonly modelUrl: string;
}

export class A2AAgentProcess implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  #output = '';

  /** Resolves when the agent shows its card. */
  static async start({ directory, modelUrl }: A2AAgentOptions): Promise<A2AAgentProcess> {
    if (AGENT_PYTHON === undefined) throw new Error('There is no interpreter with the agent');
    const [port] = await freePorts(1);
    mkdirSync(directory, { recursive: true });
    const url = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(directory, 'config.toml'),
      `[temporal]
mode = "embedded"
[temporal.embedded]
persist = false
binary_path = "${TEMPORAL}"
[openai]
base_url = "${modelUrl}"
api = "chat_completions"
model = "scripted"
[server]
bind = "127.0.0.1:${port}"
base_url = "${url}"
rate_limit_per_minute = 100000
`,
    );
    const agent = new A2AAgentProcess(AGENT_PYTHON, directory, url);
    try {
      await agent.#untilReady();
    } catch (error) {
      await agent[Symbol.asyncDispose]();
      throw error;
    }
    return agent;
  }

  private constructor(python: string, directory: string, url: string) {
    this.url = url;
    this.#process = spawn(python, ['-c', MAIN, '--config', 'config.toml', 'serve', '--with-worker'], {
      cwd: directory,
      // Nothing of the machine's own: no home, no tokens, no settings.
      env: { PATH: '/usr/bin:/bin', HOME: directory, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-10_000);
      });
    }
  }

  /** An operation over JSON-RPC, as this participant; an error of the agent is the answer as well. */
  async call(method: string, params: object, participant = 'operator'): Promise<A2AResponse> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'a2a-version': '1.0',
        'x-participant-id': participant,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as A2AResponse;
  }

  /** The id of a new task with this first message. */
  async createTask(text: string, participant?: string): Promise<string> {
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
    const params = { message, configuration: { returnImmediately: true } };
    return (await this.call('SendMessage', params, participant)).result.task.id;
  }

  /** It is asked to stop, so that it ends its Temporal server; what it does after that may take for ever. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return;
    const closed = once(this.#process, 'close');
    this.#process.kill('SIGTERM');
    while (!this.#hasEnded && !this.#output.includes(STOPPED))
      await new Promise((resolve) => setTimeout(resolve, 50));
    this.#process.kill('SIGKILL');
    await closed;
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async #untilReady(): Promise<void> {
    while (!this.#hasEnded) {
      try {
        const answer = await fetch(`${this.url}/.well-known/agent-card.json`);
        await answer.body?.cancel();
        if (answer.ok) return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error(`The agent ended: ${this.#output}`);
  }
}

export interface A2AResponse {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly result: any;
  readonly error?: { readonly code: number; readonly message: string };
}
