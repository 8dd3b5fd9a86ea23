/** The rooms and arrows of `docs/architecture.md`: who may import what, doors, no cycles. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['lib', 'schema', 'subgraph', 'gateway', 'server', 'cli', 'client'].flatMap((room) =>
  globSync(`${room}/**/*.ts`, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/')),
);

interface Rule {
  /** The longest matching prefix decides. */
  readonly room: string;
  /** Prefixes of our own files that may be imported from outside the room. */
  readonly ours: readonly string[];
  /** Packages that may be imported; undefined: any. */
  readonly packages?: readonly string[];
  readonly node: boolean;
}

const RULES: readonly Rule[] = [
  { room: 'lib/', ours: [], packages: [], node: true },
  {
    room: 'schema/',
    ours: ['lib/'],
    packages: ['zod', 'graphql', '@graphql-typed-document-node/core'],
    node: false,
  },
  // The writer of the derived files: the only work of this room at the edge.
  { room: 'schema/generate.ts', ours: ['lib/', 'schema/'], packages: ['yaml'], node: true },
  { room: 'subgraph/task/', ours: [], packages: [], node: false },
  { room: 'gateway/routing/', ours: ['schema/'], packages: ['graphql'], node: false },
  { room: 'gateway/cursor/', ours: ['schema/'], packages: ['graphql'], node: false },
  { room: 'subgraph/', ours: ['lib/', 'schema/', 'subgraph/task/'], node: true },
  {
    room: 'gateway/',
    ours: ['lib/', 'schema/', 'subgraph/', 'gateway/routing/', 'gateway/cursor/'],
    node: true,
  },
  { room: 'server/', ours: ['lib/', 'schema/', 'subgraph/', 'gateway/'], node: true },
  { room: 'cli/', ours: ['lib/', 'schema/'], node: true },
  // It runs in browsers, too, and brings no package.
  { room: 'client/', ours: ['lib/', 'schema/'], packages: [], node: false },
];

/** Rooms that outside code enters only through `index.ts`. */
const DOORS = ['subgraph/task/', 'subgraph/', 'gateway/', 'server/', 'client/'];

/** What a rule does not say: each with its reason. */
const EXCEPTIONS: readonly { readonly from: string; readonly to: string }[] = [
  // The composition of a process.
  { from: 'cli/start.ts', to: 'server/index.ts' },
  // The file of a service that may not run: it has one reader, and there is nobody to ask over the wire.
  { from: 'cli/serviceFile.ts', to: 'subgraph/index.ts' },
];

test.each(SOURCES.map((path) => [path]))('%s imports only what its room may', (path) => {
  const rule = ruleOf(path);
  for (const specifier of importsOf(path)) {
    const complaint = `${path} imports ${specifier}`;
    if (specifier.startsWith('node:')) expect(rule.node, complaint).toBe(true);
    else if (specifier.startsWith('.'))
      expect(isAllowed(path, resolve(path, specifier), rule), complaint).toBe(true);
    else if (rule.packages) expect(rule.packages, complaint).toContain(packageOf(specifier));
  }
});

test('no two files import each other, directly or around', () => {
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (finished.has(path)) return;
    expect(trail, `cycle: ${[...trail, path].join(' → ')}`).not.toContain(path);
    for (const specifier of importsOf(path)) {
      if (specifier.startsWith('.')) visit(resolve(path, specifier), [...trail, path]);
    }
    finished.add(path);
  };
  for (const path of SOURCES) visit(path, []);
  expect(finished.size).toBeGreaterThan(20);
});

function ruleOf(path: string): Rule {
  const rule = RULES.filter(({ room }) => path.startsWith(room)).sort(
    (a, b) => b.room.length - a.room.length,
  )[0];
  if (!rule) throw new Error(`${path} is in no room`);
  return rule;
}

function isAllowed(from: string, to: string, rule: Rule): boolean {
  if (EXCEPTIONS.some((exception) => exception.from === from && exception.to === to)) return true;
  const target =
    to.startsWith('subgraph/') || to.startsWith('gateway/') ? ruleOf(to).room : `${to.split('/')[0]}/`;
  if (target === rule.room) return true;
  if (!rule.ours.some((prefix) => to.startsWith(prefix))) return false;
  const door = DOORS.filter((room) => to.startsWith(room)).find((room) => !from.startsWith(room));
  return door === undefined || to === `${door}index.ts`;
}

function importsOf(path: string): string[] {
  if (!path.endsWith('.ts')) return [];
  const text = readFileSync(join(ROOT, path), 'utf8');
  const pattern =
    /^\s*(?:import|export)\b[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
  return [...text.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3]) as string);
}

function resolve(from: string, specifier: string): string {
  return relative(ROOT, join(ROOT, dirname(from), specifier)).replaceAll('\\', '/');
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? `${parts[0]}/${parts[1]}` : (parts[0] as string);
}
