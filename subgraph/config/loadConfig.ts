/** The strict reader: what an instance starts on (spec/manager.md §§ 2, 3). */
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { ConfigError, type Finding } from './ConfigError.ts';
import type { Environment } from './combinationProblems.ts';
import { readConfig } from './readConfig.ts';

export interface LoadedConfig {
  /** Frozen, every default filled in. */
  readonly config: Config;
  /** What was narrowed, in the order of the file. */
  readonly warnings: readonly Finding[];
}

/**
 * Reads the file once. A file that is not there is an empty one: every key has a default.
 *
 * @param options.env where the secrets are that the file names; they are looked for, never copied.
 * @throws {ConfigError} naming every key at fault: the file cannot be read, a key is unknown or has a wrong value, or
 *   the keys together are one of the boot refusals.
 */
export function loadConfig(path: string, { env }: { readonly env: Environment }): LoadedConfig {
  const { config, findings, warnings, cause } = readConfig(path, env);
  if (!config) throw new ConfigError(path, findings, { cause });
  return { config, warnings };
}
