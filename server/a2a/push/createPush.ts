/** Push notifications of an instance: their records, and who sends them. */
import { createAddressGuard } from '../../../lib/AddressGuard.ts';
import type { Clock } from '../../../lib/Clock.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type { Worker } from '../../../subgraph/index.ts';
import { createPushConfigs } from './createPushConfigs.ts';
import type { PushConfigs } from './PushConfigs.ts';
import { PushSender } from './PushSender.ts';
import { readUpdate } from './readUpdate.ts';

export interface PushOptions {
  readonly worker: Pick<Worker, 'pushConfigs' | 'log' | 'engine' | 'config'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
}

/** Disposing ends the sending: see `PushSender`. It belongs before the end of the worker. */
export interface Push extends AsyncDisposable {
  readonly configs: PushConfigs;
}

export function createPush({ worker, clock, ids, logger }: PushOptions): Push {
  const store = worker.pushConfigs;
  const guard = createAddressGuard({
    allowed: () => worker.config.current().instance.manager.allowAddresses,
  });
  const sender = new PushSender({
    store,
    log: worker.log,
    read: (update) => readUpdate(worker, update),
    guard,
    clock,
    ids,
    logger,
  });
  return {
    configs: createPushConfigs({ store, ids, guard, onStored: (target) => sender.wake(target) }),
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}
