/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type Effort =
  | 'HIGH'
  | 'LOW'
  | 'MEDIUM'
  | 'MINIMAL'
  | 'NONE'
  | 'XHIGH';

export type EventFilter = {
  /** The least level. */
  readonly level?: EventLevel | null | undefined;
  readonly ref?: string | null | undefined;
  /** Only events at or after this instant. */
  readonly since?: string | null | undefined;
  readonly source?: string | null | undefined;
  /** Glob patterns over the type, any of them: `task.*`. */
  readonly types?: ReadonlyArray<string> | null | undefined;
};

export type EventLevel =
  | 'DEBUG'
  | 'ERROR'
  | 'INFO'
  | 'WARNING';

export type InstanceRole =
  | 'MANAGER'
  | 'WORKER';

export type InstanceState =
  | 'LIVE'
  | 'MISMATCHED'
  | 'UNREACHABLE';

export type SessionStatus =
  | 'ACTIVE'
  | 'CLOSED'
  | 'PAUSED';

export type TaskLifecycle =
  | 'CONVERSATION'
  | 'DELEGATED'
  | 'PARTICIPANT'
  | 'REMOTE';

export type TaskState =
  | 'AUTH_REQUIRED'
  | 'CANCELED'
  | 'COMPLETED'
  | 'FAILED'
  | 'INPUT_REQUIRED'
  | 'REJECTED'
  | 'SUBMITTED'
  | 'WORKING';

/** Why a task in INPUT_REQUIRED waits. */
export type TaskSubState =
  /** A question is open. */
  | 'AWAITING_ANSWER'
  /** Parked after a reply, until the next message. */
  | 'AWAITING_MESSAGE';

export type HealthQueryVariables = Exact<{
  instance?: string | null | undefined;
}>;


export type HealthQuery = { readonly health: { readonly status: string, readonly version: string, readonly role: InstanceRole, readonly configPath: string, readonly stateRoot: string, readonly instance: string | null, readonly ingresses: ReadonlyArray<{ readonly name: string, readonly enabled: boolean, readonly running: boolean, readonly detail: string | null }>, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly detail: string }> } };

export type GetInstanceQueryVariables = Exact<{
  instance?: string | null | undefined;
}>;


export type GetInstanceQuery = { readonly instance: { readonly name: string, readonly role: InstanceRole, readonly version: string, readonly sessionCount: number, readonly instance: string | null, readonly scope: { readonly mode: string, readonly workItems: ReadonlyArray<string> }, readonly managed: ReadonlyArray<{ readonly ref: string, readonly sources: ReadonlyArray<string>, readonly instance: string | null }> } };

export type ListInstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type ListInstancesQuery = { readonly instance: { readonly name: string, readonly role: InstanceRole }, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly version: string, readonly mode: string, readonly managedCount: number, readonly sessionCount: number, readonly probedAt: string, readonly detail: string | null }> };

export type RegisterInstanceMutationVariables = Exact<{
  name: string;
  url: string;
}>;


export type RegisterInstanceMutation = { readonly registerInstance: { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null } };

export type UnregisterInstanceMutationVariables = Exact<{
  name: string;
}>;


export type UnregisterInstanceMutation = { readonly unregisterInstance: { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null } };

export type RegistryUpdateFragment = { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null };

export type ListWorkItemsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ListWorkItemsQuery = { readonly tasks: { readonly nodes: ReadonlyArray<{ readonly instance: string, readonly ref: string, readonly id: string, readonly contextId: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lifecycle: TaskLifecycle, readonly name: string, readonly updatedAt: string, readonly record: unknown, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly cachedTokens: number, readonly outputTokens: number } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type GetWorkItemQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type GetWorkItemQuery = { readonly task: { readonly instance: string, readonly ref: string, readonly id: string, readonly contextId: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lifecycle: TaskLifecycle, readonly name: string, readonly updatedAt: string, readonly record: unknown, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly cachedTokens: number, readonly outputTokens: number } } | null };

export type WorkItemFragment = { readonly instance: string, readonly ref: string, readonly id: string, readonly contextId: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lifecycle: TaskLifecycle, readonly name: string, readonly updatedAt: string, readonly record: unknown, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly cachedTokens: number, readonly outputTokens: number } };

export type ListSessionsQueryVariables = Exact<{
  status?: SessionStatus | null | undefined;
}>;


export type ListSessionsQuery = { readonly sessions: ReadonlyArray<{ readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly cwd: string, readonly status: SessionStatus, readonly createdAt: string, readonly lastEventAt: string | null, readonly recentDeliveries: ReadonlyArray<string>, readonly model: string | null, readonly effort: Effort | null, readonly record: unknown }> };

export type GetSessionQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type GetSessionQuery = { readonly session: { readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly cwd: string, readonly status: SessionStatus, readonly createdAt: string, readonly lastEventAt: string | null, readonly recentDeliveries: ReadonlyArray<string>, readonly model: string | null, readonly effort: Effort | null, readonly record: unknown } | null };

export type SessionRowFragment = { readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly cwd: string, readonly status: SessionStatus, readonly createdAt: string, readonly lastEventAt: string | null, readonly recentDeliveries: ReadonlyArray<string>, readonly model: string | null, readonly effort: Effort | null, readonly record: unknown };

export type ReplySessionMutationVariables = Exact<{
  ref: string;
  text: string;
  actor?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type ReplySessionMutation = { readonly replySession: { readonly instance: string, readonly ref: string, readonly delivered: boolean, readonly exitCode: number, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type CloseSessionMutationVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type CloseSessionMutation = { readonly closeSession: { readonly instance: string, readonly ref: string, readonly closed: boolean, readonly exitCode: number, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type ControlSessionMutationVariables = Exact<{
  ref: string;
  verb: string;
  instance?: string | null | undefined;
}>;


export type ControlSessionMutation = { readonly controlSession: { readonly instance: string, readonly ref: string, readonly verb: string, readonly effect: string, readonly exitCode: number, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type QueryEventsQueryVariables = Exact<{
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  filter?: EventFilter | null | undefined;
}>;


export type QueryEventsQuery = { readonly events: { readonly nodes: ReadonlyArray<{ readonly cursor: string, readonly instance: string, readonly type: string, readonly at: string, readonly level: EventLevel, readonly ref: string | null, readonly source: string, readonly pid: number, readonly data: unknown }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type EventTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type EventTypesQuery = { readonly eventTypes: ReadonlyArray<{ readonly name: string, readonly meaning: string }> };

export type StreamEventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: EventFilter | null | undefined;
}>;


export type StreamEventsSubscription = { readonly events: { readonly cursor: string, readonly instance: string, readonly type: string, readonly at: string, readonly level: EventLevel, readonly ref: string | null, readonly source: string, readonly pid: number, readonly data: unknown } };

export type EventRowFragment = { readonly cursor: string, readonly instance: string, readonly type: string, readonly at: string, readonly level: EventLevel, readonly ref: string | null, readonly source: string, readonly pid: number, readonly data: unknown };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const RegistryUpdateFragmentDoc = new TypedDocumentString(`
    fragment RegistryUpdate on ConfigUpdate {
  path
  exists
  changed
  restartRequired
  written
  config
  instance
}
    `, {"fragmentName":"RegistryUpdate"}) as unknown as TypedDocumentString<RegistryUpdateFragment, unknown>;
export const WorkItemFragmentDoc = new TypedDocumentString(`
    fragment WorkItem on Task {
  instance
  ref
  id
  contextId
  state
  subState
  lifecycle
  name
  updatedAt
  settings {
    model
    effort
  }
  usage {
    inputTokens
    cachedTokens
    outputTokens
  }
  record
}
    `, {"fragmentName":"WorkItem"}) as unknown as TypedDocumentString<WorkItemFragment, unknown>;
export const SessionRowFragmentDoc = new TypedDocumentString(`
    fragment SessionRow on Session {
  instance
  ref
  harness
  harnessSessionId
  cwd
  status
  createdAt
  lastEventAt
  recentDeliveries
  model
  effort
  record
}
    `, {"fragmentName":"SessionRow"}) as unknown as TypedDocumentString<SessionRowFragment, unknown>;
export const EventRowFragmentDoc = new TypedDocumentString(`
    fragment EventRow on EventRecord {
  cursor
  instance
  type
  at
  level
  ref
  source
  pid
  data
}
    `, {"fragmentName":"EventRow"}) as unknown as TypedDocumentString<EventRowFragment, unknown>;
export const HealthDocument = new TypedDocumentString(`
    query Health($instance: String) {
  health(instance: $instance) {
    status
    version
    role
    configPath
    stateRoot
    ingresses {
      name
      enabled
      running
      detail
    }
    instances {
      name
      url
      state
      detail
    }
    instance
  }
}
    `) as unknown as TypedDocumentString<HealthQuery, HealthQueryVariables>;
export const GetInstanceDocument = new TypedDocumentString(`
    query GetInstance($instance: String) {
  instance(instance: $instance) {
    name
    role
    version
    scope {
      mode
      workItems
    }
    managed {
      ref
      sources
      instance
    }
    sessionCount
    instance
  }
}
    `) as unknown as TypedDocumentString<GetInstanceQuery, GetInstanceQueryVariables>;
export const ListInstancesDocument = new TypedDocumentString(`
    query ListInstances {
  instance {
    name
    role
  }
  instances {
    name
    url
    state
    version
    mode
    managedCount
    sessionCount
    probedAt
    detail
  }
}
    `) as unknown as TypedDocumentString<ListInstancesQuery, ListInstancesQueryVariables>;
export const RegisterInstanceDocument = new TypedDocumentString(`
    mutation RegisterInstance($name: String!, $url: String!) {
  registerInstance(name: $name, url: $url) {
    ...RegistryUpdate
  }
}
    fragment RegistryUpdate on ConfigUpdate {
  path
  exists
  changed
  restartRequired
  written
  config
  instance
}`) as unknown as TypedDocumentString<RegisterInstanceMutation, RegisterInstanceMutationVariables>;
export const UnregisterInstanceDocument = new TypedDocumentString(`
    mutation UnregisterInstance($name: String!) {
  unregisterInstance(name: $name) {
    ...RegistryUpdate
  }
}
    fragment RegistryUpdate on ConfigUpdate {
  path
  exists
  changed
  restartRequired
  written
  config
  instance
}`) as unknown as TypedDocumentString<UnregisterInstanceMutation, UnregisterInstanceMutationVariables>;
export const ListWorkItemsDocument = new TypedDocumentString(`
    query ListWorkItems($after: String) {
  tasks(first: 1000, after: $after, orderBy: REF_ASC) {
    nodes {
      ...WorkItem
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment WorkItem on Task {
  instance
  ref
  id
  contextId
  state
  subState
  lifecycle
  name
  updatedAt
  settings {
    model
    effort
  }
  usage {
    inputTokens
    cachedTokens
    outputTokens
  }
  record
}`) as unknown as TypedDocumentString<ListWorkItemsQuery, ListWorkItemsQueryVariables>;
export const GetWorkItemDocument = new TypedDocumentString(`
    query GetWorkItem($ref: ID!, $instance: String) {
  task(ref: $ref, instance: $instance) {
    ...WorkItem
  }
}
    fragment WorkItem on Task {
  instance
  ref
  id
  contextId
  state
  subState
  lifecycle
  name
  updatedAt
  settings {
    model
    effort
  }
  usage {
    inputTokens
    cachedTokens
    outputTokens
  }
  record
}`) as unknown as TypedDocumentString<GetWorkItemQuery, GetWorkItemQueryVariables>;
export const ListSessionsDocument = new TypedDocumentString(`
    query ListSessions($status: SessionStatus) {
  sessions(status: $status) {
    ...SessionRow
  }
}
    fragment SessionRow on Session {
  instance
  ref
  harness
  harnessSessionId
  cwd
  status
  createdAt
  lastEventAt
  recentDeliveries
  model
  effort
  record
}`) as unknown as TypedDocumentString<ListSessionsQuery, ListSessionsQueryVariables>;
export const GetSessionDocument = new TypedDocumentString(`
    query GetSession($ref: ID!, $instance: String) {
  session(ref: $ref, instance: $instance) {
    ...SessionRow
  }
}
    fragment SessionRow on Session {
  instance
  ref
  harness
  harnessSessionId
  cwd
  status
  createdAt
  lastEventAt
  recentDeliveries
  model
  effort
  record
}`) as unknown as TypedDocumentString<GetSessionQuery, GetSessionQueryVariables>;
export const ReplySessionDocument = new TypedDocumentString(`
    mutation ReplySession($ref: ID!, $text: String!, $actor: String, $instance: String) {
  replySession(ref: $ref, text: $text, actor: $actor, instance: $instance) {
    instance
    ref
    delivered
    exitCode
    messages {
      stream
      text
    }
  }
}
    `) as unknown as TypedDocumentString<ReplySessionMutation, ReplySessionMutationVariables>;
export const CloseSessionDocument = new TypedDocumentString(`
    mutation CloseSession($ref: ID!, $instance: String) {
  closeSession(ref: $ref, instance: $instance) {
    instance
    ref
    closed
    exitCode
    messages {
      stream
      text
    }
  }
}
    `) as unknown as TypedDocumentString<CloseSessionMutation, CloseSessionMutationVariables>;
export const ControlSessionDocument = new TypedDocumentString(`
    mutation ControlSession($ref: ID!, $verb: String!, $instance: String) {
  controlSession(ref: $ref, verb: $verb, instance: $instance) {
    instance
    ref
    verb
    effect
    exitCode
    messages {
      stream
      text
    }
  }
}
    `) as unknown as TypedDocumentString<ControlSessionMutation, ControlSessionMutationVariables>;
export const QueryEventsDocument = new TypedDocumentString(`
    query QueryEvents($first: Int, $last: Int, $after: String, $filter: EventFilter) {
  events(first: $first, last: $last, after: $after, filter: $filter) {
    nodes {
      ...EventRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment EventRow on EventRecord {
  cursor
  instance
  type
  at
  level
  ref
  source
  pid
  data
}`) as unknown as TypedDocumentString<QueryEventsQuery, QueryEventsQueryVariables>;
export const EventTypesDocument = new TypedDocumentString(`
    query EventTypes {
  eventTypes {
    name
    meaning
  }
}
    `) as unknown as TypedDocumentString<EventTypesQuery, EventTypesQueryVariables>;
export const StreamEventsDocument = new TypedDocumentString(`
    subscription StreamEvents($after: String, $filter: EventFilter) {
  events(after: $after, filter: $filter) {
    ...EventRow
  }
}
    fragment EventRow on EventRecord {
  cursor
  instance
  type
  at
  level
  ref
  source
  pid
  data
}`) as unknown as TypedDocumentString<StreamEventsSubscription, StreamEventsSubscriptionVariables>;