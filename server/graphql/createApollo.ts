/** Apollo Server as we use it: without what phones home, guesses or tells too much. */
import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import type { GraphQLSchema } from 'graphql';
import type { FleetContext } from '../../gateway/index.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Tracer } from '../../lib/Tracer.ts';
import type { ErrorFormatter } from '../errors/toGraphQLError.ts';
import {
  type AuditWrite,
  auditPlugin,
  fleetExtensionsPlugin,
  httpStatusPlugin,
  subscriptionPlugin,
  tracePlugin,
} from './plugins.ts';

export interface ApolloOptions {
  /** What answers: a schema with resolvers, or a gateway. */
  readonly source: { readonly schema: GraphQLSchema } | { readonly gateway: GatewayInterface };
  readonly maxTokens: number;
  readonly formatError: ErrorFormatter;
  /** For what members said of why they are left out. */
  readonly redact: Redactor;
  readonly logger: Logger;
  /** Of writes that were sent to members. */
  readonly audit: AuditWrite;
  /** Adds to the span of the request. */
  readonly annotate: Tracer['annotate'];
}

/** Started. The schema may be asked for by everybody: it is the documentation. */
export async function createApollo(options: ApolloOptions): Promise<ApolloServer<FleetContext>> {
  const { source, maxTokens, formatError, redact, logger, audit, annotate } = options;
  const apollo = new ApolloServer<FleetContext>({
    ...source,
    formatError: (_formatted, error) => formatError(error),
    // The default appends a line break, for which a long text is copied once more.
    stringifyResult: (result) => JSON.stringify(result),
    logger: toApolloLogger(logger),
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens },
    plugins: [
      fleetExtensionsPlugin(redact),
      httpStatusPlugin,
      subscriptionPlugin,
      auditPlugin(audit),
      tracePlugin(annotate),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  await apollo.start();
  return apollo;
}

function toApolloLogger(logger: Logger) {
  const to = (level: keyof Logger) => (message: unknown) =>
    logger[level]({ part: 'graphql' }, message instanceof Error ? message.message : String(message));
  return { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
}
