/** The manager half over a real worker, behind Apollo Server, asked in-process. */
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { createManager, type ManagerOptions } from '../../gateway/createManager.ts';
import { createFleetContext, type FleetContext } from '../../gateway/fleet/FleetContext.ts';
import { systemClock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { openWorker } from './openWorker.ts';

export interface OpenManagerOptions extends Partial<ManagerOptions> {
  /** Merged into the configuration before the manager begins. */
  readonly config?: object;
}

export async function openManager({ config, ...options }: OpenManagerOptions = {}) {
  await using resources = new AsyncDisposableStack();
  const { worker, ask: askWorker } = resources.use(await openWorker());
  if (config) await worker.config.update(config);
  const manager = resources.use(
    await createManager({
      worker,
      clock: systemClock,
      ids: systemIds,
      logger: silentLogger,
      ownUrl: 'http://127.0.0.1:4114',
      env: {},
      ...options,
    }),
  );
  const apollo = new ApolloServer<FleetContext>({
    gateway: manager.gateway,
    stopOnTerminationSignals: false,
    // This plugin would put resolvers into the schema that subscriptions run on.
    plugins: [ApolloServerPluginCacheControlDisabled()],
  });
  await apollo.start();
  resources.defer(() => apollo.stop());
  const owned = resources.move();
  return {
    worker,
    manager,
    askWorker,
    async ask(query: string, variables: Record<string, unknown> = {}) {
      const contextValue = createFleetContext(new AbortController().signal);
      const { body } = await apollo.executeOperation({ query, variables }, { contextValue });
      if (body.kind !== 'single') throw new Error('One answer was expected');
      // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
      const { data, errors } = JSON.parse(JSON.stringify(body.singleResult)) as { data: any; errors?: any[] };
      return { data, errors: errors ?? [], context: contextValue };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
