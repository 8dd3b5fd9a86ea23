/** A configuration file whose value is, in some keys, what the caller of the process says. */
import type { Config } from '../schema/config/ConfigSchema.ts';
import type { ConfigFile } from '../subgraph/index.ts';

export interface ConfigOverrides {
  /** For `service.port`. */
  readonly port?: number;
  /** For `state.directory`; absolute. */
  readonly stateDirectory?: string;
}

/** The file itself is neither read nor written differently. */
export function withOverrides(file: ConfigFile, { port, stateDirectory }: ConfigOverrides): ConfigFile {
  if (port === undefined && stateDirectory === undefined) return file;
  let seen: Config | undefined;
  let overridden: Config | undefined;
  return {
    path: file.path,
    authored: () => file.authored(),
    update: (patch) => file.update(patch),
    edit: (plan) => file.edit(plan),
    current() {
      const config = file.current();
      if (overridden && config === seen) return overridden;
      seen = config;
      overridden = Object.freeze({
        ...config,
        service: Object.freeze({ ...config.service, port: port ?? config.service.port }),
        state: Object.freeze({ ...config.state, directory: stateDirectory ?? config.state.directory }),
      });
      return overridden;
    },
  };
}
