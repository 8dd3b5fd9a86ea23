/** What the readers of one root field share: the request, access to the fleet, the outcome. */
import type { GraphQLError } from 'graphql';
import type { MemberAnswer, MemberErrorEntry } from '../member/Member.ts';
import type { FleetEntry, MemberRegistry } from '../registry/MemberRegistry.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import type { PageArgument } from '../routing/resizePage.ts';
import type { CallResult } from './callMember.ts';
import { type Completion, type Fault, ownValue } from './completeValue.ts';
import type { FleetContext, Unreachable } from './FleetContext.ts';
import type { FanOutResult } from './fanOut.ts';
import type { HolderRequest } from './holders.ts';
import { atPath, faultError, toldError } from './memberErrors.ts';

/** One root field of one request. */
export interface RootRequest {
  readonly plan: MemberPlan;
  /** Coerced, defaults filled in. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The client's variables, coerced. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: FleetContext;
  /** Asks one instance, in one document with what other root fields of the same request ask it. */
  readonly askShared: (entry: FleetEntry, request: RootRequest) => Promise<AskResult>;
}

/** The fleet, as one request sees it. */
export interface FleetAccess {
  readonly registry: MemberRegistry;
  /** Asks one instance the plan's document, with the variables it uses and `hidden` ones of the manager. */
  ask(entry: FleetEntry, request: RootRequest, options?: AskOptions): Promise<AskResult>;
  /**
   * Asks the same of all live members of the fleet at once that may have rows of the list; who gives no answer is left out, but never
   * the own half. The wait for probes and the calls have one deadline, which counts from here.
   */
  askAll(request: RootRequest, options?: AskAllOptions): Promise<FanOutResult<AskResult>>;
  /** Asks every live entry for the holder of a key. One that cannot have such a thing answers NOT_SUPPORTED. */
  askHolders(
    entries: readonly FleetEntry[],
    request: HolderRequest,
    context: FleetContext,
  ): Promise<FanOutResult>;
  /** Told once per list read that is not whole. */
  reportPartial(request: RootRequest, leftOut: readonly Unreachable[]): void;
  /** Told for each answer that had to be dropped. */
  reportMalformed(entry: FleetEntry, request: RootRequest, reason: string): void;
}

export type HiddenVariables = Readonly<Record<string, unknown>>;

export interface AskOptions {
  readonly hidden?: HiddenVariables;
  readonly signal?: AbortSignal;
}

export interface AskAllOptions {
  /** Only these instances are asked; undefined: all. */
  readonly instances?: readonly string[] | null | undefined;
  readonly hidden?: ((entry: FleetEntry) => HiddenVariables) | undefined;
  /** Set for a page: rows that are too large together are asked for again, half as many, down to one. */
  readonly page?: PageSize | undefined;
}

export interface PageSize {
  /** The end of the list from which the rows are kept; the argument with their number is of the same name. */
  readonly keep: PageArgument;
  /** Most rows. */
  readonly limit: number;
  /** The rows that each of so many members is asked for. @default `limit` */
  readonly rowsToAsk?: (members: number) => number;
}

export type AskResult = CallResult & {
  /** Whether there may be fewer rows than the page has: more would have been too large, or were not asked for. @default false */
  readonly isCut?: boolean;
  /** Whether it is cut only because more were not asked for. @default false */
  readonly isShare?: boolean;
  /** Whether fields were kept back because the member does not have them. */
  readonly isPruned: boolean;
};

/** The value may be `BAD` only when the field's type allows no null. */
export interface RootOutcome {
  readonly value: unknown;
  readonly errors: readonly GraphQLError[];
}

/** Most errors and most faults of one answer that are told, each; a member cannot flood a response. */
const MAX_TOLD = 1000;

/** The answer's one root field, whatever else the member sent. */
export function rootValue({ data }: MemberAnswer, { plan }: RootRequest): unknown {
  return data ? ownValue(data, plan.field.key) : undefined;
}

/** A member's errors at the places where the client finds the values; `place` moves a path, or drops the error. */
export function relayErrors(
  entry: FleetEntry,
  errors: readonly MemberErrorEntry[],
  place: (path: readonly (string | number)[]) => readonly (string | number)[] | undefined,
): GraphQLError[] {
  return errors.slice(0, MAX_TOLD).flatMap((error) => {
    const path = place(error.path ?? []);
    return path ? [atPath(toldError(entry, error), path)] : [];
  });
}

/** The faults of one answer, each at its place; where the member itself told why, its error stands for the fault. */
export function tellFaults(
  entry: FleetEntry,
  { faults }: Completion,
  { relayed, root }: { readonly relayed: readonly GraphQLError[]; readonly root: string },
): GraphQLError[] {
  const told = new Set(relayed.map(({ path }) => JSON.stringify(path)));
  const errors = faults
    .slice(0, MAX_TOLD)
    .map((fault) => tellFault(entry, fault, root))
    .filter(({ path }) => told.size === 0 || !told.has(JSON.stringify(path)));
  if (faults.length <= MAX_TOLD) return errors;
  const reason = `${faults.length - MAX_TOLD} more parts of the answer break the schema`;
  return [...errors, atPath(faultError(entry, { below: [], reason }), [root])];
}

function tellFault(entry: FleetEntry, fault: Fault, root: string): GraphQLError {
  return atPath(faultError(entry, fault), [root, ...fault.path.toReversed()]);
}
