/** The two writers of the registry that go through the API (spec/manager.md §§ 4, 15). */
import { ownAddress } from '../../schema/config/memberUrl.ts';
import { notFound } from '../../schema/errors.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import type { ConfigUpdate } from '../../schema/generated/resolvers.ts';
import type { FleetParts } from './FleetParts.ts';
import { asList, parseEntries, parseRegistration, type Registration } from './registration.ts';

export interface RegistryWrites {
  /**
   * Appends the entry to the configuration file. The member is not contacted.
   * @throws {FlotillaError} BAD_USER_INPUT when a rule is broken; the file is as it was.
   */
  register(registration: Registration): Promise<ConfigUpdate>;
  /**
   * Writes the list without the entries of this name.
   * @throws {FlotillaError} NOT_FOUND when no entry has the name; BAD_USER_INPUT when one of the others breaks a rule.
   */
  unregister(name: string): Promise<ConfigUpdate>;
}

/** The list that a write leaves, of the list as it was. */
type Change = (entries: unknown) => readonly unknown[];

/** Each write starts from the file as it is in its turn, so that none is lost to another, or to an edit by hand. */
export function createRegistryWrites({
  worker,
  registry,
}: Pick<FleetParts, 'worker' | 'registry'>): RegistryWrites {
  const { config, log } = worker;
  const self = () => ({ ownName: registry().ownName, ownAddress: ownAddress(config.current().service) });

  async function write(
    type: 'instance.registered' | 'instance.unregistered',
    name: string,
    change: Change,
  ): Promise<ConfigUpdate> {
    const result = await config.edit((document) => ({
      instance: { manager: { instances: change(authoredEntries(document)) } },
    }));
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
      write('instance.registered', wanted.name, (entries) => {
        const entry = parseRegistration(wanted, { ...self(), entries });
        return [...asList(entries), entry];
      }),
    unregister: (name) =>
      write('instance.unregistered', name, (entries) => {
        const others = asList(entries).filter((entry) => nameOf(entry) !== name);
        if (others.length === asList(entries).length) throw notFound('instance', name);
        parseEntries({ ...self(), entries }, (entry) => nameOf(entry) !== name);
        return others;
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
