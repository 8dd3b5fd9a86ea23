/**
 * Reads the `task` of events, from the members that the events are from. Events that are told at the same time share one
 * document per member.
 */
import DataLoader from 'dataloader';
import { type DocumentNode, type ExecutionResult, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { asRecord } from '../member/parseMemberJson.ts';
import { planTaskDocuments, type TaskDocument } from './taskDocument.ts';

/** What a subscription selects below `task`, keyed by response name; null when the instance has no task with the ref. */
export type TaskData = Readonly<Record<string, unknown>> | null;

export interface TaskReader {
  /**
   * Never answered from before the call. Rejects with one error when the task cannot be read; an error below it is the
   * value of its field.
   */
  load(key: TaskKey): Promise<TaskData>;
}

export interface TaskKey {
  readonly instance: string;
  readonly ref: string;
}

export interface TaskReaderOptions {
  /** Of the `task` field: what is selected below it is read. */
  readonly info: GraphQLResolveInfo;
  /** The client's. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly execute: (request: {
    readonly document: DocumentNode;
    readonly operationName: string;
    readonly variables: Readonly<Record<string, unknown>>;
  }) => Promise<ExecutionResult>;
}

export function createTaskReader({ info, variables, execute }: TaskReaderOptions): TaskReader {
  const documentFor = planTaskDocuments(info);

  async function readGroup(
    instance: string,
    keys: readonly TaskKey[],
  ): Promise<Map<TaskKey, TaskData | Error>> {
    const plan = documentFor(keys.length);
    const { document, operationName } = plan;
    const values = { ...pick(variables, plan.clientVariables), ...taskVariables(plan, instance, keys) };
    const result = await execute({ document, operationName, variables: values });
    return new Map(keys.map((key, index) => [key, taskOf(result, plan.tasks[index]?.alias ?? '')]));
  }

  const loader = new DataLoader<TaskKey, TaskData, string>(
    async (keys) => {
      // The cache is for one batch only: a later event wants the task as it is then.
      loader.clearAll();
      const groups = [...Map.groupBy(keys, ({ instance }) => instance)];
      const results = await Promise.all(groups.map(([instance, group]) => readGroup(instance, group)));
      const byKey = new Map(results.flatMap((group) => [...group]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
    { cacheKeyFn: ({ instance, ref }) => `${instance}\n${ref}` },
  );
  return { load: (key) => loader.load(key) };
}

function taskVariables(
  { instance, tasks }: TaskDocument,
  name: string,
  keys: readonly TaskKey[],
): Record<string, unknown> {
  const refs = tasks.map(({ ref }, index) => [ref, keys[index]?.ref]);
  return { ...Object.fromEntries(refs), [instance]: name };
}

function taskOf({ data, errors = [] }: ExecutionResult, alias: string): TaskData | Error {
  const own = errors.filter(({ path }) => path === undefined || path[0] === alias);
  const task = asRecord(data?.[alias]);
  if (!task) return own[0] ? withoutPlace(own[0]) : null;
  return own.reduce<unknown>((value, error) => place(value, error.path?.slice(1) ?? [], error), task) as
    | TaskData
    | Error;
}

/** `value` with the error at the end of the path, or at the null that the error made of something above it. */
function place(value: unknown, [key, ...rest]: readonly (string | number)[], error: GraphQLError): unknown {
  if (value instanceof Error) return value;
  if (value === null || value === undefined || key === undefined) return withoutPlace(error);
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? place(item, rest, error) : item));
  const record = asRecord(value);
  return record ? { ...record, [key]: place(record[key], rest, error) } : value;
}

/** The path and the locations are those of another document. */
function withoutPlace({ message, extensions }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { extensions });
}

function pick(values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
  );
}
