/** The manager's own `health` and `instance`: the worker's document, and the fleet in it (spec/manager.md § 12, rows 1 and 2). */
import type { GraphQLFieldResolver } from 'graphql';
import type { Health, InstanceDocument, ManagedItem } from '../../schema/generated/resolvers.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { FleetParts } from './FleetParts.ts';
import { toInstanceState } from './instanceRow.ts';

type OwnResolver = GraphQLFieldResolver<unknown, unknown>;

/** `degraded` when an ingress of the own half that is enabled does not run, or a member is not live. */
export function healthResolver({ worker, registry, signal }: FleetParts): OwnResolver {
  const ofWorker = workerResolver(worker, 'health');
  return async (...args): Promise<Health> => {
    const own = (await ofWorker(...args)) as Health;
    const entries = await registry().fleet({ signal });
    const members = entries.filter(({ isLocal }) => !isLocal);
    const isWell =
      own.status === 'ok' &&
      own.ingresses.every(({ enabled, running }) => running || !enabled) &&
      members.every(({ state }) => state === 'live');
    return {
      ...own,
      role: 'MANAGER',
      status: isWell ? 'ok' : 'degraded',
      instances: members.map(({ member, url, state, detail }) => ({
        name: member.name,
        url,
        state: toInstanceState(state),
        detail,
      })),
    };
  };
}

/**
 * Scope and session count are the own half's; `managed` is the fleet's, by the newest probes. This is the document that a
 * probe asks for, so it waits for no other probe.
 */
export function instanceResolver({ worker, registry, signal }: FleetParts): OwnResolver {
  const ofWorker = workerResolver(worker, 'instance');
  return async (...args): Promise<InstanceDocument> => {
    const own = (await ofWorker(...args)) as InstanceDocument;
    const entries = await registry().fleet({ signal, isHasty: true });
    return { ...own, role: 'MANAGER', managed: managedOf(entries, own) };
  };
}

/** Ordered by ref, then by instance (§ 10.2). */
function managedOf(entries: readonly FleetEntry[], own: InstanceDocument): ManagedItem[] {
  const items = entries.flatMap(({ isLocal, member, state, identity }) => {
    const managed = isLocal ? own.managed : state === 'live' ? (identity?.managed ?? []) : [];
    return managed.map(({ ref, sources }) => ({ ref, sources: [...sources], instance: member.name }));
  });
  return items.sort((a, b) => compare(a.ref, b.ref) || compare(a.instance, b.instance));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function workerResolver({ schema }: FleetParts['worker'], field: string): OwnResolver {
  const resolve = schema.getQueryType()?.getFields()[field]?.resolve;
  if (!resolve) throw new Error(`The worker's schema has no resolver of Query.${field}`);
  return resolve;
}
