/** The two writers of the registry that go through the API (spec/manager.md §§ 4, 15). */
import { ownAddress } from '../../schema/config/memberUrl.ts';
import { notFound } from '../../schema/errors.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import type { ConfigUpdate } from '../../schema/generated/resolvers.ts';
import type { FleetParts } from './FleetParts.ts';
import { asList, parseRegistration, type Registration } from './registration.ts';

export interface RegistryWrites {
  /**
   * Appends the entry to the configuration file. The member is not contacted.
   * @throws {FlotillaError} BAD_USER_INPUT when a rule is broken; the file is as it was.
   */
  register(registration: Registration): Promise<ConfigUpdate>;
  /** @throws {FlotillaError} NOT_FOUND when no entry has the name. */
  unregister(name: string): Promise<ConfigUpdate>;
}

/** Writes are done one after the other, so that none is lost to another. */
export function createRegistryWrites({
  worker,
  registry,
}: Pick<FleetParts, 'worker' | 'registry'>): RegistryWrites {
  const { config, log } = worker;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const turn = last.then(write);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function write(
    instances: readonly unknown[],
    { name, type }: { readonly name: string; readonly type: 'instance.registered' | 'instance.unregistered' },
  ): Promise<ConfigUpdate> {
    const result = await config.update({ instance: { manager: { instances } } });
    log.append([
      {
        type: 'config.updated',
        level: EVENT_TYPES['config.updated'].level,
        source: 'config',
        data: { path: result.path, keys: result.changed },
      },
      { type, level: EVENT_TYPES[type].level, source: 'registry', data: { instance: name } },
    ]);
    return {
      ...result,
      instance: name,
      changed: [...result.changed],
      restartRequired: [...result.restartRequired],
    };
  }

  return {
    register: (wanted) =>
      inTurn(async () => {
        const entries = authoredEntries(config.authored().document);
        const entry = parseRegistration(wanted, {
          ownName: registry().ownName,
          ownAddress: ownAddress(config.current().service),
          entries,
        });
        return write([...asList(entries), entry], { name: entry.name, type: 'instance.registered' });
      }),
    unregister: (name) =>
      inTurn(async () => {
        const entries = asList(authoredEntries(config.authored().document));
        const others = entries.filter((entry) => nameOf(entry) !== name);
        if (others.length === entries.length) throw notFound('instance', name);
        return write(others, { name, type: 'instance.unregistered' });
      }),
  };
}

function authoredEntries(document: unknown): unknown {
  return ['instance', 'manager', 'instances'].reduce(
    (value: unknown, key) => (value as Record<string, unknown> | null | undefined)?.[key],
    document,
  );
}

function nameOf(entry: unknown): unknown {
  return (entry as { readonly name?: unknown } | null | undefined)?.name;
}
