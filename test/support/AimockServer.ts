/** A model endpoint in the test's own process that speaks the Responses and the Chat Completions API, and counts what it is asked. */
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import type { InstanceConfig } from './InstanceProcess.ts';

/** Said by the model to a message, so that a test knows the reply that it waits for. */
export function replyTo(text: string): string {
  return `answer to ${text}`;
}

export interface ModelCall {
  readonly model: string;
  /** The newest message that the model was given. */
  readonly text: string;
}

export interface HeldAnswer {
  /** Resolves when the model has been asked. */
  readonly asked: Promise<void>;
  /** Lets the answer go; further calls are answered at once. */
  release(): void;
}

/** Answers every message with `replyTo` of the word after `say`: a message is `say <word>`. */
export class AimockServer implements AsyncDisposable {
  /** Every call so far, oldest first; the ones that never got their answer too. */
  readonly calls: ModelCall[] = [];
  readonly #mock = new LLMock({ port: 0, host: '127.0.0.1' });
  readonly #held = new Map<string, { readonly asked: () => void; readonly released: Promise<void> }>();
  readonly #releases: (() => void)[] = [];

  static async start(): Promise<AimockServer> {
    const server = new AimockServer();
    server.#mock.on({ predicate: () => true }, async (request) => ({
      content: await server.#answer(request),
    }));
    await server.#mock.start();
    return server;
  }

  /** The configuration of an instance that asks this server for `model` over one of the wire APIs. */
  configFor(api: 'responses' | 'chat_completions', model: string): InstanceConfig {
    return { openai: { api, model, baseUrl: `${this.#mock.url}/v1`, apiKeyEnv: 'FLOTILLA_TEST_NO_KEY' } };
  }

  /** Calls whose newest message says this word. */
  callsFor(word: string): readonly ModelCall[] {
    return this.calls.filter(({ text }) => wordOf(text) === word);
  }

  /** Paths of the requests that were answered, each once. */
  get paths(): readonly string[] {
    return [...new Set(this.#mock.getRequests().map(({ path }) => path))].sort();
  }

  /** The answer to this word waits for its release. */
  hold(word: string): HeldAnswer {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held.set(word, { asked: asked.resolve, released: released.promise });
    this.#releases.push(released.resolve);
    return { asked: asked.promise, release: released.resolve };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const release of this.#releases) release();
    await this.#mock.stop();
  }

  async #answer({ model, messages }: ChatCompletionRequest): Promise<string> {
    const newest = messages.findLast(({ role }) => role === 'user')?.content;
    const text = typeof newest === 'string' ? newest : JSON.stringify(newest);
    this.calls.push({ model, text });
    const word = wordOf(text);
    const held = this.#held.get(word);
    held?.asked();
    await held?.released;
    return replyTo(word);
  }
}

function wordOf(text: string): string {
  return /\bsay ([\w-]+)/.exec(text)?.[1] ?? '';
}
