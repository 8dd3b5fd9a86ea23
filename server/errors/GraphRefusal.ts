/** Carries an error of the graph, as it was told, to a face that has to tell it in its own way. */
import type { GraphQLFormattedError } from 'graphql';

export class GraphRefusal extends Error {
  readonly told: GraphQLFormattedError;

  constructor(told: GraphQLFormattedError) {
    super(told.message);
    this.name = 'GraphRefusal';
    this.told = told;
  }
}
