/** What our answers say beside the data, and which HTTP status they have. */
import type { ApolloServerPlugin } from '@apollo/server';
import type { FleetContext } from '../../gateway/index.ts';
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
export const fleetExtensionsPlugin: ApolloServerPlugin<FleetContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ contextValue, response: { body } }) {
        const extensions = fleetExtensions(contextValue);
        if (!extensions || body.kind !== 'single') return;
        body.singleResult.extensions = { ...body.singleResult.extensions, ...extensions };
      },
    };
  },
};

/**
 * A client that accepts `application/json` only cannot tell the status of an intermediary from ours, so a well-formed request is
 * answered to it with 200 whatever the answer says (GraphQL over HTTP § 6.4.1); `application/graphql-response+json` keeps 400.
 */
export const httpStatusPlugin: ApolloServerPlugin<FleetContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ request, response: { http, body } }) {
        const accept = request.http?.headers.get('accept');
        if (http.status !== 400 || preferredMediaType(accept, RESPONSE_TYPES) !== JSON_TYPE) return;
        const errors = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
        if (errors.every(({ extensions }) => WELL_FORMED.has(extensions?.code))) http.status = 200;
      },
    };
  },
};
