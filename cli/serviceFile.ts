/** The configuration file of a service that may not run: what it says, and whether anybody answers at its address. */
import type { Config } from '../schema/config/ConfigSchema.ts';
import { CliError } from './CliError.ts';
import { warn } from './output.ts';

/** How long a service may take to say that it lives, in milliseconds. */
const LIVE_TIMEOUT_MS = 3_000;

/**
 * Reads the file leniently: what no instance would start on is warned of, and the rest is taken.
 *
 * @throws {CliError} exit code 2 when there is no file, or nothing of it can be read.
 */
export async function readServiceFile(path: string): Promise<Config> {
  // Loaded here, because status without a file starts in a fraction of the time without it.
  const { formatFinding, readLeniently } = await import('../subgraph/index.ts');
  const { config, warnings } = readLeniently(path);
  const texts = warnings.map((warning) => formatFinding(path, warning));
  if (!config) throw new CliError(2, `Cannot read config: ${texts.join('; ')}`);
  for (const text of texts) warn(text);
  return config;
}

/**
 * Why nobody answers at the address, in a few words; undefined when somebody does, whatever the answer is.
 *
 * @param options.timeoutMs @default 3_000
 */
export async function findSilence(
  url: string,
  { timeoutMs = LIVE_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { body } = await fetch(`${url}/health/live`, { redirect: 'manual', signal });
    await body?.cancel();
    return undefined;
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return `nobody answers at ${url} (${isLate ? `within ${timeoutMs} ms` : reasonOf(error)})`;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}
