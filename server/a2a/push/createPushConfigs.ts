/** The four operations on the records of an instance: what is checked before it is stored. */
import type { AddressGuard } from '../../../lib/AddressGuard.ts';
import type { IdSource } from '../../../lib/ids.ts';
import { badUserInput } from '../../../schema/errors.ts';
import type { PushConfigStore, PushTarget } from '../../../subgraph/index.ts';
import { checkPushConfig } from './checkPushConfig.ts';
import type { NewPushConfig, PushConfig, PushConfigs } from './PushConfigs.ts';

export interface PushConfigsOptions {
  readonly store: PushConfigStore;
  readonly ids: IdSource;
  /** Judges a URL whose host is an address; a host name is judged whenever a connection is made to it. */
  readonly guard: Pick<AddressGuard, 'refusalOf'>;
  /** Called after a record was stored: something may be due for it already. */
  readonly onStored: (target: PushTarget) => void;
}

export function createPushConfigs({ store, ids, guard, onStored }: PushConfigsOptions): PushConfigs {
  function check(given: NewPushConfig): NewPushConfig {
    const checked = checkPushConfig(given);
    if (!guard.refusalOf(new URL(checked.url).hostname)) return checked;
    throw badUserInput(
      'Cannot store the push configuration: the address of "url" is refused, one that the instance may call is expected',
    );
  }

  return {
    check,
    async create(taskId, given, origin) {
      const { id = ids.newId(), ...checked } = check(given);
      const config: PushConfig = { id, taskId, ...checked };
      onStored(store.put(config, origin));
      return config;
    },
    async get(taskId, configId) {
      return store.get(taskId, configId);
    },
    async list(taskId) {
      return store.list(taskId);
    },
    async delete(taskId, configId) {
      return store.delete(taskId, configId);
    },
  };
}
