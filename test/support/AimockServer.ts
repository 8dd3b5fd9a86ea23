/** A model endpoint in the test's own process that speaks the Responses and the Chat Completions API, and counts what it is asked. */
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import type { InstanceConfig } from './InstanceProcess.ts';

/** What the model answers to a message that says this word, so that a test knows the reply that it waits for. */
export function replyTo(word: string): string {
  return `answer to ${word}`;
}

export interface ModelCall {
  readonly model: string;
  /** As Chat Completions has it; undefined when the request does not say. */
  readonly effort: string | undefined;
  /** What the model was given to read, instructions first. */
  readonly texts: readonly string[];
}

export interface HeldAnswer {
  /** Resolves when the model has been asked. */
  readonly asked: Promise<void>;
  /** Lets the answer go; further calls are answered at once. */
  release(): void;
}

/** A message is `say <word>`; the newest one is answered with `replyTo(word)`. */
export class AimockServer implements AsyncDisposable {
  /** Every call so far, oldest first; the ones that never got their answer too. */
  readonly calls: ModelCall[] = [];
  readonly #mock = new LLMock({ port: 0, host: '127.0.0.1' });
  readonly #held = new Map<string, { readonly asked: () => void; readonly released: Promise<void> }>();
  readonly #failures = new Map<string, number[]>();
  readonly #releases: (() => void)[] = [];

  static async start(): Promise<AimockServer> {
    const server = new AimockServer();
    server.#mock.on({ predicate: () => true }, (request) => server.#answer(request));
    await server.#mock.start();
    return server;
  }

  /** The configuration of an instance that asks this server for `model` over one of the wire APIs. */
  configFor(api: 'responses' | 'chat_completions', model: string): InstanceConfig {
    return { openai: { api, model, baseUrl: `${this.#mock.url}/v1`, apiKeyEnv: 'FLOTILLA_TEST_NO_KEY' } };
  }

  /** The base address of the API, for clients that are configured by hand. */
  get url(): string {
    return `${this.#mock.url}/v1`;
  }

  /** Calls whose newest message says this word. */
  callsFor(word: string): readonly ModelCall[] {
    return this.calls.filter(({ texts }) => newestWord(texts) === word);
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

  /** The next calls for this word are answered with these HTTP statuses, then the answer comes. */
  fail(word: string, ...statuses: readonly number[]): void {
    this.#failures.set(word, [...statuses]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const release of this.#releases) release();
    await this.#mock.stop();
  }

  async #answer({ model, messages, reasoning_effort }: ChatCompletionRequest): Promise<FixtureResponse> {
    const texts = messages.map(({ content }) =>
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    const word = newestWord(texts) ?? '';
    this.calls.push({ model, effort: reasoning_effort as string | undefined, texts });
    const failure = this.#failures.get(word)?.shift();
    if (failure) return { status: failure, error: { message: 'Refused by the test' } };
    const held = this.#held.get(word);
    held?.asked();
    await held?.released;
    return { content: replyTo(word) };
  }
}

/** Of the newest message with one: the model's own answers have none. */
function newestWord(texts: readonly string[]): string | undefined {
  const words = texts.map((text) => /\bsay ([\w-]+)/.exec(text)?.[1]);
  return words.findLast((word) => word !== undefined);
}
