/** One subgraph as a part of the graph. */
import type { SubgraphText } from './composeJoined.ts';
import type { SubgraphClient } from './createSubgraphClient.ts';

export interface GraphPart extends SubgraphText {
  /** Who answers it. */
  readonly client: SubgraphClient;
}

/** Whether both are the same graph, answered by the same. */
export function isSameGraph(one: readonly GraphPart[], other: readonly GraphPart[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, sdl, client }, index) => {
      const part = other[index];
      return part?.name === name && part.sdl === sdl && part.client === client;
    })
  );
}
