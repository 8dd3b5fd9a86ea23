/** `@apollo/gateway` as we use it: one for each supergraph, in a thread of its own, never updated (design § 3). */
import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway';

export interface StockGatewayOptions {
  readonly supergraphSdl: string;
  /** The data source of a subgraph, by its name. */
  readonly sourceOf: (name: string) => GraphQLDataSource;
  /** Hears of what the package warns. */
  readonly warn: (text: string) => void;
}

/**
 * Keeps its thread busy for tens of milliseconds, and for most of a second when the graph has a thousand types. The environment
 * says `APOLLO_TELEMETRY_DISABLED=1`; without it, usage is reported to the vendor.
 */
export async function loadStockGateway(options: StockGatewayOptions): Promise<ApolloGateway> {
  const { supergraphSdl, sourceOf, warn } = options;
  const stock = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => sourceOf(name),
    // Who composed it has validated it.
    validateSupergraph: false,
    __exposeQueryPlanExperimental: false,
    logger: toStockLogger(warn),
  });
  await stock.load();
  return stock;
}

export function toStockLogger(warn: (text: string) => void) {
  const tell = (message?: unknown): void => warn(String(message));
  return { debug() {}, info() {}, warn: tell, error: tell };
}
