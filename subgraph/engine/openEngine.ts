/** The host of the tasks that the configuration names (design § 6). */
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { FlotillaError } from '../../schema/errors.ts';
import { createEmbeddedEngine, type EmbeddedEngineOptions } from './embedded/EmbeddedEngine.ts';
import type { TaskEngine } from './TaskEngine.ts';

export interface OpenEngineOptions extends EmbeddedEngineOptions {
  readonly config: Pick<Config, 'engine' | 'temporal'>;
  readonly stateDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes in what is opened, to be closed in reverse order. */
  readonly resources: AsyncDisposableStack;
}

/**
 * Opens the host and goes on with what an earlier process left.
 *
 * @throws {FlotillaError} NOT_SUPPORTED when Temporal is wanted and its packages, which are optional, are not installed; what
 * `openTemporal` throws.
 */
export async function openEngine(options: OpenEngineOptions): Promise<TaskEngine> {
  const { config, resources } = options;
  if (config.engine === 'embedded') return resources.use(await createEmbeddedEngine(options));
  // Loaded here: the packages are large, and nobody else needs them.
  const { openTemporal } = await import('./temporal/openTemporal.ts').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new FlotillaError(
      'NOT_SUPPORTED',
      'Cannot start engine "temporal": the packages @temporalio/* are not installed, an installation with optional dependencies is expected',
      { cause: error },
    );
  });
  return openTemporal({ ...options, config: config.temporal });
}
