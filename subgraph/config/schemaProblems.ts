/** What the schema says of a document, as problems by path. Pure. */
import type { z } from 'zod';
import { ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import type { KeyPath } from './keyPath.ts';
import { suggestKey } from './knownKeys.ts';

/** One thing that a document may not hold; the message says what is expected and never what was found. */
export interface Problem {
  readonly path: KeyPath;
  readonly message: string;
  /** Never narrowed, wherever it is. */
  readonly refuses?: boolean;
}

/** How the types of a schema are called in a message. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
  string: 'text',
};

/** Every problem of the document; none when the schema accepts it. */
export function schemaProblems(document: unknown): readonly Problem[] {
  const result = ConfigSchema.safeParse(document, { error: describeIssue });
  return result.success ? [] : result.error.issues.flatMap((issue) => toProblems(issue, []));
}

/** Texts for issues whose own schema has none. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return `expected ${atLeast(issue.origin, Number(issue.minimum))}`;
    case 'too_big':
      return `expected ${issue.maximum} or less`;
    default:
      return undefined;
  }
}

function atLeast(origin: string, minimum: number): string {
  if (origin === 'array') return `at least ${minimum} ${minimum === 1 ? 'entry' : 'entries'}`;
  return origin === 'string' ? 'some text' : `${minimum} or more`;
}

function toProblems(issue: z.core.$ZodIssue, base: KeyPath): Problem[] {
  const path = [...base, ...(issue.path as KeyPath)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const here = [...path, key];
        return { path: here, message: `unknown key, ${suggestKey(here)}`, refuses: true };
      });
    case 'invalid_union': {
      const meant = alternativeMeant(issue.errors);
      return meant?.flatMap((inner) => toProblems(inner, path)) ?? [{ path, message: issue.message }];
    }
    default:
      return [{ path, message: issue.message }];
  }
}

/** The issues of the one alternative whose keys are there and that lacks the least; undefined when none stands out. */
function alternativeMeant(alternatives: readonly (readonly z.core.$ZodIssue[])[]) {
  const fitting = alternatives.filter((issues) => issues.every(({ path }) => path.length > 0));
  const least = Math.min(...fitting.map((issues) => issues.length));
  const nearest = fitting.filter((issues) => issues.length === least);
  return nearest.length === 1 ? nearest[0] : undefined;
}
