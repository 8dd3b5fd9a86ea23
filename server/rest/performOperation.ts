/** One operation of the contract, asked of the graph. */
import type { FleetContext } from '../../gateway/index.ts';
import type { Graph } from '../graphql/Graph.ts';
import { askGraph } from './askGraph.ts';
import type { RestFacts, RestHandler } from './bind.ts';
import type { RestInput } from './readInput.ts';

export interface PerformOptions {
  readonly graph: Graph;
  readonly facts: RestFacts;
  readonly context: FleetContext;
}

/** What came of it. A refusal is one, too: it is told with who was left out and who was asked. */
export interface Outcome {
  readonly context: FleetContext;
  /** The answer. @throws what the operation threw */
  readonly read: () => unknown;
}

/** Never rejects. */
export async function performOperation(
  handler: RestHandler,
  input: RestInput,
  { graph, facts, context }: PerformOptions,
): Promise<Outcome> {
  const ask = (text: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> =>
    askGraph(graph, { text, variables, context });
  try {
    const answer = await handler(input, { facts, ask });
    return { context, read: () => answer };
  } catch (error) {
    const read = (): never => {
      throw error;
    };
    return { context, read };
  }
}
