/** The Temporal host as the configuration wants it: a cluster's, or that of a server of the instance's own. */
import { join } from 'node:path';
import type { Logger } from '../../../lib/Logger.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import type { TaskEngine } from '../TaskEngine.ts';
import { bundleWorkflow } from './bundleWorkflow.ts';
import { connectCluster } from './Cluster.ts';
import { installRuntime } from './installRuntime.ts';
import { createPayloadFiles } from './PayloadFiles.ts';
import { readTls } from './readTls.ts';
import { startEmbedded } from './startEmbedded.ts';
import { createTemporalEngine, type TemporalEngineOptions } from './TemporalEngine.ts';

/** An attempt's own limits are shorter: five minutes for a tool (spec/worker.md § 3.2). */
const ATTEMPT_TIMEOUT_MS = 600_000;

const HEARTBEAT_TIMEOUT_MS = 30_000;

type EngineParts = Omit<
  TemporalEngineOptions,
  'cluster' | 'taskQueue' | 'workflowBundle' | 'workflow' | 'sharesNamespace' | 'payloadDirectory'
>;

export interface OpenTemporalOptions extends EngineParts {
  readonly config: Config['temporal'];
  readonly stateDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes in what is opened, to be closed in reverse order. */
  readonly resources: AsyncDisposableStack;
}

/**
 * Connects, or starts a server and connects to it, and opens the engine.
 *
 * @throws {FlotillaError} CONFLICT when another process has the state of embedded mode, BAD_USER_INPUT when its binary cannot
 * be run or a file of `temporal.tls…` cannot be read, UNAVAILABLE when the cluster does not answer or the server does not start.
 */
export async function openTemporal(options: OpenTemporalOptions): Promise<TaskEngine> {
  const { config, env, resources, stateDirectory, logger, instanceName, ...parts } = options;
  // While the server starts. A failure is told where it is waited for.
  const bundling = bundleWorkflow();
  bundling.catch(() => {});
  const isEmbedded = config.address === undefined;
  const address = config.address ?? resources.use(await startEmbedded(options)).address;
  // Not before: a runtime that nothing uses keeps the process alive, also after a start that has failed.
  installRuntime(logger);
  const payloadDirectory = join(stateDirectory, 'payloads');
  const cluster = resources.use(
    await connectCluster({
      address,
      namespace: config.namespace,
      tls: !isEmbedded && readTls(config, address),
      apiKey: isEmbedded ? undefined : env[config.apiKeyEnv] || undefined,
      identity: `flotilla-${instanceName()}@${process.pid}`,
      dataConverter: { externalStorage: createPayloadFiles(payloadDirectory) },
    }),
  );
  if (!isEmbedded) tellCluster(logger, { address, namespace: config.namespace });
  return resources.use(
    await createTemporalEngine({
      ...parts,
      logger,
      instanceName,
      cluster,
      sharesNamespace: !isEmbedded,
      payloadDirectory,
      taskQueue: config.taskQueue ?? `flotilla-${instanceName()}`,
      workflowBundle: await bundling,
      workflow: {
        usesSearchAttributes: isEmbedded || config.searchAttributes,
        maxHistoryEvents: config.maxHistoryEvents,
        attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
        heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS,
      },
    }),
  );
}

function tellCluster(logger: Logger, facts: { readonly address: string; readonly namespace: string }): void {
  logger.info({ mode: 'remote', ...facts }, 'Connected to Temporal');
}
