/** What the pages promise, held against the product (spec/manager.md § 25, R7). `test/house/docs.test.ts` looks up every other fact. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Kind, type ObjectTypeDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { createProgram } from '../../cli/createProgram.ts';
import { ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { loadConfig } from '../../subgraph/index.ts';
import { configKeys } from '../support/configKeys.ts';
import { codeIn, type DocPage, readDocs, tableBehind } from '../support/readDocs.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readDocs(ROOT);

/*
 * Feature: Documentation
 * Scenario: the reference of the configuration and the file to begin with have every key of the schema
 *   Requirement: spec/manager.md#R7.1
 *   Requirement: spec/manager.md#T10
 *   Given the schema of the configuration, its reference, and the file in which every key is commented out
 *   When the keys of the three are compared
 *   Then every key of the schema has its row and every row its key
 *   And the keys of the manager are there with kind, default and grammar
 *   And the file is a valid configuration without its comment marks, and names every key
 */
test('the reference of the configuration and the file to begin with have every key of the schema', () => {
  const keys = [...configKeys()];
  // A section whose names are free is a value of its own.
  const isSection = (key: string) =>
    keys.some((other) => other.startsWith(`${key}.`) && !other.startsWith(`${key}.*`));
  const leaves = keys.filter((key) => !isSection(key));
  const { text } = page('docs/reference/config.md');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  const rowKeys = rows.map(([, key = '']) => codeIn(key)[0]);
  expect(new Set(rowKeys)).toEqual(new Set(leaves));
  expect(rowKeys).toHaveLength(new Set(rowKeys).size);

  const facts = (key: string) => rows[rowKeys.indexOf(key)]?.slice(2, 5);
  expect(facts('instance.role')).toEqual(['`worker`, `manager`', '`"worker"`', 'start']);
  expect(facts('instance.manager.instances')).toEqual(['list of mappings', '`[]`', 'use']);
  expect(facts('instance.manager.timeoutSeconds')).toEqual(['number, 1 to 3600', '`10`', 'use']);
  expect(facts('instance.manager.probeIntervalSeconds')).toEqual(['number, 1 to 3600', '`15`', 'use']);
  for (const key of ['instance.name', 'instance.manager.instances[].name']) {
    expect(rows[rowKeys.indexOf(key)]?.[5]).toContain('1 to 40 of a-z, 0-9 and "-", the first not "-"');
  }

  const template = readFileSync(join(ROOT, 'docs/reference/flotilla.yaml'), 'utf8');
  const lines = template.split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  using folder = temporaryDirectory();
  const path = join(folder.path, 'flotilla.yaml');
  writeFileSync(path, lines.map((line) => line.replace(/^# /, '')).join('\n'));
  const { config, warnings } = loadConfig(path, { env: { OPENAI_API_KEY: 'k', TEMPORAL_API_KEY: 'k' } });
  expect(warnings).toEqual([]);
  expect(config.instance).toEqual(ConfigSchema.parse({}).instance);
  expect(config.service).toEqual(ConfigSchema.parse({}).service);
  const named = new Set([...template.matchAll(/^##? +(?:- |<name>\.)?(\w+):/gm)].map(([, name]) => name));
  expect(leaves.map((key) => key.split('.').at(-1)).filter((name) => !named.has(name))).toEqual([]);
});

/*
 * Feature: Documentation
 * Scenario: the guide of the fleet tells role, registry, name check, reach, parameter, and what a manager does not do
 *   Requirement: spec/manager.md#R7.2
 *   Requirement: spec/manager.md#R6.2
 *   Given the guide of the fleet, and the routes that the graph declares
 *   When its sections are listed, and its table of what a call reaches is compared with the routes
 *   Then each subject has its section, and workers are to be named before they are registered
 *   And every root field of the graph is in the row of its route, and no other
 */
test('the guide of the fleet tells role, registry, name check, reach, parameter, and what a manager does not do', () => {
  const guide = page('docs/guides/fleet.md');
  expect([...guide.anchors].slice(1)).toEqual([
    'role',
    'registry',
    'name-check',
    'reach',
    'the-parameter-instance',
    'when-somebody-is-away',
    'what-a-manager-keeps',
    'what-a-manager-does-not-do',
  ]);
  expect(guide.text).toContain('**Name your workers before you register them**');
  const shown = tableBehind(guide, '## Reach').map(([name = '', fields = '']) => [name, codeIn(fields)]);
  const routes = {
    'the fleet': 'UNION',
    'by ref': 'BY_REF',
    'by name': 'BY_STANDING_NAME',
    'by work item': 'ACTING_MEMBER',
    'by instance': 'BY_INSTANCE',
    'its document': 'SELF_OR_INSTANCE',
    'the registry': 'SELF',
    live: 'FAN_IN',
  };
  const declared = fieldsByRoute();
  expect([...declared.keys()].sort()).toEqual(Object.values(routes).sort());
  expect(shown).toEqual(Object.entries(routes).map(([name, route]) => [name, declared.get(route)]));
});

/*
 * Feature: Documentation
 * Scenario: every command, every guide and every operation about the fleet is on its page
 *   Requirement: spec/manager.md#R7.3
 *   Requirement: spec/manager.md#R4.6
 *   Given the commands of the command line, the guides, and the contract
 *   When the pages are compared with them
 *   Then the page of the command line has each command with its arguments and options, and no other
 *   And the README leads to each guide
 *   And the contract has the three routes of the fleet, and `instance` on every operation that is about one instance
 */
test('every command, every guide and every operation about the fleet is on its page', () => {
  const rows = tableBehind(page('docs/guides/command-line.md'), '# The command line');
  const shown = rows.map(([command = '', options = '']) => [codeIn(command)[0], codeIn(options)]);
  expect(new Map(shown as [string, string[]][])).toEqual(new Map(commandsBelow(createProgram(), 'flotilla')));

  const readme = page('README.md');
  const guides = readdirSync(join(ROOT, 'docs/guides')).map((file) => `docs/guides/${file}`);
  expect(guides.filter((guide) => !readme.links.some(({ text }) => text === guide))).toEqual([]);

  const { operations } = readContract();
  const routeOf = (id: string) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    return `${operation?.method.toUpperCase()} ${operation?.path}`;
  };
  expect(['listInstances', 'registerInstance', 'unregisterInstance'].map(routeOf)).toEqual([
    'GET /api/v1/instances',
    'POST /api/v1/instances/register',
    'POST /api/v1/instances/unregister',
  ]);
  const without = operations
    .filter(({ parameters, body }) => {
      const { properties = {} } = (body ?? {}) as { readonly properties?: object };
      return !parameters.some(({ name }) => name === 'instance') && !Object.hasOwn(properties, 'instance');
    })
    .map(({ operationId }) => operationId);
  expect(new Set(without)).toEqual(
    new Set([
      ...['listWorkItems', 'listSessions', 'listStandingSessions', 'listAttention', 'listDaemons'],
      ...['queryEvents', 'eventTypes', 'streamEvents'],
      ...['listInstances', 'registerInstance', 'unregisterInstance'],
    ]),
  );
});

function page(path: string): DocPage {
  const found = PAGES.find((candidate) => candidate.path === path);
  if (!found) throw new Error(`There is no page ${path}`);
  return found;
}

/** Root fields in the order of the SDL, queries first. */
function fieldsByRoute(): Map<string, string[]> {
  const sdl = readFileSync(join(ROOT, 'schema/instance.graphql'), 'utf8');
  const types = parse(sdl).definitions.filter(
    (definition): definition is ObjectTypeDefinitionNode => definition.kind === Kind.OBJECT_TYPE_DEFINITION,
  );
  const roots = ['Query', 'Mutation', 'Subscription'].map((root) =>
    types.find(({ name }) => name.value === root),
  );
  const byRoute = new Map<string, string[]>();
  for (const { name, directives = [] } of roots.flatMap((root) => root?.fields ?? [])) {
    const value = directives.find((directive) => directive.name.value === 'fleet')?.arguments?.[0]?.value;
    const route = value?.kind === Kind.ENUM ? value.value : 'none';
    byRoute.set(route, [...(byRoute.get(route) ?? []), name.value]);
  }
  return byRoute;
}

/** Each command that does something: how it is called, and its long options. */
function commandsBelow(command: Command, path: string): [string, string[]][] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => commandsBelow(child, `${path} ${child.name()}`));
  }
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? ` <${name}>` : ` [${name}]`;
  });
  return [[`${path}${args.join('')}`, command.options.map(({ long }) => long ?? '')]];
}
