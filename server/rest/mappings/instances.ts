/** Documents about instances (spec/rest-shapes.md §§ 7–9). */
import type {
  GetInstanceQuery,
  HealthQuery,
  InstanceRole,
  InstanceState,
  ListInstancesQuery,
} from '../../../schema/generated/restOperations.ts';
import { compareText, namedInstance, type Row, refUrl, wholeSeconds } from '../rows.ts';

export function health({ health: document }: HealthQuery): Row {
  const { status, version, role, configPath, stateRoot, ingresses, instances, instance } = document;
  return {
    status,
    version,
    configPath,
    stateRoot,
    ingresses: ingresses.map(({ name, enabled, running, detail }) => ({
      name,
      enabled,
      running,
      ...(enabled && !running && { detail: detail ?? '' }),
    })),
    role: toRole(role),
    ...(role === 'MANAGER' && {
      instances: instances.map(({ name, url, state, detail }) => ({
        name,
        url,
        state: toState(state),
        detail,
      })),
    }),
    ...namedInstance(instance),
  };
}

/** `interfaces` tells a manager of our make how it may speak to us (spec/manager.md § 5.5); of another instance we only know the document. */
export function getInstance({ instance: document }: GetInstanceQuery): Row {
  const { name, role, version, scope, managed, sessionCount, instance } = document;
  return {
    name,
    role: toRole(role),
    version,
    scope: { mode: scope.mode, workItems: scope.workItems },
    managed: managed
      .toSorted(
        (one, other) =>
          compareText(one.ref, other.ref) || compareText(one.instance ?? '', other.instance ?? ''),
      )
      .map((item) => ({
        ref: item.ref,
        ...refUrl(item.ref),
        sources: item.sources,
        ...namedInstance(item.instance),
      })),
    sessionCount,
    ...(instance === null && { interfaces: { graphql: '/graphql' } }),
    ...namedInstance(instance),
  };
}

export function listInstances({ instance: own, instances }: ListInstancesQuery): Row {
  return {
    role: toRole(own.role),
    name: own.name,
    instances: instances.map(
      ({ name, url, state, version, mode, managedCount, sessionCount, probedAt, detail }) => ({
        name,
        url,
        state: toState(state),
        version,
        mode,
        managedCount,
        sessionCount,
        probedAt: wholeSeconds(probedAt),
        ...(state !== 'LIVE' && { detail: detail ?? '' }),
      }),
    ),
  };
}

function toRole(role: InstanceRole): string {
  return role.toLowerCase();
}

function toState(state: InstanceState): string {
  return state.toLowerCase();
}
