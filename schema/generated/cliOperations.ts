/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type CreateTaskInput = {
  /** Default: the message. */
  readonly goal?: string | null | undefined;
  /** The first message. Without one the task waits for it. */
  readonly message?: string | null | undefined;
  /** Of the first message, and of the creation also without one: an id that was sent before is answered with its task. */
  readonly messageId?: string | null | undefined;
  /** Default: the first line of the message, cut at 60 characters. */
  readonly name?: string | null | undefined;
  /** Who sends the message; default `operator`. Becomes the task's reporter. */
  readonly participant?: string | null | undefined;
  readonly participants?: ReadonlyArray<ParticipantInput> | null | undefined;
  /** Default: `flotilla:<instance>/task#<n>`, numbered by the instance. */
  readonly ref?: string | null | undefined;
  readonly settings?: TaskSettingsInput | null | undefined;
};

export type Effort =
  | 'HIGH'
  | 'LOW'
  | 'MEDIUM'
  | 'MINIMAL'
  | 'NONE'
  | 'XHIGH';

export type HistoryRole =
  | 'ASSISTANT'
  | 'NOTE'
  | 'USER';

export type InstanceRole =
  | 'MANAGER'
  | 'WORKER';

export type InstanceState =
  | 'LIVE'
  | 'MISMATCHED'
  | 'UNREACHABLE';

export type ParticipantInput = {
  readonly displayName?: string | null | undefined;
  readonly id: string;
  readonly kind?: ParticipantKind | null | undefined;
  readonly role: ParticipantRole;
};

export type ParticipantKind =
  | 'AGENT'
  | 'HUMAN';

export type ParticipantRole =
  | 'ADMIN'
  | 'ASSIGNEE'
  | 'REPORTER'
  | 'WATCHER';

export type PlanStepState =
  | 'ACTIVE'
  | 'DONE'
  | 'FAILED'
  | 'PENDING';

export type TaskFilter = {
  /** Only tasks of these instances. */
  readonly instances?: ReadonlyArray<string> | null | undefined;
  /** Any of these. */
  readonly states?: ReadonlyArray<TaskState> | null | undefined;
  readonly subStates?: ReadonlyArray<TaskSubState> | null | undefined;
  /** A case-insensitive part of name, goal, ref or last reply; 1 to 200 characters. */
  readonly text?: string | null | undefined;
};

export type TaskOrder =
  | 'CREATED_AT_ASC'
  | 'CREATED_AT_DESC'
  | 'REF_ASC'
  | 'UPDATED_AT_ASC'
  | 'UPDATED_AT_DESC';

export type TaskSettingsInput = {
  readonly effort?: Effort | null | undefined;
  readonly model?: string | null | undefined;
};

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

export type CliInstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type CliInstancesQuery = { readonly instance: { readonly name: string, readonly role: InstanceRole }, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly version: string, readonly mode: string, readonly managedCount: number, readonly sessionCount: number, readonly probedAt: string, readonly detail: string | null }> };

export type CliRegisterInstanceMutationVariables = Exact<{
  name: string;
  url: string;
}>;


export type CliRegisterInstanceMutation = { readonly registerInstance: { readonly path: string } };

export type CliUnregisterInstanceMutationVariables = Exact<{
  name: string;
}>;


export type CliUnregisterInstanceMutation = { readonly unregisterInstance: { readonly path: string } };

export type CliStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type CliStatusQuery = { readonly health: { readonly status: string, readonly version: string }, readonly instance: { readonly name: string, readonly role: InstanceRole, readonly scope: { readonly mode: string, readonly workItems: ReadonlyArray<string> } }, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly version: string, readonly mode: string, readonly managedCount: number, readonly sessionCount: number, readonly probedAt: string, readonly detail: string | null }> };

export type FleetFragment = { readonly instance: { readonly name: string, readonly role: InstanceRole }, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly version: string, readonly mode: string, readonly managedCount: number, readonly sessionCount: number, readonly probedAt: string, readonly detail: string | null }> };

export type CliTasksQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: TaskFilter | null | undefined;
  orderBy: TaskOrder;
}>;


export type CliTasksQuery = { readonly tasks: { readonly nodes: ReadonlyArray<{ readonly instance: string, readonly ref: string, readonly name: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lastReply: string | null, readonly updatedAt: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CliTaskQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type CliTaskQuery = { readonly task: { readonly instance: string, readonly ref: string, readonly id: string, readonly name: string, readonly goal: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly statusMessage: string | null, readonly lastReply: string | null, readonly paused: boolean, readonly createdAt: string, readonly updatedAt: string, readonly version: number, readonly turns: number, readonly queuedMessages: number, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number }, readonly plan: { readonly steps: ReadonlyArray<{ readonly name: string, readonly state: PlanStepState, readonly output: string | null }> } | null, readonly history: { readonly nodes: ReadonlyArray<
        | { readonly __typename: 'HistoryMessage', readonly role: HistoryRole, readonly participant: string | null, readonly text: string, readonly at: string }
        | { readonly __typename: 'HistoryToolCall', readonly tool: string, readonly arguments: unknown, readonly at: string }
        | { readonly __typename: 'HistoryToolResult', readonly tool: string, readonly isError: boolean, readonly at: string, readonly resultText: string }
      >, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } } | null };

export type CliCreateTaskMutationVariables = Exact<{
  input: CreateTaskInput;
  instance?: string | null | undefined;
}>;


export type CliCreateTaskMutation = { readonly createTask: { readonly instance: string, readonly ref: string, readonly name: string, readonly state: TaskState } };

export type CliSendMessageMutationVariables = Exact<{
  ref: string;
  text: string;
  participant?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliSendMessageMutation = { readonly sendMessage: { readonly instance: string, readonly ref: string, readonly messageId: string, readonly duplicate: boolean, readonly state: TaskState, readonly cursor: string } };

export type CliRunCommandMutationVariables = Exact<{
  ref: string;
  text: string;
  participant?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliRunCommandMutation = { readonly runCommand: { readonly instance: string, readonly ref: string, readonly name: string, readonly ok: boolean, readonly text: string, readonly error: string | null } };

export type CliCompleteTaskMutationVariables = Exact<{
  ref: string;
  text?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliCompleteTaskMutation = { readonly completeTask: { readonly instance: string, readonly ref: string, readonly name: string, readonly state: TaskState } };

export type CliCancelTaskMutationVariables = Exact<{
  ref: string;
  reason?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliCancelTaskMutation = { readonly cancelTask: { readonly instance: string, readonly ref: string, readonly name: string, readonly state: TaskState } };

export type CliTaskEventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  ref?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliTaskEventsSubscription = { readonly taskEvents: { readonly cursor: string, readonly instance: string, readonly offset: number, readonly type: string, readonly at: string, readonly ref: string | null, readonly data: unknown } };

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
export const FleetFragmentDoc = new TypedDocumentString(`
    fragment Fleet on Query {
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
    `, {"fragmentName":"Fleet"}) as unknown as TypedDocumentString<FleetFragment, unknown>;
export const CliInstancesDocument = new TypedDocumentString(`
    query CliInstances {
  ...Fleet
}
    fragment Fleet on Query {
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
}`) as unknown as TypedDocumentString<CliInstancesQuery, CliInstancesQueryVariables>;
export const CliRegisterInstanceDocument = new TypedDocumentString(`
    mutation CliRegisterInstance($name: String!, $url: String!) {
  registerInstance(name: $name, url: $url) {
    path
  }
}
    `) as unknown as TypedDocumentString<CliRegisterInstanceMutation, CliRegisterInstanceMutationVariables>;
export const CliUnregisterInstanceDocument = new TypedDocumentString(`
    mutation CliUnregisterInstance($name: String!) {
  unregisterInstance(name: $name) {
    path
  }
}
    `) as unknown as TypedDocumentString<CliUnregisterInstanceMutation, CliUnregisterInstanceMutationVariables>;
export const CliStatusDocument = new TypedDocumentString(`
    query CliStatus {
  health {
    status
    version
  }
  instance {
    scope {
      mode
      workItems
    }
  }
  ...Fleet
}
    fragment Fleet on Query {
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
}`) as unknown as TypedDocumentString<CliStatusQuery, CliStatusQueryVariables>;
export const CliTasksDocument = new TypedDocumentString(`
    query CliTasks($first: Int!, $after: String, $filter: TaskFilter, $orderBy: TaskOrder!) {
  tasks(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes {
      instance
      ref
      name
      state
      subState
      lastReply
      updatedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<CliTasksQuery, CliTasksQueryVariables>;
export const CliTaskDocument = new TypedDocumentString(`
    query CliTask($ref: ID!, $instance: String, $after: String) {
  task(ref: $ref, instance: $instance) {
    instance
    ref
    id
    name
    goal
    state
    subState
    statusMessage
    lastReply
    paused
    createdAt
    updatedAt
    version
    turns
    queuedMessages
    settings {
      model
      effort
    }
    usage {
      inputTokens
      outputTokens
    }
    plan {
      steps {
        name
        state
        output
      }
    }
    history(first: 1000, after: $after) {
      nodes {
        __typename
        ... on HistoryMessage {
          role
          participant
          text
          at
        }
        ... on HistoryToolCall {
          tool
          arguments
          at
        }
        ... on HistoryToolResult {
          tool
          resultText: text
          isError
          at
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CliTaskQuery, CliTaskQueryVariables>;
export const CliCreateTaskDocument = new TypedDocumentString(`
    mutation CliCreateTask($input: CreateTaskInput!, $instance: String) {
  createTask(input: $input, instance: $instance) {
    instance
    ref
    name
    state
  }
}
    `) as unknown as TypedDocumentString<CliCreateTaskMutation, CliCreateTaskMutationVariables>;
export const CliSendMessageDocument = new TypedDocumentString(`
    mutation CliSendMessage($ref: ID!, $text: String!, $participant: String, $instance: String) {
  sendMessage(
    ref: $ref
    text: $text
    participant: $participant
    instance: $instance
  ) {
    instance
    ref
    messageId
    duplicate
    state
    cursor
  }
}
    `) as unknown as TypedDocumentString<CliSendMessageMutation, CliSendMessageMutationVariables>;
export const CliRunCommandDocument = new TypedDocumentString(`
    mutation CliRunCommand($ref: ID!, $text: String!, $participant: String, $instance: String) {
  runCommand(
    ref: $ref
    text: $text
    participant: $participant
    instance: $instance
  ) {
    instance
    ref
    name
    ok
    text
    error
  }
}
    `) as unknown as TypedDocumentString<CliRunCommandMutation, CliRunCommandMutationVariables>;
export const CliCompleteTaskDocument = new TypedDocumentString(`
    mutation CliCompleteTask($ref: ID!, $text: String, $instance: String) {
  completeTask(ref: $ref, text: $text, instance: $instance) {
    instance
    ref
    name
    state
  }
}
    `) as unknown as TypedDocumentString<CliCompleteTaskMutation, CliCompleteTaskMutationVariables>;
export const CliCancelTaskDocument = new TypedDocumentString(`
    mutation CliCancelTask($ref: ID!, $reason: String, $instance: String) {
  cancelTask(ref: $ref, reason: $reason, instance: $instance) {
    instance
    ref
    name
    state
  }
}
    `) as unknown as TypedDocumentString<CliCancelTaskMutation, CliCancelTaskMutationVariables>;
export const CliTaskEventsDocument = new TypedDocumentString(`
    subscription CliTaskEvents($after: String, $ref: ID, $instance: String) {
  taskEvents(after: $after, ref: $ref, instance: $instance) {
    cursor
    instance
    offset
    type
    at
    ref
    data
  }
}
    `) as unknown as TypedDocumentString<CliTaskEventsSubscription, CliTaskEventsSubscriptionVariables>;