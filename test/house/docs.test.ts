/** What the pages say can be looked up: links lead somewhere; commands, keys, routes, fields and events are those of the product. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type DocumentNode, type GraphQLSchema, isObjectType, Kind, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createProgram } from '../../cli/createProgram.ts';
import { composeSupergraph } from '../../gateway/fleet/composeSupergraph.ts';
import { ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import { FOREIGN_EVENT_TYPES } from '../../schema/foreignEvents.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { HOOK_CONTEXTS } from '../../subgraph/hooks/HookContext.ts';
import { configKeys } from '../support/configKeys.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { type DocPage, readDocs } from '../support/readDocs.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readDocs(ROOT);
const CONFIG_KEYS = configKeys();
const SECTIONS = new Set([...CONFIG_KEYS].map((key) => key.split('.')[0]));
const EVENTS = [...Object.keys(EVENT_TYPES), ...Object.keys(FOREIGN_EVENT_TYPES)];
const ROUTES = readContract().operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const SCRIPTS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts as object;

/** Settings of other programs that a page shows, by the first key of the block. */
const FOREIGN_SETTINGS = new Set(['scrape_configs']);

/** What begins like a key or an event, and is something else: reasons of refusals, an event of a newer service, OpenTelemetry's. */
const OTHER_WORDS =
  /^(?:(?:task|instance)\.[a-z]+_[a-z_]+|dispatch\.quiz_gate|service\.(?:name|instance\.id))$/;

const FILE_NAME = /\.(?:db|graphql|json|md|sqlite3|ts|ya?ml)$/;

const [INSTANCE, FLEET] = ['instance', 'manager'].map((name) =>
  parse(readFileSync(join(ROOT, `schema/${name}.graphql`), 'utf8')),
) as [DocumentNode, DocumentNode];

let hq: RunningInstance;
let plainGraph: GraphQLSchema | undefined;
let commands: ReadonlySet<string>;

beforeAll(async () => {
  hq = await RunningInstance.start('instance: { name: hq, role: manager }');
  const answer = await hq.ask('{ commands { name } }');
  commands = new Set(answer.data.commands.map(({ name }: { name: string }) => `/${name}`));
});

afterAll(() => hq?.[Symbol.asyncDispose]());

test('there are pages to look at', () => {
  expect(PAGES.length).toBeGreaterThan(15);
  expect(PAGES.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(30);
  expect(CONFIG_KEYS.size).toBeGreaterThan(100);
});

test.each(PAGES)('$path: every link leads to a page, and to a heading of it', ({ path, links }) => {
  for (const { text, line } of links) {
    if (/^[a-z]+:/.test(text)) continue;
    const [file = '', anchor] = text.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    expect(existsSync(join(ROOT, target)), `${path}:${line} ${text}`).toBe(true);
    if (anchor === undefined) continue;
    expect([...(pageAt(target)?.anchors ?? [])], `${path}:${line} ${text}`).toContain(anchor);
  }
});

test.each(PAGES)('$path: every configuration is one that a start accepts', ({ path, blocks }) => {
  for (const { language, code, line } of blocks) {
    if (language === 'json') expect(() => JSON.parse(code), `${path}:${line}`).not.toThrow();
    if (language !== 'yaml') continue;
    const value = parseYaml(code) as Record<string, unknown>;
    if (FOREIGN_SETTINGS.has(Object.keys(value)[0] ?? '')) continue;
    const { error } = ConfigSchema.safeParse(value);
    expect(error?.issues ?? [], `${path}:${line}`).toEqual([]);
  }
});

test.each(PAGES)('$path: every operation of the graph is valid', (page) => {
  const schema = graphOf(page);
  const blocks = page.blocks.filter(({ language }) => language === 'graphql');
  const inCurl = page.blocks.flatMap(({ code, line }) =>
    [...code.matchAll(/\/graphql[\s\S]*?-d '([^']+)'/g)].map(([, body = '']) => ({
      code: (JSON.parse(body) as { query: string }).query,
      line,
    })),
  );
  for (const { code, line } of [...blocks, ...inCurl]) {
    const document = parse(code);
    if (!isOperation(document)) continue;
    const errors = validate(schema, document).map(({ message }) => message);
    expect(errors, `${page.path}:${line}`).toEqual([]);
  }
});

test.each(PAGES)('$path: every command is one that the command line takes', ({ path, blocks, words }) => {
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code, line }) => code.split('\n').map((text) => ({ text, line })));
  for (const { text, line } of [...lines, ...words]) {
    for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:]+)/g)) {
      expect(Object.keys(SCRIPTS), `${path}:${line}`).toContain(script);
    }
    const [, args] = /^(?:npm run flotilla -- |flotilla )(?!…)(.+)$/.exec(text) ?? [];
    if (args !== undefined) expect(complaintAbout(args), `${path}:${line} ${text}`).toBeUndefined();
  }
});

test.each(PAGES)('$path: every route and slash command is there', async ({ path, words }) => {
  for (const { text, line } of words) {
    const [, method = 'GET', route] = /^(?:(GET|POST) )?(\/[\w/.-]*)(?:\?\S*)?$/.exec(text) ?? [];
    if (route === undefined) continue;
    const names = [`${method} ${route}`, `${method} /api/v1${route}`];
    if (names.some((name) => ROUTES.includes(name)) || commands.has(route)) continue;
    if (ROUTES.some((name) => name.startsWith(`${method} ${route}/`))) continue;
    const { status } = await fetch(hq.url + route, { method: 'GET', headers: { accept: 'text/html' } });
    expect(status, `${path}:${line} ${text}`).not.toBe(404);
  }
});

test.each(PAGES)('$path: every key, event type and field is there', (page) => {
  const { path, words } = page;
  const schema = graphOf(page);
  for (const { text, line } of words) {
    const [, key] = /^([a-z]\w*(?:\.[\w*]+|\[\])+)(?:: .+)?$/.exec(text) ?? [];
    const [, type = '', field = ''] = /^([A-Z]\w+)\.(\w+)$/.exec(text) ?? [];
    const owner = schema.getType(type);
    if (isObjectType(owner)) expect(Object.keys(owner.getFields()), `${path}:${line}`).toContain(field);
    if (key !== undefined) expect(isKnown(key), `${path}:${line} ${text}`).toBe(true);
  }
});

function pageAt(path: string): DocPage | undefined {
  return PAGES.find((page) => page.path === path);
}

/** The graph of a manager, with the subgraph that the page shows. */
function graphOf({ blocks }: DocPage): GraphQLSchema {
  const shown = blocks
    .filter(({ language }) => language === 'graphql')
    .map(({ code }) => parse(code))
    .filter((document) => !isOperation(document));
  const subgraphs = [INSTANCE, FLEET, ...shown].map((typeDefs, index) => ({
    name: ['instance', 'fleet'][index] ?? `shown-${index}`,
    typeDefs,
  }));
  if (shown.length > 0) return composeSupergraph(subgraphs).apiSchema;
  plainGraph ??= composeSupergraph(subgraphs).apiSchema;
  return plainGraph;
}

function isOperation({ definitions }: DocumentNode): boolean {
  return definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION);
}

/** A word with a dot that begins like a key or an event type must be one. */
function isKnown(word: string): boolean {
  const [first = ''] = word.split(/[.[]/);
  const isEvent = EVENTS.some((type) => type.startsWith(`${first}.`));
  if ((!SECTIONS.has(first) && !isEvent) || FILE_NAME.test(word)) return true;
  const pattern = new RegExp(`^${word.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  if (CONFIG_KEYS.has(word) || Object.hasOwn(HOOK_CONTEXTS, word)) return true;
  return EVENTS.some((type) => pattern.test(type)) || OTHER_WORDS.test(word);
}

/** Why the command line would refuse the arguments; undefined when it would not. Nothing is run. */
function complaintAbout(text: string): string | undefined {
  let command: Command = createProgram();
  const args = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? (word as string));
  while (command.commands.length > 0) {
    const next = command.commands.find((candidate) => candidate.name() === args[0]);
    if (!next)
      return args[0] === undefined || args[0].startsWith('-') ? undefined : `no command "${args[0]}"`;
    command = next;
    args.shift();
  }
  const { operands, unknown } = command.parseOptions(args);
  if (unknown.length > 0) return `no option "${unknown[0]}"`;
  const { registeredArguments } = command;
  const isOpenEnded = registeredArguments.at(-1)?.variadic ?? false;
  // A page may name a command without its arguments.
  const least = operands.length === 0 ? 0 : registeredArguments.filter(({ required }) => required).length;
  const isWrong = operands.length < least || (operands.length > registeredArguments.length && !isOpenEnded);
  return isWrong ? `${operands.length} arguments` : undefined;
}
