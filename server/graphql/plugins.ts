/** What our answers say beside the data, and which HTTP status they have. */
import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { FleetContext } from '../../gateway/index.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Tracer } from '../../lib/Tracer.ts';
import { badUserInput, ERROR_CODES, isErrorCode } from '../../schema/errors.ts';
import { preferredMediaType } from '../http/preferredMediaType.ts';
import { fleetExtensions } from './fleetExtensions.ts';

export const JSON_TYPE = 'application/json';
export const GRAPHQL_TYPE = 'application/graphql-response+json';

/** In the order in which a client without a preference is served. */
export const RESPONSE_TYPES = [JSON_TYPE, GRAPHQL_TYPE] as const;

/** Requests that are well-formed HTTP: what is wrong with them is said by the GraphQL answer. */
const WELL_FORMED: ReadonlySet<unknown> = new Set([
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** Partial answers are never silent (spec/manager.md § 11). */
export function fleetExtensionsPlugin(redact: Redactor): ApolloServerPlugin<FleetContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ contextValue, response: { body } }) {
          const extensions = fleetExtensions(contextValue, redact);
          if (!extensions || body.kind !== 'single') return;
          body.singleResult.extensions = { ...body.singleResult.extensions, ...extensions };
        },
      };
    },
  };
}

/** An answer over HTTP comes once; what comes again and again has transports of its own. */
export const subscriptionPlugin: ApolloServerPlugin<FleetContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation }) {
        if (operation?.operation !== 'subscription') return;
        const error = badUserInput(
          'Cannot subscribe over HTTP: the operation is a subscription, a WebSocket (graphql-transport-ws) at /graphql or server-sent events at /api/v1/stream are expected',
        );
        const http = { status: ERROR_CODES[error.code].httpStatus };
        throw new GraphQLError(error.message, { originalError: error, extensions: { http } });
      },
    };
  },
};

/** Writes the `api.request` event of one answered operation. */
export type AuditWrite = (entry: {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The members that the write was sent to; absent when it was sent to none. */
  readonly instance?: string;
}) => void;

/** A write that was sent to a member leaves its trace on both sides: the member has been asked for a write, too (spec/manager.md § 22, A7). */
export function auditPlugin(audit: AuditWrite): ApolloServerPlugin<FleetContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ operation, contextValue: { contacted, isAudited }, response: { body } }) {
          if (operation?.operation !== 'mutation' || isAudited) return;
          const [error] = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
          const instance = [...contacted].sort().join(',');
          audit({ method: 'POST', path: '/graphql', status: statusOf(error), ...(instance && { instance }) });
        },
      };
    },
  };
}

/** Says in the span of a request which operation it asks for. */
export function tracePlugin(annotate: Tracer['annotate']): ApolloServerPlugin<FleetContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation, operationName }) {
          annotate({
            'graphql.operation.type': operation?.operation,
            'graphql.operation.name': operationName ?? undefined,
          });
        },
      };
    },
  };
}

/** The status that the error would have over REST. */
function statusOf(error: GraphQLFormattedError | undefined): number {
  if (!error) return 200;
  const code = error.extensions?.code;
  return ERROR_CODES[isErrorCode(code) ? code : 'INTERNAL_SERVER_ERROR'].httpStatus;
}

/**
 * A client that accepts `application/json` only cannot tell the status of an intermediary from ours, so a well-formed request is
 * answered to it with 200 whatever the answer says (GraphQL over HTTP § 6.4.1); `application/graphql-response+json` keeps 400.
 */
export const httpStatusPlugin: ApolloServerPlugin<FleetContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ request, operation, response: { http, body } }) {
        // No status of an intermediary could be meant: HTTP itself is what is wrong here.
        if (operation?.operation === 'subscription') return;
        const accept = request.http?.headers.get('accept');
        if (http.status !== 400 || preferredMediaType(accept, RESPONSE_TYPES) !== JSON_TYPE) return;
        const errors = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
        if (errors.every(({ extensions }) => WELL_FORMED.has(extensions?.code))) http.status = 200;
      },
    };
  },
};
