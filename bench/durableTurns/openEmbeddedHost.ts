import { createEmbeddedEngine } from '../../subgraph/engine/embedded/EmbeddedEngine.ts';
import { createEngineHost } from './createEngineHost.ts';
import type { TurnHost } from './TurnHost.ts';

/** The host that most instances have. */
export function openEmbeddedHost(directory: string): Promise<TurnHost> {
  return createEngineHost(directory, createEmbeddedEngine);
}
