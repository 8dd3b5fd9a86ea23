/** What scenarios do with tasks over GraphQL, against any instance. */
import { expect } from 'vitest';
import { readGraphQL } from './askGraphQL.ts';
import { eventually } from './eventually.ts';

export interface TaskKey {
  readonly ref: string;
  readonly instance?: string;
}

export interface TaskView {
  readonly instance: string;
  readonly ref: string;
  readonly state: string;
  readonly subState: string | null;
  readonly lastReply: string | null;
  readonly turns: number;
  /** Texts of the conversation, oldest first. */
  readonly texts: readonly string[];
}

const FIELDS = `instance ref state subState lastReply turns
  history(first: 1000) { nodes { ... on HistoryMessage { text } } }`;

/** Creates a task whose first message is `message`. */
export async function createTask(url: string, message: string, { ref, instance }: TaskKey): Promise<void> {
  await readGraphQL(
    url,
    'mutation ($input: CreateTaskInput!, $instance: String) { createTask(input: $input, instance: $instance) { ref } }',
    { input: { message, ref }, instance },
  );
}

export async function sendMessage(url: string, text: string, { ref, instance }: TaskKey): Promise<void> {
  await readGraphQL(
    url,
    'mutation ($ref: ID!, $text: String!, $instance: String) { sendMessage(ref: $ref, text: $text, instance: $instance) { ref } }',
    { ref, text, instance },
  );
}

export async function readTask(url: string, { ref, instance }: TaskKey): Promise<TaskView> {
  const { task } = await readGraphQL(
    url,
    `query ($ref: ID!, $instance: String) { task(ref: $ref, instance: $instance) { ${FIELDS} } }`,
    { ref, instance },
  );
  const { history, ...facts } = task;
  const nodes = history.nodes as readonly { readonly text?: string }[];
  return { ...facts, texts: nodes.flatMap(({ text }) => text ?? []) };
}

/** Resolves when the task waits for its next message; with `wanted`, in a state that has these values. */
export function awaitParked(url: string, key: TaskKey, wanted: Partial<TaskView> = {}): Promise<TaskView> {
  return awaitState(async () => {
    const task = await readTask(url, key);
    expect(task).toMatchObject({ state: 'INPUT_REQUIRED', ...wanted });
    return task;
  });
}

/** Resolves when the task is parked behind this reply. */
export function awaitReply(url: string, key: TaskKey, lastReply: string): Promise<TaskView> {
  return awaitParked(url, key, { lastReply });
}

/** Asks again and again until `read` does not throw; the last error says what was missing. */
export function awaitState<T>(read: () => Promise<T>): Promise<T> {
  return eventually(read);
}
