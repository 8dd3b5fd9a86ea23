/**
 * Records what a release answers and keeps: `node test/support/recordBaseline.ts <checkout of the release> <version>`.
 *
 * `<version>/flotilla.yaml` is written by hand before, and then never again; nor is what is recorded here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { createParser } from 'eventsource-parser';
import {
  buildClientSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isLeafType,
  isObjectType,
  isUnionType,
  printSchema,
} from 'graphql';
import {
  awaitRest,
  type Baseline,
  type BaselineRequest,
  type Exchange,
  FIXTURES,
  perform,
  type RunFacts,
  settle,
} from './baseline.ts';
import { type GraphRequest, READS, WRITES } from './baselineRequests.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

/** Levels of objects below the type of a root field that are asked for, and below a row of a page. */
const DEPTH = 2;

const [checkout = '', version = ''] = process.argv.slice(2);
const folder = join(FIXTURES, version);
using directory = temporaryDirectory();
cpSync(join(folder, 'flotilla.yaml'), join(directory.path, 'flotilla.yaml'));

const first = await startRelease();
const schema = await readSchema(first.url);
const writes = await exchangeAll(first, WRITES, () => awaitRest(first.url));
await first.stop();
cpSync(join(directory.path, 'kept/state.db'), join(folder, 'state.db'));
const last = lastOffset(join(directory.path, 'kept/state.db'));
const recordedAtMs = Date.now();

const second = await startRelease();
const reads = await exchangeAll(second, await withCursors(second.url));
const after = String(Math.floor(last / 2));
const frames = await readFrames(second.url, after, last);
await second.stop();

const baseline: Baseline = {
  version,
  recordedAtMs,
  writes,
  reads,
  stream: { after, frames },
  sdl: printSchema(schema),
};
writeFileSync(join(folder, 'baseline.json'), format(baseline));

/** A line for each exchange. */
function format({ writes: written, reads: read, ...rest }: Baseline): string {
  const lines = (exchanges: readonly Exchange[]): string =>
    `[\n${exchanges.map((exchange) => JSON.stringify(exchange)).join(',\n')}\n]`;
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},\n"writes": ${lines(written)},\n"reads": ${lines(read)}}\n`;
}

interface Release extends RunFacts {
  stop(): Promise<void>;
}

async function startRelease(): Promise<Release> {
  const config = join(directory.path, 'flotilla.yaml');
  const main = join(resolve(checkout), 'cli/main.ts');
  const child = spawn(process.execPath, [main, 'start', '--config', config, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  return {
    url,
    directory: directory.path,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

async function readSchema(url: string): Promise<GraphQLSchema> {
  const body = { query: getIntrospectionQuery() };
  const { answer } = await perform(url, { method: 'POST', path: '/graphql', body });
  return buildClientSchema((answer as { data: IntrospectionQuery }).data);
}

async function exchangeAll(
  release: Release,
  requests: readonly (BaselineRequest | GraphRequest)[],
  afterEach: () => Promise<void> = async () => {},
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const request of requests) {
    const sent = 'kind' in request ? toRequest(request) : request;
    const { status, answer } = await perform(release.url, sent);
    exchanges.push({ ...sent, status, answer: settle(answer, release) });
    await afterEach();
  }
  return exchanges;
}

/** The reads, and the pages behind the first one of each list. */
async function withCursors(url: string): Promise<(BaselineRequest | GraphRequest)[]> {
  const lists = ['tasks(first: 3', 'tasks(orderBy: REF_ASC, first: 2', 'events(first: 5'];
  const next = await Promise.all(
    lists.map(async (list): Promise<GraphRequest> => {
      const body = { query: `{ list: ${list}) { pageInfo { endCursor } } }` };
      const { answer } = await perform(url, { method: 'POST', path: '/graphql', body });
      const { list: page } = (answer as { data: { list: { pageInfo: { endCursor: string } } } }).data;
      const type = list.startsWith('tasks') ? 'TaskConnection' : 'EventConnection';
      return { kind: 'query', field: `${list}, after: "${page.pageInfo.endCursor}")`, type };
    }),
  );
  return [...READS, ...next];
}

function toRequest({ kind, field, type }: GraphRequest): BaselineRequest {
  const named = type === undefined ? undefined : schema.getType(type);
  const query = `${kind} { ${field}${named ? selectionOf(named, DEPTH) : ''} }`;
  return { method: 'POST', path: '/graphql', body: { query } };
}

/** All fields that need no argument, down to `depth`; empty when there is none. */
function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isUnionType(type)) {
    const parts = type.getTypes().map((one) => `... on ${one.name}${selectionOf(one, depth)}`);
    return ` { __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(type) || depth < 0) return '';
  const below = /(Connection|Edge)$/.test(type.name) ? depth : depth - 1;
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const of = getNamedType(field.type);
    if (isLeafType(of)) return field.name;
    const selection = selectionOf(of, below);
    return selection === '' ? [] : `${field.name}${selection}`;
  });
  return fields.length === 0 ? '' : ` { ${fields.join(' ')} }`;
}

function lastOffset(path: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  return database.prepare('SELECT max(offset) AS last FROM events').get()?.last as number;
}

/** Frames after one offset up to another one, both of the log. */
async function readFrames(url: string, after: string, last: number): Promise<Baseline['stream']['frames']> {
  const frames: { readonly offset: number; readonly type: string }[] = [];
  const controller = new AbortController();
  const { body } = await fetch(`${url}/api/v1/stream`, {
    headers: { accept: 'text/event-stream', 'last-event-id': after },
    signal: controller.signal,
  });
  let isDone = false;
  const parser = createParser({
    onEvent({ event, id, data }) {
      const offset = Number(id);
      isDone ||= offset > last;
      const { event: type } = JSON.parse(data) as { readonly event: string };
      if (!isDone && event === 'log') frames.push({ offset, type });
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (isDone) break;
  }
  controller.abort();
  return frames;
}
