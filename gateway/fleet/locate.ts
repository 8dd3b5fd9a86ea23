/** Which instance a keyed operation goes to (spec/manager.md § 8). */
import { parse } from 'graphql';
import { INSTANCE_NAME } from '../../schema/config/ConfigSchema.ts';
import { conflict, FlotillaError, notFound } from '../../schema/errors.ts';
import type { MemberRequest } from '../member/Member.ts';
import type { FleetEntry, MemberIdentity, MemberRegistry } from '../registry/MemberRegistry.ts';
import type { CallResult } from './callMember.ts';
import type { FleetContext } from './FleetContext.ts';
import { type FanOutResult, notLive } from './fanOut.ts';

export interface LocateOptions {
  readonly registry: Pick<MemberRegistry, 'fleet' | 'refresh'>;
  readonly context: FleetContext;
  /** Asks every live instance the same. */
  readonly askAll: (entries: readonly FleetEntry[], request: MemberRequest) => Promise<FanOutResult>;
}

/**
 * The own half when `instance` is absent, empty or the own name; else the member of exactly that name (§ 8.1).
 *
 * @throws {FlotillaError} NOT_FOUND when nobody has the name; MEMBER_UNAVAILABLE when the member is not live.
 */
export function locateByInstance(
  entries: readonly FleetEntry[],
  instance: string | null | undefined,
): FleetEntry {
  const entry = entries.find(({ isLocal, member }) => (instance ? member.name === instance : isLocal));
  if (!entry) {
    throw INSTANCE_NAME.test(instance ?? '')
      ? notFound('instance', instance ?? '')
      : new FlotillaError(
          'NOT_FOUND',
          'Cannot find instance: the value is not the name of an instance, one is expected',
        );
  }
  if (entry.state !== 'live') {
    const { name } = entry.member;
    throw new FlotillaError(
      'MEMBER_UNAVAILABLE',
      `Cannot reach instance "${name}": it is ${entry.state} (${entry.detail}), live is expected`,
      { details: { instance: name } },
    );
  }
  return entry;
}

/**
 * The one instance that manages `ref` (§ 8.2). Asked in this order: the newest probes, the name in a ref that an instance
 * numbered itself, a forced round of probes, every live instance.
 *
 * A ref of the form `flotilla:<name>/task#<n>` is issued by that instance alone, so a live member of that name is asked
 * and nobody else, also for tasks that ended and are in no managed set. Members that are not live hold nothing; they are
 * named in the context, so that a caller can tell "nobody has it" from "somebody could not be asked".
 *
 * @throws {FlotillaError} NOT_FOUND when nobody holds it; CONFLICT with `candidates` when several do, and nothing is sent.
 */
export async function locateByRef(ref: string, options: LocateOptions): Promise<FleetEntry> {
  const { registry, context } = options;
  const entries = await registry.fleet({ signal: context.signal });
  const known = oneHolder(ref, managing(entries, ref)) ?? issuer(entries, ref);
  if (known) return known;
  const hasMembers = entries.some(({ isLocal }) => !isLocal);
  const fresh = hasMembers ? await registry.refresh({ signal: context.signal }) : entries;
  return (
    oneHolder(ref, managing(fresh, ref)) ??
    (await askEverybody('task', ref, { ...options, entries: fresh, request: HOLDS_REF(ref) }))
  );
}

/**
 * The one instance that lists the standing session `name` (§ 8.3).
 *
 * @throws {FlotillaError} as `locateByRef`.
 */
export async function locateByStandingName(name: string, options: LocateOptions): Promise<FleetEntry> {
  const entries = await options.registry.fleet({ signal: options.context.signal });
  return askEverybody('standing session', name, { ...options, entries, request: HOLDS_NAME(name) });
}

function managing(entries: readonly FleetEntry[], ref: string): FleetEntry[] {
  return entries.filter(({ state, identity }) => state === 'live' && identity && refsOf(identity).has(ref));
}

/** The refs of an identity document, collected once: documents are replaced, never changed. */
const managedRefs = new WeakMap<MemberIdentity, ReadonlySet<string>>();

function refsOf(identity: MemberIdentity): ReadonlySet<string> {
  const refs = managedRefs.get(identity) ?? new Set(identity.managed.map(({ ref }) => ref));
  managedRefs.set(identity, refs);
  return refs;
}

function issuer(entries: readonly FleetEntry[], ref: string): FleetEntry | undefined {
  const [, name] = /^flotilla:([^/]+)\/task#\d+$/.exec(ref) ?? [];
  return entries.find(({ state, member }) => state === 'live' && member.name === name);
}

function oneHolder(key: string, holders: readonly FleetEntry[]): FleetEntry | undefined {
  if (holders.length < 2) return holders[0];
  const candidates = holders.map(({ member }) => member.name);
  throw conflict(
    `Cannot choose an instance: "${key}" is held by ${candidates.join(', ')}, one holder is expected`,
    {
      candidates,
    },
  );
}

async function askEverybody(
  kind: string,
  key: string,
  options: LocateOptions & { readonly entries: readonly FleetEntry[]; readonly request: MemberRequest },
): Promise<FleetEntry> {
  const { entries, request, context, askAll } = options;
  const { results } = await askAll(entries, request);
  const holders = results.filter(({ result }) => holds(result)).map(({ entry }) => entry);
  const holder = oneHolder(key, holders);
  if (holder) return holder;
  for (const entry of entries.filter(({ state }) => state !== 'live')) {
    context.unreachable.set(entry.member.name, notLive(entry));
  }
  throw notFound(kind, key);
}

/** Whether the answer's one field is there. That it is not, a member tells by null or by an error. */
function holds(result: CallResult): boolean {
  return result.kind === 'answer' && Object.values(result.answer.data ?? {}).some((value) => value != null);
}

const HOLDS_REF = holderQuery('query holder($key: ID!) { task(ref: $key) { ref } }');
const HOLDS_NAME = holderQuery('query holder($key: String!) { standingSession(name: $key) { name } }');

function holderQuery(text: string): (key: string) => MemberRequest {
  const document = parse(text, { noLocation: true });
  return (key) => ({ text, document, operationName: 'holder', variables: { key } });
}
