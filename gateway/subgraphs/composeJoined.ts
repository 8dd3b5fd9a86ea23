/** Our own subgraphs and those of others, composed: pure. A joined subgraph adds to the graph and takes nothing from it. */
import { findBreakingChanges, GraphQLError, parse, printSchema } from 'graphql';
import { CompositionError, composeSupergraph, type Supergraph } from '../fleet/composeSupergraph.ts';

/** Most tokens of one SDL; a graph of a thousand types has about a tenth. */
const MAX_TOKENS = 200_000;
/** Reasons that are told of one refusal. */
const MAX_REASONS = 3;

export interface SubgraphText {
  readonly name: string;
  readonly sdl: string;
}

/** A supergraph as it can be sent from one thread to another. */
export interface ComposedGraph extends Pick<Supergraph, 'sdl' | 'fields'> {
  readonly apiSdl: string;
}

export type Composition =
  | ({ readonly kind: 'composed' } & ComposedGraph)
  | { readonly kind: 'refused'; readonly reason: string };

export type ComposeJoined = (joined: readonly SubgraphText[]) => Composition;

/**
 * The composer over our own subgraphs. It refuses subgraphs that do not fit together, and those that would change what is
 * there: every field of ours stays, with its type, and stays answered by us.
 */
export function createComposeJoined(own: readonly SubgraphText[]): ComposeJoined {
  const ownSubgraphs = own.map(parseSubgraph);
  const base = composeSupergraph(ownSubgraphs);

  function changesOf({ apiSchema, fields }: Supergraph): string[] {
    const breaking = findBreakingChanges(base.apiSchema, apiSchema).map(({ description }) => description);
    const taken = [...base.fields].flatMap(([name, coordinates]) =>
      [...coordinates].filter((coordinate) => !fields.get(name)?.has(coordinate)),
    );
    return [...breaking, ...taken.map((coordinate) => `${coordinate} is taken over`)];
  }

  return (joined) => {
    try {
      const supergraph = composeSupergraph([...ownSubgraphs, ...joined.map(parseSubgraph)]);
      const changes = changesOf(supergraph);
      if (changes.length > 0) return refused(changes.map((change) => `${change}, which is not allowed`));
      const { sdl, apiSchema, fields } = supergraph;
      return { kind: 'composed', sdl, apiSdl: printSchema(apiSchema), fields };
    } catch (error) {
      if (error instanceof CompositionError) return refused(error.reasons);
      // Of the parser, and of the composer for what it finds by accident.
      if (error instanceof GraphQLError) return refused([error.message]);
      throw error;
    }
  };
}

function parseSubgraph({ name, sdl }: SubgraphText) {
  return { name, typeDefs: parse(sdl, { noLocation: true, maxTokens: MAX_TOKENS }) };
}

function refused(reasons: readonly string[]): Composition {
  const told = reasons.slice(0, MAX_REASONS);
  const rest = reasons.length - told.length;
  return { kind: 'refused', reason: [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ') };
}
