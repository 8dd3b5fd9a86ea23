import { join } from 'node:path';
import { systemClock } from '../../lib/Clock.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { bundleWorkflow } from '../../subgraph/engine/temporal/bundleWorkflow.ts';
import { connectCluster } from '../../subgraph/engine/temporal/Cluster.ts';
import { startDevServer } from '../../subgraph/engine/temporal/DevServer.ts';
import { installRuntime } from '../../subgraph/engine/temporal/installRuntime.ts';
import { createPayloadFiles } from '../../subgraph/engine/temporal/PayloadFiles.ts';
import { createTemporalEngine } from '../../subgraph/engine/temporal/TemporalEngine.ts';
import { createEngineHost } from './createEngineHost.ts';
import type { TurnHost } from './TurnHost.ts';

/** The server takes its time when many conversations go on at once; that is measured and no failure. */
const CALL_TIMEOUT_MS = 300_000;

/**
 * The same task core as workflows on Temporal's development server, with its state in a file, as an instance starts it
 * that has no cluster.
 *
 * @param executable the `temporal` binary
 */
export function openTemporalHost(directory: string, executable: string): Promise<TurnHost> {
  return open(directory, { executable, databasePath: join(directory, 'temporal.db') });
}

/** The same with the server's state in memory, as the server has it by default: faster, and lost when the server ends. */
export function openTemporalHostInMemory(directory: string, executable: string): Promise<TurnHost> {
  return open(directory, { executable });
}

async function open(
  directory: string,
  server: { readonly executable: string; readonly databasePath?: string },
): Promise<TurnHost> {
  installRuntime(silentLogger);
  await using resources = new AsyncDisposableStack();
  const { address } = resources.use(
    await startDevServer({ ...server, namespace: 'default', clock: systemClock }),
  );
  const payloadDirectory = join(directory, 'payloads');
  const cluster = resources.use(
    await connectCluster({
      address,
      namespace: 'default',
      tls: false,
      identity: 'bench',
      dataConverter: { externalStorage: createPayloadFiles(payloadDirectory) },
    }),
  );
  const workflowBundle = await bundleWorkflow();
  const host = resources.use(
    await createEngineHost(directory, (options) =>
      createTemporalEngine({
        ...options,
        cluster,
        taskQueue: 'bench',
        workflowBundle,
        sharesNamespace: false,
        payloadDirectory,
        callTimeoutMs: CALL_TIMEOUT_MS,
        workflow: {
          usesSearchAttributes: true,
          maxHistoryEvents: 10_000,
          attemptTimeoutMs: 600_000,
          heartbeatTimeoutMs: 30_000,
        },
      }),
    ),
  );
  const owned = resources.move();
  return { ...host, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
