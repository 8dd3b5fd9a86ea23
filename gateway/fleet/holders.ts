/** Who holds a key: what the newest probes say, and what the instances say when they are asked (spec/manager.md § 8). */
import { parse } from 'graphql';
import { conflict, FlotillaError, notFound } from '../../schema/errors.ts';
import { A2A_STATES, isTerminalState } from '../../subgraph/index.ts';
import type { MemberRequest } from '../member/Member.ts';
import type { FleetEntry, MemberIdentity, MemberRegistry } from '../registry/MemberRegistry.ts';
import type { CallResult } from './callMember.ts';
import { isRecord } from './completeValue.ts';
import type { FleetContext } from './FleetContext.ts';
import { type FanOutResult, notLive } from './fanOut.ts';

/** Most names that one text holds. */
const MAX_NAMES = 10;

/** States of a task that has ended: another instance may have the same ref open. */
const ENDED: ReadonlySet<unknown> = new Set(A2A_STATES.filter(isTerminalState));

/** What an instance says that has no such thing, or cannot have one. */
const HAS_NOTHING: ReadonlySet<unknown> = new Set(['NOT_FOUND', 'NOT_SUPPORTED']);

/** Asks every live instance the same. */
export type AskAll = (entries: readonly FleetEntry[], request: HolderRequest) => Promise<FanOutResult>;

/** A look-up whose answer is NOT_SUPPORTED by a member that lacks its root field. */
export interface HolderRequest extends MemberRequest {
  /** The root field. */
  readonly field: string;
}

/** Whether the instance holds the key. */
export interface HolderQuestion {
  /** What the key is of, for a text. */
  readonly kind: string;
  readonly key: string;
  readonly request: HolderRequest;
}

export interface HolderOptions {
  readonly registry: Pick<MemberRegistry, 'fleet' | 'expire'>;
  readonly context: FleetContext;
  readonly entries: readonly FleetEntry[];
  /** A write goes nowhere while a live instance has not said whether it holds the key. */
  readonly isWrite: boolean;
  /** Holders whatever they answer. @default nobody */
  readonly declared?: readonly FleetEntry[];
  readonly askAll: AskAll;
}

export const HOLDS_REF = holderQuery('task', 'query holder($key: ID!) { task(ref: $key) { ref state } }');
export const HOLDS_PULL_REQUEST = holderQuery(
  'sessions',
  'query holder($key: ID!) { sessions(pullRequest: $key) { ref } }',
);
export const HOLDS_NAME = holderQuery(
  'standingSession',
  'query holder($key: String!) { standingSession(name: $key) { name } }',
);

/**
 * The one live instance that holds the key. Where a task has ended it counts only if it is open nowhere.
 *
 * @throws {FlotillaError} NOT_FOUND when nobody holds it; CONFLICT with `candidates` when several do; MEMBER_UNAVAILABLE when a
 * live instance does not say whether a write is its own.
 */
export async function askEverybody(question: HolderQuestion, options: HolderOptions): Promise<FleetEntry> {
  const { key, kind, request } = question;
  const { entries, context, isWrite, declared = [], askAll } = options;
  const { results } = await askAll(entries, request);
  const saying = new Map(results.map(({ entry, result }) => [entry, verdictOf(result)]));
  const open = entries.filter((entry) => saying.get(entry) === 'open' || declared.includes(entry));
  const holder = oneHolder(key, open) ?? oneHolder(key, entriesSaying('ended'));
  if (isWrite) await assertNobodySilent(key, entriesSaying(undefined), options);
  if (holder) return holder;
  throw nobodyHolds(kind, key, context);

  function entriesSaying(verdict: Verdict | undefined): FleetEntry[] {
    return entries.filter((entry) => entry.state === 'live' && saying.get(entry) === verdict);
  }
}

/** The instances that the newest probes name as the ref's managers. */
export function managing(entries: readonly FleetEntry[], ref: string): FleetEntry[] {
  return entries.filter(({ state, identity }) => state === 'live' && identity && refsOf(identity).has(ref));
}

/** Those of them that do not manage it only because they have it open, which they say themselves when asked. */
export function declaring(entries: readonly FleetEntry[], ref: string): FleetEntry[] {
  const isDeclared = ({ ref: managed, sources }: MemberIdentity['managed'][number]): boolean =>
    managed === ref && !(sources.length === 1 && sources[0] === 'session');
  return managing(entries, ref).filter(({ identity }) => identity?.managed.some(isDeclared));
}

/** @throws {FlotillaError} CONFLICT when there are several. */
export function oneHolder(key: string, holders: readonly FleetEntry[]): FleetEntry | undefined {
  if (holders.length < 2) return holders[0];
  const candidates = holders.map(({ member }) => member.name);
  throw conflict(
    `Cannot choose an instance: "${key}" is held by ${candidates.join(', ')}, one holder is expected`,
    { candidates },
  );
}

/** Who is not live may hold the same, or more: the client is told of it beside the answer. */
export function markNotLive(entries: readonly FleetEntry[], { unreachable }: FleetContext): void {
  for (const entry of entries) {
    if (entry.state !== 'live') unreachable.set(entry.member.name, notLive(entry));
  }
}

/** Says who was not heard, so that it can be told from "nobody has it". */
export function nobodyHolds(kind: string, key: string, { unreachable }: FleetContext): FlotillaError {
  const { code, message } = notFound(kind, key);
  const names = [...unreachable.keys()].sort();
  if (names.length === 0) return new FlotillaError(code, message);
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return new FlotillaError(
    code,
    `${message}; ${names.slice(0, MAX_NAMES).join(', ')}${more} could not be asked`,
  );
}

/** The refs of an identity document, collected once: documents are replaced, never changed. */
const managedRefs = new WeakMap<MemberIdentity, ReadonlySet<string>>();

function refsOf(identity: MemberIdentity): ReadonlySet<string> {
  const refs = managedRefs.get(identity) ?? new Set(identity.managed.map(({ ref }) => ref));
  managedRefs.set(identity, refs);
  return refs;
}

function isEmpty(held: unknown): boolean {
  return Array.isArray(held) && held.length === 0;
}

type Verdict = 'open' | 'ended' | 'nothing';

/** Undefined when the instance did not say. */
function verdictOf(result: CallResult): Verdict | undefined {
  if (result.kind === 'failure') return undefined;
  const { data, errors } = result.answer;
  const value = Object.values(data ?? {}).find((held) => held != null && !isEmpty(held));
  if (value !== undefined) return isRecord(value) && ENDED.has(value.state) ? 'ended' : 'open';
  return errors.every(({ extensions }) => HAS_NOTHING.has(extensions?.code)) ? 'nothing' : undefined;
}

/** A live member that gave no answer may be gone by now, which one more probe tells; one that is still there may hold the key. */
async function assertNobodySilent(
  key: string,
  silent: readonly FleetEntry[],
  { registry, context }: HolderOptions,
): Promise<void> {
  if (silent.length === 0) return;
  for (const { member } of silent) registry.expire(member.name);
  const fresh = await registry.fleet({ signal: context.signal });
  const [there] = silent.filter(({ member }) =>
    fresh.some((entry) => entry.member.name === member.name && entry.state === 'live'),
  );
  if (!there) return;
  const { name } = there.member;
  throw new FlotillaError(
    'MEMBER_UNAVAILABLE',
    `Cannot choose an instance for "${key}": ${name} did not say whether it holds it, an answer is expected`,
    { details: { instance: name } },
  );
}

function holderQuery(field: string, text: string): (key: string) => HolderRequest {
  const document = parse(text, { noLocation: true });
  return (key) => ({ field, text, document, operationName: 'holder', variables: { key } });
}
