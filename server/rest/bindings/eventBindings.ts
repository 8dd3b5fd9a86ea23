/** The event log. */
import { badUserInput } from '../../../schema/errors.ts';
import {
  type EventFilter,
  type EventLevel,
  EventTypesDocument,
  QueryEventsDocument,
  type QueryEventsQueryVariables,
} from '../../../schema/generated/restOperations.ts';
import { bind, type RestHandler } from '../bind.ts';
import { type EventsInput, eventTypes, MAX_EVENTS, queryEvents } from '../mappings/events.ts';

/** Most rows of one page of the graph. */
const MAX_PAGE = 1_000;

export const EVENT_BINDINGS: Readonly<Record<string, RestHandler>> = {
  queryEvents: bind({
    document: QueryEventsDocument,
    toVariables: toEventsPage,
    pages: {
      // Only a reading from the start goes on; one of the newest rows is done after its page.
      next: ({ events: { pageInfo } }, variables): QueryEventsQueryVariables | undefined =>
        pageInfo.hasNextPage && variables.first !== undefined
          ? { ...variables, after: pageInfo.endCursor }
          : undefined,
      join: ({ events: sofar }, { events: last }) => ({
        events: { nodes: [...sofar.nodes, ...last.nodes].slice(-MAX_EVENTS), pageInfo: last.pageInfo },
      }),
    },
    map: queryEvents,
  }),
  eventTypes: bind({ document: EventTypesDocument, toVariables: () => ({}), map: eventTypes }),
};

/** The graph keeps the newest up to a page; what it cannot cut is read from the start and cut by the mapping. */
function toEventsPage({ type, workItem, deliveryId, source, level, since, limit }: EventsInput) {
  const filter: EventFilter = {
    ...(type.length > 0 && { types: type }),
    ...(workItem !== undefined && { ref: workItem }),
    ...(source !== undefined && { source }),
    ...(level !== undefined && { level: level.toUpperCase() as EventLevel }),
    ...(since !== undefined && { since: toInstant(since) }),
  };
  const isOnePage = limit > 0 && limit <= MAX_PAGE && deliveryId === undefined;
  return { filter, ...(isOnePage ? { last: limit } : { first: MAX_PAGE }) } as QueryEventsQueryVariables;
}

function toInstant(text: string): string {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw badUserInput('Cannot read events: "since" is not an instant, ISO 8601 in UTC is expected');
}
