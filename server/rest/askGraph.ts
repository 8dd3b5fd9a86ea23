/** How an operation of the contract is asked of the graph: what of an answer counts as a refusal, and what as a part that is missing. */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import type { FleetContext } from '../../gateway/index.ts';
import { GraphRefusal } from '../errors/GraphRefusal.ts';
import type { Graph } from '../graphql/Graph.ts';

export interface GraphQuestion {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: FleetContext;
}

/**
 * The data of an operation. A part that is missing below its root fields is left out as a list leaves out a member: the answer goes on
 * and the member is named in `context.unreachable`.
 *
 * @throws {GraphRefusal} when a root field has no data because of an error.
 */
export async function askGraph(graph: Graph, { text, variables, context }: GraphQuestion): Promise<unknown> {
  const { data, errors = [] } = await graph.execute({ text, variables, context });
  const fatal = errors.find((error) => isFatal(error, data));
  if (fatal) throw new GraphRefusal(fatal);
  for (const { message, extensions } of errors) {
    const instance = extensions?.instance;
    if (typeof instance === 'string' && !context.unreachable.has(instance)) {
      context.unreachable.set(instance, { instance, state: 'error', detail: message });
    }
  }
  return data;
}

function isFatal({ path }: GraphQLFormattedError, data: FormattedExecutionResult['data']): boolean {
  const root = path?.[0];
  return !data || root === undefined || data[root] === null;
}
