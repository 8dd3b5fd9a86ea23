/** The part that all list reads have in common: whom to ask, whose answers count, who is named as left out. */
import type { MemberAnswer } from '../member/Member.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { Unreachable } from './FleetContext.ts';
import { failed } from './fanOut.ts';
import { failureError, faultError, toldError } from './memberErrors.ts';
import { type AskAllOptions, type FleetAccess, type RootRequest, rootValue } from './RootRequest.ts';

export interface UnionOptions extends AskAllOptions {
  /** What is wrong with the shape of an answer that has data; undefined when nothing is. */
  readonly check: (answer: MemberAnswer, entry: FleetEntry) => string | undefined;
}

/** An answer that has a part in the union. */
export interface UnionAnswer {
  readonly entry: FleetEntry;
  readonly answer: MemberAnswer;
  readonly isPruned: boolean;
  /** Whether it may have fewer rows than the page: more would have been too large, or were not asked for. */
  readonly isCut: boolean;
  /** Whether it is cut only because more were not asked for. */
  readonly isShare: boolean;
}

/**
 * Asks every live instance; the answers are in fleet order. A member that is not live, fails, refuses or breaks the shape
 * of the whole answer is left out and named in the context.
 *
 * @throws {FlotillaError} what the own half refuses with: that is no partial answer (spec/manager.md § 7).
 */
export async function readUnion(
  request: RootRequest,
  access: FleetAccess,
  { check, ...options }: UnionOptions,
): Promise<readonly UnionAnswer[]> {
  const { context } = request;
  const { results, leftOut } = await access.askAll(request, options);
  const answers: UnionAnswer[] = [];
  const refused: Unreachable[] = [];
  for (const { entry, result } of results) {
    if (result.kind === 'failure') throw failureError(entry, result.failure);
    const reason = refusal(entry, result.answer, request) ?? check(result.answer, entry);
    if (reason === undefined) {
      const { answer, isPruned, isCut = false, isShare = false } = result;
      answers.push({ entry, answer, isPruned, isCut, isShare });
      continue;
    }
    if (entry.isLocal) throw faultError(entry, { below: [], reason });
    if (rootValue(result.answer, request) != null) access.reportMalformed(entry, request, reason);
    refused.push(failed(entry, { kind: 'malformed', reason }));
  }
  for (const unreachable of refused) context.unreachable.set(unreachable.instance, unreachable);
  const missing = [...leftOut, ...refused];
  if (missing.length > 0) access.reportPartial(request, missing);
  return answers;
}

function refusal(entry: FleetEntry, answer: MemberAnswer, request: RootRequest): string | undefined {
  const [error] = answer.errors;
  if (!error || rootValue(answer, request) != null) return undefined;
  const told = toldError(entry, error);
  if (entry.isLocal) throw told;
  return told.message;
}
