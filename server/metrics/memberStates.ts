import type { Manager, MemberState } from '../../gateway/index.ts';
import type { Worker } from '../../subgraph/index.ts';

/** By name, everything that is registered; undefined: not probed yet. */
export type MemberStates = ReadonlyMap<string, MemberState | undefined>;

/** The own half first, then the members in the order of the configuration. Asks nobody. */
export function memberStates(
  { config }: Pick<Worker, 'config'>,
  { registry }: Pick<Manager, 'registry'>,
): MemberStates {
  const { instances } = config.current().instance.manager;
  const found = new Map(registry.snapshot().map(({ member, state }) => [member.name, state]));
  return new Map(
    [registry.ownName, ...instances.map(({ name }) => name)].map((name) => [name, found.get(name)]),
  );
}
