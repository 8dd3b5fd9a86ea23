/** A manager as it is started for real, in this process, over members that can misbehave: real workers behind `MemberServer`s. */
import { writeFileSync } from 'node:fs';
import { request as sendHttp } from 'node:http';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../lib/Clock.ts';
import { type IdSource, systemIds } from '../../lib/ids.ts';
import { createLogger } from '../../server/createLogger.ts';
import { createInstance } from '../../server/index.ts';
import { createMemberServer, type MemberServer, type MemberServerOptions } from './MemberServer.ts';
import { type OpenWorker, openWorker } from './openWorker.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface RegistryEntry {
  readonly name: string;
  readonly url: string;
  readonly tokenEnv?: string;
  readonly kind?: 'worker' | 'a2a';
  readonly participant?: string;
}

export interface HostileFleetOptions {
  /** Workers behind servers, by name, in fleet order, each with the refs of its tasks. @default none */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Of each of these members. */
  readonly member?: MemberServerOptions;
  /** Entries that are registered after the members, and that nobody here runs. @default none */
  readonly strangers?: readonly RegistryEntry[];
  /** Keys of `instance.manager`. @default a timeout that no busy machine reaches, and probes that stay fresh for as long as the test runs */
  readonly manager?: Readonly<Record<string, unknown>>;
  /** Sections of the manager's file beside `instance`. */
  readonly sections?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly body: any;
  readonly durationMs: number;
}

export interface HostileFleet extends AsyncDisposable {
  /** Address of the manager. */
  readonly url: string;
  readonly configPath: string;
  /** What the manager has told its operator, as text. */
  readonly operatorLog: string;
  /** Whether a member of this name was opened. */
  has(name: string): boolean;
  server(name: string): MemberServer;
  worker(name: string): OpenWorker;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  /** A GraphQL request. */
  ask(query: string, variables?: Readonly<Record<string, unknown>>): Promise<HttpAnswer>;
  /** Rows of `/api/v1/instances` by name; probes what is not fresh. */
  states(): Promise<Readonly<Record<string, { readonly state: string; readonly detail?: string }>>>;
  /** Rows of the manager's own event log of one type, oldest first. Live members are asked for theirs, too. */
  events(type: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export async function openHostileFleet(options: HostileFleetOptions = {}): Promise<HostileFleet> {
  const { members = {}, strangers = [], manager = {}, sections = {}, env = {} } = options;
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(temporaryDirectory());
  const workers = new Map<string, OpenWorker>();
  const servers = new Map<string, MemberServer>();
  for (const [name, refs] of Object.entries(members)) {
    const worker = resources.use(await openWorker({ name }));
    for (const ref of refs) {
      await worker.ask('mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }', {
        input: { name: `work of ${name}`, goal: 'to be done', ref },
      });
    }
    workers.set(name, worker);
    servers.set(name, resources.use(await createMemberServer(worker.worker, options.member)));
  }
  const entries: RegistryEntry[] = [...servers].map(([name, { url }]) => ({ name, url }));
  const configPath = join(directory.path, 'flotilla.yaml');
  const config = {
    ...sections,
    instance: {
      name: 'hq',
      role: 'manager',
      manager: {
        timeoutSeconds: 20,
        probeIntervalSeconds: 3600,
        instances: [...entries, ...strangers],
        ...manager,
      },
    },
  };
  writeFileSync(configPath, JSON.stringify(config, undefined, 2));
  const operatorLines: string[] = [];
  const instance = resources.use(
    await createInstance({
      configPath,
      env,
      port: 0,
      stateDirectory: join(directory.path, 'state'),
      logger: createLogger('debug', { destination: { write: (line) => operatorLines.push(line) } }),
      clock: options.clock ?? systemClock,
      ids: options.ids ?? systemIds,
    }),
  );
  const owned = resources.move();
  const get: HostileFleet['get'] = (path, headers) =>
    exchange(instance.url, { method: 'GET', path, headers });
  const post: HostileFleet['post'] = (path, body, headers) =>
    exchange(instance.url, { method: 'POST', path, headers, body: JSON.stringify(body) });
  return {
    url: instance.url,
    configPath,
    get operatorLog() {
      return operatorLines.join('');
    },
    has: (name) => servers.has(name),
    server: (name) => held(servers, name),
    worker: (name) => held(workers, name),
    get,
    post,
    ask: (query, variables = {}) => post('/graphql', { query, variables }),
    async states() {
      const { body } = await get('/api/v1/instances');
      return Object.fromEntries(body.instances.map((row: { readonly name: string }) => [row.name, row]));
    },
    async events(type) {
      const { body } = await get(`/api/v1/events?limit=0&type=${type}`);
      return body.filter((row: { readonly instance: string }) => row.instance === 'hq');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function held<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (!value) throw new Error(`There is no ${name} in this fleet`);
  return value;
}

export interface Exchange {
  readonly method: string;
  /** Goes out as it is. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string;
}

/** By hand, so that any header and any path can be sent. */
export function exchange(url: string, { method, path, headers, body }: Exchange): Promise<HttpAnswer> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = sendHttp(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: received } = response;
          const text = Buffer.concat(chunks).toString();
          const durationMs = performance.now() - startedAt;
          resolve({ status, headers: received, text, body: parseOrNothing(text), durationMs });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
