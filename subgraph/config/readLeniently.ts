/**
 * The lenient reader: what a file says of its instance, although nothing might start on it (spec/manager.md §§ 2, 3).
 *
 * The schema is that of the strict reader; what that one refuses is narrowed here, and warned of.
 */
import { dirname, resolve } from 'node:path';
import { type Config, ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import type { Finding } from './ConfigError.ts';
import { toConfig, toEntry, withImpliedKeys } from './checkDocument.ts';
import { instanceProblems, REGISTRY, registryProblems } from './combinationProblems.ts';
import { formatKey, valueAt } from './keyPath.ts';
import { amend, type Narrowing, narrowingOf } from './narrowing.ts';
import { parseYaml } from './parseYaml.ts';
import { inFileOrder, readConfigText } from './readConfig.ts';
import { type Problem, schemaProblems } from './schemaProblems.ts';

export interface LenientReading {
  /** Frozen, every default filled in; undefined when there is no text, or it is no mapping of keys. */
  readonly config: Config | undefined;
  /** One for each key at fault, in the order of the file. */
  readonly warnings: readonly Finding[];
}

/**
 * Reads the file once and never throws for what can be wrong with it. An unknown role and a manager without a name are a
 * worker, any other value that is refused has its default, or its list goes on without it. The environment is not looked
 * at: what a service finds there, the reader of its file cannot know.
 */
export function readLeniently(path: string): LenientReading {
  const { exists, text, fault } = readConfigText(path);
  if (!exists) {
    return {
      config: undefined,
      warnings: [{ key: '', line: 1, column: 1, message: 'there is no file, an existing one is expected' }],
    };
  }
  const { document: authored, isReadable, findings, positionOf } = parseYaml(text);
  if (fault || !isReadable) return { config: undefined, warnings: fault ? [fault] : findings };
  const twice = findings.map((finding) => ({ ...finding, consequence: 'the last one counts' }));
  const document = withImpliedKeys(authored);
  const narrowed = narrowAll(document);
  const warnings = narrowed.map(
    ({ problem: { path: at, message }, consequence }): Finding => ({
      key: formatKey(at),
      ...positionOf(at),
      message,
      consequence,
    }),
  );
  return {
    config: toConfig(acceptable(amend(document, narrowed)), dirname(resolve(path))),
    warnings: [...twice, ...warnings].sort(inFileOrder),
  };
}

interface NarrowedProblem extends Narrowing {
  readonly problem: Problem;
}

/** The problems of the schema, then those that show once these are narrowed; one for each key, of two the last consequence holds. */
function narrowAll(document: unknown): readonly NarrowedProblem[] {
  const ofSchema = schemaProblems(document).map((problem) => toNarrowed(document, problem));
  const config = ConfigSchema.parse(acceptable(amend(document, ofSchema)));
  const skipped = new Set(ofSchema.map(({ path }) => formatKey(path)));
  const entries = valueAt(document, REGISTRY);
  const indices = [...(Array.isArray(entries) ? entries.keys() : [])].filter(
    (index) => !skipped.has(formatKey([...REGISTRY, index])),
  );
  const ofEntries = registryProblems(config, indices, {})
    .filter((problem) => narrowingOf(document, problem))
    .map((problem) => toNarrowed(document, problem));
  const ofInstance = instanceProblems(config).map((problem) => toNarrowed(document, problem));
  const all = new Map<string, NarrowedProblem>();
  for (const narrowed of [...ofSchema, ...ofEntries, ...ofInstance]) {
    const key = formatKey(narrowed.problem.path);
    all.set(key, { ...narrowed, problem: all.get(key)?.problem ?? narrowed.problem });
  }
  return [...all.values()];
}

function toNarrowed(document: unknown, problem: Problem): NarrowedProblem {
  const known = narrowingOf(document, problem);
  if (known) return { ...known, problem };
  const key = formatKey(problem.path);
  if (key === 'instance.role' || key === 'instance.name') {
    const path = ['instance', 'role'];
    return { path, value: 'worker', consequence: 'the instance counts as a worker', problem };
  }
  const path = toEntry(problem.path);
  if (typeof path.at(-1) === 'number') return { path, consequence: 'the entry is skipped', problem };
  return { path, consequence: problem.refuses ? 'it is left out' : 'the default is used', problem };
}

/** The document without the sections that are still at fault, such as one in which a required key is missing. */
function acceptable(document: unknown): unknown {
  return amend(
    document,
    schemaProblems(document).map(({ path }) => ({ path: path.slice(0, 1) })),
  );
}
