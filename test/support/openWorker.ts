/** A real worker on a state directory of its own, asked in-process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExecutionResult, execute, parse, subscribe, validate } from 'graphql';
import { systemClock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { createConfigFile, createWorker, type Worker } from '../../subgraph/index.ts';
import type { ModelProvider } from '../../subgraph/models/ModelProvider.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes and assert on each field they read
type Data = any;

export interface OpenWorker extends AsyncDisposable {
  readonly worker: Worker;
  /** Answers an operation; throws when there are errors. */
  ask(text: string, variables?: Record<string, unknown>): Promise<Data>;
  /** The first error of an operation that must fail. */
  refusal(text: string, variables?: Record<string, unknown>): Promise<{ message: string; code: unknown }>;
  /** Opens a subscription; its values are what `field` gives. */
  listen(text: string, field: string): Promise<Values>;
}

type Values = AsyncIterableIterator<Data> & { return(): Promise<IteratorResult<Data>> };

export interface OpenWorkerOptions {
  /** @default 'alpha' */
  readonly name?: string;
  /** @default the built-in scripted one */
  readonly model?: ModelProvider;
  /** More of the configuration file. @default '' */
  readonly config?: string;
}

export async function openWorker({
  name = 'alpha',
  model,
  config: yaml = '',
}: OpenWorkerOptions = {}): Promise<OpenWorker> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const configPath = join(path, 'flotilla.yaml');
  writeFileSync(configPath, `instance:\n  name: ${name}\n${yaml}`);
  const config = createConfigFile({ path: configPath, env: {}, logger: silentLogger });
  const worker = resources.use(
    await createWorker({
      config,
      version: '1.2.3',
      url: () => 'http://127.0.0.1:4114',
      env: {},
      clock: systemClock,
      ids: systemIds,
      logger: silentLogger,
      ...(model && { model }),
    }),
  );
  const run = async (
    text: string,
    variableValues?: Record<string, unknown>,
  ): Promise<ExecutionResult<Data>> => {
    const document = parse(text);
    const problems = validate(worker.schema, document);
    if (problems[0]) throw problems[0];
    return execute({ schema: worker.schema, document, variableValues, contextValue: {} });
  };
  const owned = resources.move();
  return {
    worker,
    async ask(text, variables) {
      const { data, errors } = await run(text, variables);
      if (errors?.[0]) throw errors[0];
      return data;
    },
    async refusal(text, variables) {
      const error = (await run(text, variables)).errors?.[0];
      if (!error) throw new Error('The operation was expected to fail');
      const { code } = (error.originalError ?? error) as { code?: unknown };
      return { message: error.message, code };
    },
    async listen(text, field) {
      const stream = await subscribe({ schema: worker.schema, document: parse(text), contextValue: {} });
      if (!(Symbol.asyncIterator in stream)) throw stream.errors?.[0];
      return valuesOf(stream, field);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** `return()` reaches the stream also while a value is waited for, which a generator would not do. */
function valuesOf(stream: AsyncGenerator<ExecutionResult<Data>>, field: string): Values {
  return {
    async next() {
      const { value, done } = await stream.next();
      if (done) return { value: undefined, done };
      if (value.errors?.[0]) throw value.errors[0];
      return { value: value.data[field], done: false };
    },
    async return() {
      await stream.return(undefined);
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
