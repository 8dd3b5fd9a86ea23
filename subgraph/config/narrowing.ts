/**
 * The values that are narrowed with a warning instead of refused (spec/manager.md § 2).
 *
 * Everything else that the schema does not accept is a finding, and nothing starts on it. Pure.
 */
import { SECONDS } from '../../schema/config/fields.ts';
import { isObject } from './isObject.ts';
import { type KeyPath, valueAt } from './keyPath.ts';
import type { Problem } from './schemaProblems.ts';

/** What becomes of the value at `path`: another value, or none, so that its default holds or its list goes on without it. */
export interface Narrowing {
  readonly path: KeyPath;
  readonly value?: unknown;
  /** Half a sentence for the warning. */
  readonly consequence: string;
}

/** How a problem is narrowed; undefined when it is refused. */
export function narrowingOf(document: unknown, { path, refuses = false }: Problem): Narrowing | undefined {
  if (refuses) return undefined;
  switch (path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')) {
    case 'instance.name':
      return { path, consequence: 'the instance is unnamed' };
    case 'instance.scope.mode':
      return { path, value: 'locked', consequence: 'the mode is locked' };
    case 'instance.scope.workItems':
      return { path, consequence: 'there are none' };
    case 'instance.scope.workItems.*':
      return { path, consequence: 'the entry is skipped' };
    case 'instance.manager':
    case 'instance.manager.instances':
      return { path, consequence: 'the registry is empty' };
    case 'instance.manager.instances.*':
    case 'instance.manager.instances.*.name':
    case 'instance.manager.instances.*.url':
      return { path: path.slice(0, 4), consequence: 'the entry is skipped' };
    case 'instance.manager.timeoutSeconds':
    case 'instance.manager.probeIntervalSeconds':
      return narrowSeconds(path, valueAt(document, path));
    default:
      return undefined;
  }
}

function narrowSeconds(path: KeyPath, value: unknown): Narrowing {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return { path, consequence: 'the default is used' };
  const nearest = Math.min(Math.max(value, SECONDS.least), SECONDS.most);
  return { path, value: nearest, consequence: `${nearest} is used` };
}

/** The document with each change applied: a value set, or the key or list entry taken out. Paths are those of `document`. */
export function amend(document: unknown, changes: readonly Pick<Narrowing, 'path' | 'value'>[]): unknown {
  const applied = new Map(changes.map((change) => [JSON.stringify(change.path), change]));
  const visit = (value: unknown, path: KeyPath): unknown => {
    const change = applied.get(JSON.stringify(path));
    if (change) return change.value;
    if (Array.isArray(value)) {
      return value.map((item, index) => visit(item, [...path, index])).filter((item) => item !== undefined);
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, child]) => [key, visit(child, [...path, key])] as const);
    return Object.fromEntries(entries.filter(([, child]) => child !== undefined));
  };
  return visit(document, []);
}
