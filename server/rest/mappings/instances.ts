/** Documents about instances (spec/rest-shapes.md §§ 7–9). */
import { ownSchemaHash } from '../../../gateway/index.ts';
import { toFleetDocument } from '../../../schema/fleetDocument.ts';
import type {
  GetInstanceQuery,
  HealthQuery,
  InstanceRole,
  InstanceState,
  ListInstancesQuery,
  RegisterInstanceMutation,
  RegistryUpdateFragment,
  UnregisterInstanceMutation,
} from '../../../schema/generated/restOperations.ts';
import { compareText, isRow, namedInstance, type Row, refUrl, stampedDocument, wholeOr } from '../rows.ts';

export function health({ health: document }: HealthQuery): Row {
  const { status, version, role, configPath, stateRoot, ingresses, instances, instance, record } = document;
  const own = {
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
  };
  return stampedDocument(wholeOr(record, own), instance);
}

/** `interfaces` tells a manager of our make how it may speak to us (spec/manager.md § 5.5); of another instance we only know the document. */
export function getInstance({ instance: document }: GetInstanceQuery): Row {
  const { name, role, version, scope, managed, sessionCount, instance, record } = document;
  if (isRow(record)) return wholeIdentity(record, instance);
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
    ...(instance === null && { interfaces: { graphql: '/graphql', schemaHash: ownSchemaHash() } }),
    ...namedInstance(instance),
  };
}

/** The managed rows are stamped, too: what a member says of their origin is a claim. */
function wholeIdentity(record: Row, instance: string | null): Row {
  const { managed } = record;
  const rows = Array.isArray(managed) ? managed.filter(isRow) : [];
  return stampedDocument({ ...record, managed: rows.map((row) => stampedDocument(row, instance)) }, instance);
}

export function listInstances(fleet: ListInstancesQuery): Row {
  return { ...toFleetDocument(fleet) };
}

export function registerInstance({ registerInstance: update }: RegisterInstanceMutation): Row {
  return toRegistryUpdate(update);
}

export function unregisterInstance({ unregisterInstance: update }: UnregisterInstanceMutation): Row {
  return toRegistryUpdate(update);
}

/** `instance` is the member's name, no origin: never stamped (spec/manager.md § 10.1). */
function toRegistryUpdate(update: RegistryUpdateFragment): Row {
  const { path, exists, changed, restartRequired, written, config, instance } = update;
  return { path, exists, changed, restartRequired, written, config, instance };
}

function toRole(role: InstanceRole): string {
  return role.toLowerCase();
}

function toState(state: InstanceState): string {
  return state.toLowerCase();
}
