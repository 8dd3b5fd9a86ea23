/** Every operation of the contract that answers with JSON: its GraphQL operation and its mapping, by operationId. */
import { badUserInput } from '../../schema/errors.ts';
import {
  CloseSessionDocument,
  ControlSessionDocument,
  type EventFilter,
  type EventLevel,
  EventTypesDocument,
  GetInstanceDocument,
  GetSessionDocument,
  GetWorkItemDocument,
  HealthDocument,
  ListInstancesDocument,
  ListSessionsDocument,
  ListWorkItemsDocument,
  QueryEventsDocument,
  type QueryEventsQueryVariables,
  RegisterInstanceDocument,
  ReplySessionDocument,
  type SessionStatus,
  UnregisterInstanceDocument,
} from '../../schema/generated/restOperations.ts';
import { bind, type RestHandler } from './bind.ts';
import { type EventsInput, eventTypes, MAX_EVENTS, queryEvents } from './mappings/events.ts';
import {
  getInstance,
  health,
  listInstances,
  registerInstance,
  unregisterInstance,
} from './mappings/instances.ts';
import { closeSession, controlSession, getSession, listSessions, replySession } from './mappings/sessions.ts';
import { getWorkItem, listWorkItems } from './mappings/workItems.ts';
import { parseRef } from './rows.ts';

/** Most rows of one page of the graph. */
const MAX_PAGE = 1_000;

interface ByInstance {
  /** Empty is the instance that is asked. */
  readonly instance: string;
}

interface ByRef extends ByInstance {
  readonly ref: string;
}

export const BINDINGS: Readonly<Record<string, RestHandler>> = {
  health: bind({ document: HealthDocument, toVariables: toInstance, map: health }),
  getInstance: bind({ document: GetInstanceDocument, toVariables: toInstance, map: getInstance }),
  listInstances: bind({ document: ListInstancesDocument, toVariables: () => ({}), map: listInstances }),
  registerInstance: bind({
    document: RegisterInstanceDocument,
    toVariables: ({ name, url }: { readonly name: string; readonly url: string }) => ({ name, url }),
    map: registerInstance,
  }),
  unregisterInstance: bind({
    document: UnregisterInstanceDocument,
    toVariables: ({ name }: { readonly name: string }) => ({ name }),
    map: unregisterInstance,
  }),
  listWorkItems: bind({
    document: ListWorkItemsDocument,
    toVariables: () => ({}),
    pages: {
      next: ({ tasks: { pageInfo } }) => (pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined),
      join: ({ tasks: sofar }, { tasks: last }) => ({
        tasks: { nodes: [...sofar.nodes, ...last.nodes], pageInfo: last.pageInfo },
      }),
    },
    map: listWorkItems,
  }),
  getWorkItem: bind({ document: GetWorkItemDocument, toVariables: toKey, map: getWorkItem }),
  listSessions: bind({
    document: ListSessionsDocument,
    toVariables: ({ status }: { readonly status?: string }) => ({
      status: status?.toUpperCase() as SessionStatus | undefined,
    }),
    map: listSessions,
  }),
  getSession: bind({ document: GetSessionDocument, toVariables: toKey, map: getSession }),
  replySession: bind({
    document: ReplySessionDocument,
    toVariables: ({ text, actor, ...key }: ByRef & { readonly text: string; readonly actor: string }) => {
      if (text.trim() === '') throw badUserInput('Cannot reply: "text" is empty, a message is expected');
      return { ...toKey(key), text, actor: actor || null };
    },
    map: replySession,
  }),
  controlSession: bind({
    document: ControlSessionDocument,
    toVariables: ({ verb, ...key }: ByRef & { readonly verb: string }) => ({ ...toKey(key), verb }),
    map: controlSession,
  }),
  closeSession: bind({ document: CloseSessionDocument, toVariables: toKey, map: closeSession }),
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

function toInstance({ instance }: ByInstance): { instance: string | null } {
  return { instance: instance || null };
}

function toKey({ ref, instance }: ByRef): { ref: string; instance: string | null } {
  return { ref: parseRef(ref), instance: instance || null };
}

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
