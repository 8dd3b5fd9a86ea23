/**
 * The manager under measurement: an instance as the command starts it, which tells what memory it holds.
 *
 * Arguments: configuration file. Every message is answered with a `MemorySample`.
 */
import { createInstance } from '../../server/index.ts';

export interface MemorySample {
  /** In bytes. */
  readonly resident: number;
  /** What a full garbage collection leaves of heap and external memory, in bytes. */
  readonly held: number;
  /** Sockets that are open, listeners included. */
  readonly sockets: number;
}

const [, , configPath = ''] = process.argv;
const { url } = await createInstance({ configPath });
process.on('message', () => process.send?.(sampleMemory()));
process.send?.({ url });

function sampleMemory(): MemorySample {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length;
  return { resident: rss, held: heapUsed + external, sockets };
}
