/** Somebody who creates tasks and sends messages without a pause worth the name, and keeps a book of what was accepted. */
import { setTimeout as delay } from 'node:timers/promises';
import { askGraphQL } from '../support/askGraphQL.ts';
import { type ChaosFleet, MANAGER } from './ChaosFleet.ts';
import type { Random } from './Random.ts';

/** Least and greatest wait between two writes, in milliseconds. */
const PAUSE_MS = [50, 400] as const;
/** Tasks get so many messages at most, so that reading them stays cheap. */
const MAX_MESSAGES = 15;
/** How often a write without an answer is tried, always under the same message id. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 500;

const CREATE = `mutation ($ref: ID!, $text: String!, $messageId: ID!, $instance: String) {
  createTask(input: { ref: $ref, message: $text, messageId: $messageId }, instance: $instance) { ref }
}`;
const SEND = `mutation ($ref: ID!, $text: String!, $messageId: ID!, $instance: String) {
  sendMessage(ref: $ref, text: $text, messageId: $messageId, instance: $instance) { accepted }
}`;

/** One message that was sent. */
export interface Posting {
  /** In the text of the message, and its message id. */
  readonly id: string;
  readonly instance: string;
  readonly ref: string;
  /** Somebody answered for it; otherwise it may have arrived, once. */
  readonly isAccepted: boolean;
}

interface OpenTask {
  readonly instance: string;
  readonly ref: string;
  messages: number;
}

export interface WriterOptions {
  readonly name: string;
  readonly fleet: ChaosFleet;
  readonly random: Random;
}

export class Writer {
  readonly postings: Posting[] = [];
  readonly #options: WriterOptions;
  readonly #tasks: OpenTask[] = [];
  #count = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Writes until the signal aborts; resolves when the last write has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { random, fleet } = this.#options;
    while (!signal.aborted) {
      const open = this.#tasks.filter(({ messages }) => messages < MAX_MESSAGES);
      if (open.length === 0 || random.chance(0.12)) await this.create(random.pick(fleet.names));
      else await this.#send(random.pick(open));
      await delay(random.integer(...PAUSE_MS));
    }
  }

  /** A new task of the instance, with its first message. */
  async create(instance: string): Promise<void> {
    const task = { instance, ref: `github:chaos/${this.#options.name}#${this.#count + 1}`, messages: 1 };
    if (await this.#post(CREATE, task)) this.#tasks.push(task);
  }

  async #send(task: OpenTask): Promise<void> {
    task.messages += 1;
    await this.#post(SEND, task);
  }

  async #post(mutation: string, { instance, ref }: OpenTask): Promise<boolean> {
    this.#count += 1;
    const id = `${this.#options.name}-${this.#count}`;
    const route = this.#route(mutation, instance);
    const variables = { ref, text: `Please note: ${id}.`, messageId: id, instance: route.instance };
    let isAccepted = false;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !isAccepted; attempt += 1) {
      if (attempt > 1) await delay(RETRY_MS);
      isAccepted = await isAnswered(route.url, mutation, variables);
    }
    this.postings.push({ id, instance, ref, isAccepted });
    return isAccepted;
  }

  /** Directly at the instance, or through the manager; by the name of the instance, or by the ref alone. */
  #route(mutation: string, instance: string): { readonly url: string; readonly instance?: string } {
    const { random, fleet } = this.#options;
    const isDirect = random.chance(0.4);
    const isNamed = random.chance(0.5) || mutation === CREATE;
    if (isDirect && instance !== MANAGER) return { url: fleet.urlOf(instance) };
    return { url: fleet.url, ...(isNamed && { instance }) };
  }
}

/** False for a refusal as for no answer at all: neither promises anything. */
async function isAnswered(
  url: string,
  mutation: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  try {
    const { data, errors } = await askGraphQL(url, mutation, variables);
    return errors === undefined && Boolean(data);
  } catch {
    return false;
  }
}
