/** Joins members' lists into one: pure. */
import type { GraphQLError } from 'graphql';
import {
  absorb,
  BAD,
  type Complete,
  type Completion,
  createCompletion,
  extendFaults,
  isRecord,
  ownValue,
} from './completeValue.ts';
import { type RootOutcome, type RootRequest, relayErrors, rootValue, tellFaults } from './RootRequest.ts';
import type { UnionAnswer } from './readUnion.ts';

/**
 * Blocks in the order of `answers`, rows in the source's order (spec/manager.md § 10.2). Rows of equal identity are one
 * row, as the first good teller has it. A bad row is dropped with one error.
 */
export function mergeResults(
  answers: readonly UnionAnswer[],
  { request, complete }: { readonly request: RootRequest; readonly complete: Complete },
): RootOutcome {
  const root = request.plan.field.key;
  const merged: Merged = { rows: [], identities: new Set() };
  const errors: GraphQLError[] = [];
  for (const { entry, answer, isPruned } of answers) {
    const completion = createCompletion(entry.member.name, entry.isLocal, isPruned);
    const rows = rootValue(answer, request) as readonly unknown[];
    const places = appendRows(merged, rows, { request, complete, completion });
    const relayed = relayErrors(entry, answer.errors, ([, index, ...rest]) => {
      const place = places.get(index);
      return place === undefined ? undefined : [root, place, ...rest];
    });
    errors.push(...relayed, ...tellFaults(entry, completion, { relayed, root }));
  }
  return { value: merged.rows, errors };
}

interface Merged {
  readonly rows: unknown[];
  readonly identities: Set<unknown>;
}

/** Appends what is good and new of one member's rows; answers with the place of each in the merged list. */
function appendRows(
  { rows: merged, identities }: Merged,
  rows: readonly unknown[],
  { request, complete, completion }: { request: RootRequest; complete: Complete; completion: Completion },
): ReadonlyMap<unknown, number> {
  const { hasIdentity, names } = request.plan;
  const places = new Map<unknown, number>();
  for (const [index, row] of rows.entries()) {
    const identity = hasIdentity && isRecord(row) ? ownValue(row, names.identity) : undefined;
    if (identity !== undefined && identities.has(identity)) continue;
    const before = completion.faults.length;
    const completed = complete(row, completion);
    if (completed === BAD) {
      completion.pending!.path.push(index);
      absorb(completion, before);
      continue;
    }
    extendFaults(completion, before, merged.length);
    if (identity !== undefined) identities.add(identity);
    places.set(index, merged.length);
    merged.push(completed);
  }
  return places;
}
