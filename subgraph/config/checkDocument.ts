/**
 * From a document as authored to the value in force, or to everything that is wrong with it (spec/manager.md §§ 2, 3).
 *
 * One schema for the start, for every later reading and for every write. Pure.
 */
import { resolve } from 'node:path';
import { type Config, ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import type { Finding } from './ConfigError.ts';
import { combinationProblems, type Environment, REGISTRY, registryProblems } from './combinationProblems.ts';
import { deepFreeze } from './deepFreeze.ts';
import { isObject } from './isObject.ts';
import { formatKey, type KeyPath, valueAt } from './keyPath.ts';
import { knownKeysAt } from './knownKeys.ts';
import { amend, type Narrowing, narrowingOf } from './narrowing.ts';
import type { Position } from './parseYaml.ts';
import { type Problem, schemaProblems } from './schemaProblems.ts';

export interface CheckOptions {
  readonly env: Environment;
  /** Directory of the file, where relative paths start. */
  readonly directory: string;
  readonly positionOf: (path: KeyPath) => Position;
}

export interface CheckedDocument {
  /** Frozen; undefined when there are findings. */
  readonly config: Config | undefined;
  /** What nothing starts on. */
  readonly findings: readonly Finding[];
  /** What was narrowed. */
  readonly warnings: readonly Finding[];
}

/** Every finding and every warning of a document at once. */
export function checkDocument(
  authored: unknown,
  { env, directory, positionOf }: CheckOptions,
): CheckedDocument {
  const document = withImpliedKeys(authored);
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  const narrowings = new Map<string, Narrowing>();
  for (const problem of allProblems(document, env)) {
    const narrowing = narrowingOf(document, problem);
    const key = formatKey(narrowing?.path ?? problem.path);
    const finding = { key, ...positionOf(problem.path), message: problem.message };
    if (!narrowing) findings.push(finding);
    else if (!narrowings.has(key)) {
      narrowings.set(key, narrowing);
      warnings.push({ ...finding, consequence: narrowing.consequence });
    }
  }
  const config =
    findings.length > 0 ? undefined : toConfig(amend(document, [...narrowings.values()]), directory);
  return { config, findings, warnings };
}

/** The problems of the schema, and those of what the schema leaves over, so that one faulty key does not hide another. */
function allProblems(document: unknown, env: Environment): readonly Problem[] {
  const problems = schemaProblems(document);
  const changes = problems.map((problem) => ({
    path: toEntry(problem.path),
    value: narrowingOf(document, problem)?.value,
  }));
  const rest = ConfigSchema.safeParse(amend(document, changes));
  if (!rest.success) return problems;
  const entries = valueAt(document, REGISTRY);
  const indices = [...(Array.isArray(entries) ? entries.keys() : [])].filter(
    (index) => !problems.some(({ path }) => formatKey(toEntry(path)) === formatKey([...REGISTRY, index])),
  );
  return [...problems, ...registryProblems(rest.data, indices, env), ...combinationProblems(rest.data, env)];
}

/** The whole list entry that a problem is in; without a list, the path itself. */
export function toEntry(path: KeyPath): KeyPath {
  const index = path.findIndex((part) => typeof part === 'number');
  return index === -1 ? path : path.slice(0, index + 1);
}

/**
 * The value that an accepted document stands for: every default filled in, relative paths started at `directory`, frozen.
 *
 * @throws {ZodError} when the schema does not accept the document.
 */
export function toConfig(document: unknown, directory: string): Config {
  const config = ConfigSchema.parse(document);
  const fromHere = <Section extends object>(
    section: Section,
    ...keys: readonly (keyof Section)[]
  ): Section => {
    const paths = keys.filter((key) => typeof section[key] === 'string');
    const resolved = paths.map((key) => [key, resolve(directory, section[key] as string)]);
    return { ...section, ...Object.fromEntries(resolved) };
  };
  return deepFreeze({
    ...config,
    state: { directory: resolve(directory, config.state.directory) },
    plugins: config.plugins.map((plugin) => ({ ...plugin, path: resolve(directory, plugin.path) })),
    mcpServers: withDirectories(config.mcpServers, directory),
    checkouts: { roots: config.checkouts.roots.map((path) => resolve(directory, path)) },
    o11y: fromHere(config.o11y, 'traceFile'),
    temporal: fromHere(config.temporal, 'tlsCaFile', 'tlsCertificateFile', 'tlsKeyFile'),
  });
}

/** A server that runs here has a directory: its own, or that of the file. */
function withDirectories(servers: Config['mcpServers'], directory: string): Config['mcpServers'] {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      'command' in server ? { ...server, cwd: resolve(directory, server.cwd ?? '.') } : server,
    ]),
  );
}

/** A known key without a value counts as absent, and so does an empty role; a written `openai` section names the provider. */
export function withImpliedKeys(authored: unknown): unknown {
  const document = withoutEmptyKeys(authored, []);
  const { openai, model = {}, instance } = isObject(document) ? document : {};
  return {
    ...(document as object),
    ...(isObject(openai) && isObject(model) && { model: { provider: 'openai', ...model } }),
    ...(isObject(instance) && instance.role === '' && { instance: { ...instance, role: undefined } }),
  };
}

function withoutEmptyKeys(value: unknown, path: KeyPath): unknown {
  if (!isObject(value)) return value;
  const known = knownKeysAt(path);
  const entries = Object.entries(value).filter(([key, child]) => child !== null || !known.includes(key));
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutEmptyKeys(child, [...path, key])]));
}
