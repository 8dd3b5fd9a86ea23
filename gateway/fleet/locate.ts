/** Which instance a keyed operation goes to (spec/manager.md § 8). */
import { INSTANCE_NAME } from '../../schema/config/ConfigSchema.ts';
import { FlotillaError, notFound } from '../../schema/errors.ts';
import { OWN_PROVIDER } from '../../schema/taskRef.ts';
import { parseAgentRef } from '../member/a2a/agentRef.ts';
import type { FleetEntry, MemberRegistry } from '../registry/MemberRegistry.ts';
import type { FleetContext } from './FleetContext.ts';
import {
  type AskAll,
  askEverybody,
  declaring,
  HOLDS_NAME,
  HOLDS_PULL_REQUEST,
  HOLDS_REF,
  managing,
  markNotLive,
  oneHolder,
} from './holders.ts';

/** A ref that has the place of its issuer's name. */
const NAMED_REF = /^[^:]+:([^/]+)\//;
/** A ref that an instance numbered itself. */
const OWN_REF = new RegExp(`^${OWN_PROVIDER}:[^/]+/task#\\d+$`);

export interface LocateOptions {
  readonly registry: Pick<MemberRegistry, 'fleet' | 'refresh' | 'expire'>;
  readonly context: FleetContext;
  /** Whether the operation changes what it finds. */
  readonly isWrite: boolean;
  readonly askAll: AskAll;
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
  return live(entry);
}

/**
 * The one instance that manages `ref` (§ 8.2). Members that are not live hold nothing; they are named in the context, so that
 * a caller can tell "nobody has it" from "somebody could not be asked". An agent is never among them: its refs are its own.
 *
 * A read goes by what is known: the newest probes, the name in a ref that an instance numbered itself, a forced round of
 * probes; only then every live instance is asked. What is known may be as old as a probe, so a write is sent to nobody before
 * every live instance has said whether it holds the ref (A5).
 *
 * A ref of the form `flotilla:<name>/task#<n>` is issued by that instance alone, and `a2a:<name>/<id>#1` by that agent: neither a
 * read nor a write of it asks anybody else, also when the task has ended and is in no managed set.
 *
 * @throws {FlotillaError} NOT_FOUND when nobody holds it; CONFLICT with `candidates` when several do; MEMBER_UNAVAILABLE when
 * its issuer is not live, or when a live instance does not say whether a write is its own. Nothing is sent in any of them.
 */
export async function locateByRef(ref: string, options: LocateOptions): Promise<FleetEntry> {
  const { registry, context, isWrite } = options;
  const entries = await registry.fleet({ signal: context.signal });
  const issuer = issuerOf(entries, ref);
  const known = isWrite && !issuer ? undefined : oneHolder(ref, managing(entries, ref));
  if (issuer) return known ?? live(issuer);
  const workers = workersOf(entries);
  if (known) {
    markNotLive(workers, context);
    return known;
  }
  const question = { kind: 'task', key: ref, request: HOLDS_REF(ref) };
  if (isWrite) {
    return askEverybody(question, { ...options, entries: workers, declared: declaring(workers, ref) });
  }
  const hasMembers = workers.some(({ isLocal }) => !isLocal);
  const fresh = hasMembers ? workersOf(await registry.refresh({ signal: context.signal })) : workers;
  markNotLive(fresh, context);
  return oneHolder(ref, managing(fresh, ref)) ?? askEverybody(question, { ...options, entries: fresh });
}

/**
 * The one instance that lists the standing session `name` (§ 8.3); every live instance is asked.
 *
 * @throws {FlotillaError} as `locateByRef`.
 */
export async function locateByStandingName(name: string, options: LocateOptions): Promise<FleetEntry> {
  const entries = await options.registry.fleet({ signal: options.context.signal });
  const question = { kind: 'standing session', key: name, request: HOLDS_NAME(name) };
  return askEverybody(question, { ...options, entries: workersOf(entries) });
}

/**
 * Who acts on a tracker for `ref`: the one holder of the work item, else the one whose work item the pull request delivers, else the
 * own half, whose policy then decides (§ 8.4).
 *
 * @throws {FlotillaError} CONFLICT with `candidates` when several hold it; MEMBER_UNAVAILABLE as `locateByRef`.
 */
export async function locateActing(ref: string, options: LocateOptions): Promise<FleetEntry> {
  const entries = await options.registry.fleet({ signal: options.context.signal });
  const question = { kind: 'pull request', key: ref, request: HOLDS_PULL_REQUEST(ref) };
  return (
    (await orNobody(locateByRef(ref, options))) ??
    (await orNobody(askEverybody(question, { ...options, entries: workersOf(entries), isWrite: false }))) ??
    locateByInstance(entries, undefined)
  );
}

async function orNobody(locating: Promise<FleetEntry>): Promise<FleetEntry | undefined> {
  try {
    return await locating;
  } catch (error) {
    if (error instanceof FlotillaError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** @throws {FlotillaError} MEMBER_UNAVAILABLE when the instance is not live. */
function live(entry: FleetEntry): FleetEntry {
  if (entry.state === 'live') return entry;
  const { name } = entry.member;
  throw new FlotillaError(
    'MEMBER_UNAVAILABLE',
    `Cannot reach instance "${name}": it is ${entry.state} (${entry.detail}), live is expected`,
    { details: { instance: name } },
  );
}

/** Those who may hold what no agent has issued: nobody misses an agent that is down. */
function workersOf(entries: readonly FleetEntry[]): readonly FleetEntry[] {
  return entries.filter(({ kind }) => kind !== 'a2a');
}

/** The instance that issued the ref, if it is in the fleet; nobody else can have such a task. */
function issuerOf(entries: readonly FleetEntry[], ref: string): FleetEntry | undefined {
  const [, name] = NAMED_REF.exec(ref) ?? [];
  const named = entries.find(({ member }) => member.name === name);
  return named && isOfKind(ref, named) ? named : undefined;
}

/** Whether the ref that names the entry has the form of those that its kind issues. */
function isOfKind(ref: string, { kind, member }: FleetEntry): boolean {
  return kind === 'a2a' ? parseAgentRef(member.name, ref) !== undefined : OWN_REF.test(ref);
}
