/** `@apollo/gateway` as we use it: one for each supergraph, never updated (design § 3). */
import type { ApolloGateway, GraphQLDataSource } from '@apollo/gateway';
import type { Logger } from '../../lib/Logger.ts';

export interface StockGatewayOptions {
  readonly supergraphSdl: string;
  /** The data source of a subgraph, by its name. */
  readonly sourceOf: (name: string) => GraphQLDataSource;
  readonly logger: Logger;
}

/** Loads the package, which keeps the event loop for longer than a request should wait. Once is enough; again is free. */
export async function importStockGateway(): Promise<typeof ApolloGateway> {
  // Read by the constructor: without it, usage is reported to the vendor.
  process.env.APOLLO_TELEMETRY_DISABLED = '1';
  return (await import('@apollo/gateway')).ApolloGateway;
}

export async function loadStockGateway(options: StockGatewayOptions): Promise<ApolloGateway> {
  const { supergraphSdl, sourceOf, logger } = options;
  const StockGateway = await importStockGateway();
  const stock = new StockGateway({
    supergraphSdl,
    buildService: ({ name }) => sourceOf(name),
    queryPlannerConfig: { exposeDocumentNodeInFetchNode: true },
    // Who composed it has validated it.
    validateSupergraph: false,
    __exposeQueryPlanExperimental: false,
    logger: toStockLogger(logger),
  });
  await stock.load();
  return stock;
}

export function toStockLogger(logger: Logger) {
  return {
    debug: (message?: unknown) => logger.debug({}, String(message)),
    info: (message?: unknown) => logger.debug({}, String(message)),
    warn: (message?: unknown) => logger.warn({}, String(message)),
    error: (message?: unknown) => logger.error({}, String(message)),
  };
}
