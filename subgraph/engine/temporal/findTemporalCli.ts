/** Where the `temporal` binary is, without a download. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `TEMPORAL_CLI_PATH`, else the first `temporal` on the PATH; undefined when neither names a file that can be run. */
export function findTemporalCli(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env.TEMPORAL_CLI_PATH;
  if (named) return isExecutable(named) ? named : undefined;
  const name = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
