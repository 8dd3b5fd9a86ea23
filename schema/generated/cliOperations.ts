/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export const BudgetName = {
  Cost: 'COST',
  /** The instance's own; the next message to the task tries again, and so does a heartbeat that finds it raised. */
  Instance: 'INSTANCE',
  Tokens: 'TOKENS',
  Turns: 'TURNS'
} as const;

export type BudgetName = typeof BudgetName[keyof typeof BudgetName];
export type CreateTaskInput = {
  readonly acceptanceCriteria?: ReadonlyArray<CriterionInput> | null | undefined;
  /** Default: that of the configuration. */
  readonly budget?: TaskBudgetInput | null | undefined;
  readonly description?: string | null | undefined;
  /** Default: the message. */
  readonly goal?: string | null | undefined;
  /** CONVERSATION waits for the next message after each reply; DELEGATED completes with its first one. The others are not created by hand. */
  readonly lifecycle?: TaskLifecycle | null | undefined;
  /** The first message. Without one, or with an empty one, the task waits for it. */
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

export type CriterionInput = {
  readonly met?: boolean | null | undefined;
  readonly text: string;
};

export const Effort = {
  High: 'HIGH',
  Low: 'LOW',
  Medium: 'MEDIUM',
  Minimal: 'MINIMAL',
  None: 'NONE',
  Xhigh: 'XHIGH'
} as const;

export type Effort = typeof Effort[keyof typeof Effort];
export const HistoryRole = {
  Assistant: 'ASSISTANT',
  Note: 'NOTE',
  User: 'USER'
} as const;

export type HistoryRole = typeof HistoryRole[keyof typeof HistoryRole];
export const InstanceRole = {
  Manager: 'MANAGER',
  Worker: 'WORKER'
} as const;

export type InstanceRole = typeof InstanceRole[keyof typeof InstanceRole];
export const InstanceState = {
  Live: 'LIVE',
  Mismatched: 'MISMATCHED',
  Unreachable: 'UNREACHABLE'
} as const;

export type InstanceState = typeof InstanceState[keyof typeof InstanceState];
export type ParticipantInput = {
  readonly displayName?: string | null | undefined;
  readonly id: string;
  readonly kind?: ParticipantKind | null | undefined;
  readonly role: ParticipantRole;
};

export const ParticipantKind = {
  Agent: 'AGENT',
  Human: 'HUMAN'
} as const;

export type ParticipantKind = typeof ParticipantKind[keyof typeof ParticipantKind];
export const ParticipantRole = {
  Admin: 'ADMIN',
  Assignee: 'ASSIGNEE',
  Reporter: 'REPORTER',
  Watcher: 'WATCHER'
} as const;

export type ParticipantRole = typeof ParticipantRole[keyof typeof ParticipantRole];
export const PlanStepState = {
  Active: 'ACTIVE',
  Done: 'DONE',
  Failed: 'FAILED',
  Pending: 'PENDING'
} as const;

export type PlanStepState = typeof PlanStepState[keyof typeof PlanStepState];
export type TaskBudgetInput = {
  readonly cost?: number | null | undefined;
  readonly tokens?: number | null | undefined;
  readonly turns?: number | null | undefined;
};

export type TaskFilter = {
  /** Created before this instant. */
  readonly createdBefore?: string | null | undefined;
  /** Created at or after this instant. */
  readonly createdSince?: string | null | undefined;
  /** Only tasks of these instances. */
  readonly instances?: ReadonlyArray<string> | null | undefined;
  readonly lifecycles?: ReadonlyArray<TaskLifecycle> | null | undefined;
  /** Id of somebody who is on the task. */
  readonly participant?: string | null | undefined;
  /** Any of these. */
  readonly states?: ReadonlyArray<TaskState> | null | undefined;
  readonly subStates?: ReadonlyArray<TaskSubState> | null | undefined;
  /** A case-insensitive part of name, goal, ref or last reply; 1 to 200 characters. */
  readonly text?: string | null | undefined;
  readonly updatedBefore?: string | null | undefined;
  readonly updatedSince?: string | null | undefined;
};

export const TaskLifecycle = {
  Conversation: 'CONVERSATION',
  Delegated: 'DELEGATED',
  Participant: 'PARTICIPANT',
  Remote: 'REMOTE'
} as const;

export type TaskLifecycle = typeof TaskLifecycle[keyof typeof TaskLifecycle];
export const TaskOrder = {
  CreatedAtAsc: 'CREATED_AT_ASC',
  CreatedAtDesc: 'CREATED_AT_DESC',
  RefAsc: 'REF_ASC',
  UpdatedAtAsc: 'UPDATED_AT_ASC',
  UpdatedAtDesc: 'UPDATED_AT_DESC'
} as const;

export type TaskOrder = typeof TaskOrder[keyof typeof TaskOrder];
export type TaskSettingsInput = {
  readonly effort?: Effort | null | undefined;
  readonly model?: string | null | undefined;
};

export const TaskState = {
  AuthRequired: 'AUTH_REQUIRED',
  Canceled: 'CANCELED',
  Completed: 'COMPLETED',
  Failed: 'FAILED',
  InputRequired: 'INPUT_REQUIRED',
  Rejected: 'REJECTED',
  Submitted: 'SUBMITTED',
  Working: 'WORKING'
} as const;

export type TaskState = typeof TaskState[keyof typeof TaskState];
/** Why a task in INPUT_REQUIRED waits. */
export const TaskSubState = {
  /** A question is open. */
  AwaitingAnswer: 'AWAITING_ANSWER',
  /** Parked after a reply, until the next message. */
  AwaitingMessage: 'AWAITING_MESSAGE'
} as const;

export type TaskSubState = typeof TaskSubState[keyof typeof TaskSubState];
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

export type CliTaskIdQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type CliTaskIdQuery = { readonly task: { readonly id: string } | null };

export type CliTaskQueryVariables = Exact<{
  ref: string;
  atVersion?: number | null | undefined;
  instance?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type CliTaskQuery = { readonly task: { readonly instance: string, readonly ref: string, readonly id: string, readonly name: string, readonly goal: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly statusMessage: string | null, readonly errorCode: string | null, readonly lastReply: string | null, readonly paused: boolean, readonly createdAt: string, readonly updatedAt: string, readonly version: number, readonly turns: number, readonly queuedMessages: number, readonly heldBy: BudgetName | null, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly cost: number | null }, readonly question: { readonly participant: string, readonly text: string, readonly options: ReadonlyArray<string> } | null, readonly acceptanceCriteria: ReadonlyArray<{ readonly text: string, readonly met: boolean }> | null, readonly parent: { readonly ref: string, readonly name: string } | null, readonly children: ReadonlyArray<{ readonly ref: string, readonly name: string, readonly state: TaskState }> | null, readonly origin: { readonly ref: string, readonly version: number } | null, readonly plan: { readonly steps: ReadonlyArray<{ readonly name: string, readonly state: PlanStepState, readonly output: string | null }> } | null, readonly history: { readonly nodes: ReadonlyArray<
        | { readonly __typename: 'HistoryMessage', readonly role: HistoryRole, readonly participant: string | null, readonly text: string, readonly at: string }
        | { readonly __typename: 'HistoryToolCall', readonly tool: string, readonly arguments: unknown, readonly at: string }
        | { readonly __typename: 'HistoryToolResult', readonly tool: string, readonly isError: boolean, readonly at: string, readonly resultText: string }
      >, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly budget: { readonly turns: number | null, readonly tokens: number | null, readonly cost: number | null } | null } | null };

export type CliCreateTaskMutationVariables = Exact<{
  input: CreateTaskInput;
  instance?: string | null | undefined;
}>;


export type CliCreateTaskMutation = { readonly createTask: { readonly instance: string, readonly ref: string, readonly name: string, readonly state: TaskState } };

export type CliSendMessageMutationVariables = Exact<{
  ref: string;
  text: string;
  participant?: string | null | undefined;
  interrupt?: boolean | null | undefined;
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

export type LimitsFragment = { readonly heldBy: BudgetName | null, readonly budget: { readonly turns: number | null, readonly tokens: number | null, readonly cost: number | null } | null };

export type CliAnswerQuestionMutationVariables = Exact<{
  ref: string;
  text: string;
  participant?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliAnswerQuestionMutation = { readonly answerQuestion: { readonly instance: string, readonly state: TaskState } };

export type CliPauseTaskMutationVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type CliPauseTaskMutation = { readonly pauseTask: { readonly instance: string, readonly ref: string } };

export type CliResumeTaskMutationVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type CliResumeTaskMutation = { readonly resumeTask: { readonly instance: string, readonly ref: string, readonly state: TaskState, readonly subState: TaskSubState | null } };

export type CliSetTaskBudgetMutationVariables = Exact<{
  ref: string;
  budget: TaskBudgetInput;
  instance?: string | null | undefined;
}>;


export type CliSetTaskBudgetMutation = { readonly setTaskBudget: { readonly instance: string, readonly ref: string, readonly heldBy: BudgetName | null, readonly budget: { readonly turns: number | null, readonly tokens: number | null, readonly cost: number | null } | null } };

export type CliForkTaskMutationVariables = Exact<{
  ref: string;
  atVersion: number;
  message?: string | null | undefined;
  newRef?: string | null | undefined;
  name?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliForkTaskMutation = { readonly forkTask: { readonly instance: string, readonly ref: string, readonly state: TaskState } };

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

export type CliPurgeTaskMutationVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type CliPurgeTaskMutation = { readonly purgeTask: boolean };

export type CliSchedulesQueryVariables = Exact<{
  instance?: string | null | undefined;
}>;


export type CliSchedulesQuery = { readonly schedules: ReadonlyArray<{ readonly instance: string, readonly id: string, readonly intervalSeconds: number, readonly nextAt: string, readonly lastAt: string | null, readonly result: unknown, readonly error: string | null }> };

export type CliEnsureHeartbeatMutationVariables = Exact<{
  intervalSeconds?: number | null | undefined;
  instance?: string | null | undefined;
}>;


export type CliEnsureHeartbeatMutation = { readonly ensureHeartbeat: boolean };

export type CliDeleteScheduleMutationVariables = Exact<{
  id: string;
  instance?: string | null | undefined;
}>;


export type CliDeleteScheduleMutation = { readonly deleteSchedule: boolean };

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
export const LimitsFragmentDoc = new TypedDocumentString(`
    fragment Limits on Task {
  budget {
    turns
    tokens
    cost
  }
  heldBy
}
    `, {"fragmentName":"Limits"}) as unknown as TypedDocumentString<LimitsFragment, unknown>;
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
export const CliTaskIdDocument = new TypedDocumentString(`
    query CliTaskId($ref: ID!, $instance: String) {
  task(ref: $ref, instance: $instance) {
    id
  }
}
    `) as unknown as TypedDocumentString<CliTaskIdQuery, CliTaskIdQueryVariables>;
export const CliTaskDocument = new TypedDocumentString(`
    query CliTask($ref: ID!, $atVersion: Int, $instance: String, $after: String) {
  task(ref: $ref, atVersion: $atVersion, instance: $instance) {
    instance
    ref
    id
    name
    goal
    state
    subState
    statusMessage
    errorCode
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
      cost
    }
    ...Limits
    question {
      participant
      text
      options
    }
    acceptanceCriteria {
      text
      met
    }
    parent {
      ref
      name
    }
    children(first: 1000) {
      ref
      name
      state
    }
    origin {
      ref
      version
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
    fragment Limits on Task {
  budget {
    turns
    tokens
    cost
  }
  heldBy
}`) as unknown as TypedDocumentString<CliTaskQuery, CliTaskQueryVariables>;
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
    mutation CliSendMessage($ref: ID!, $text: String!, $participant: String, $interrupt: Boolean, $instance: String) {
  sendMessage(
    ref: $ref
    text: $text
    participant: $participant
    interrupt: $interrupt
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
export const CliAnswerQuestionDocument = new TypedDocumentString(`
    mutation CliAnswerQuestion($ref: ID!, $text: String!, $participant: String, $instance: String) {
  answerQuestion(
    ref: $ref
    text: $text
    participant: $participant
    instance: $instance
  ) {
    instance
    state
  }
}
    `) as unknown as TypedDocumentString<CliAnswerQuestionMutation, CliAnswerQuestionMutationVariables>;
export const CliPauseTaskDocument = new TypedDocumentString(`
    mutation CliPauseTask($ref: ID!, $instance: String) {
  pauseTask(ref: $ref, instance: $instance) {
    instance
    ref
  }
}
    `) as unknown as TypedDocumentString<CliPauseTaskMutation, CliPauseTaskMutationVariables>;
export const CliResumeTaskDocument = new TypedDocumentString(`
    mutation CliResumeTask($ref: ID!, $instance: String) {
  resumeTask(ref: $ref, instance: $instance) {
    instance
    ref
    state
    subState
  }
}
    `) as unknown as TypedDocumentString<CliResumeTaskMutation, CliResumeTaskMutationVariables>;
export const CliSetTaskBudgetDocument = new TypedDocumentString(`
    mutation CliSetTaskBudget($ref: ID!, $budget: TaskBudgetInput!, $instance: String) {
  setTaskBudget(ref: $ref, budget: $budget, instance: $instance) {
    instance
    ref
    ...Limits
  }
}
    fragment Limits on Task {
  budget {
    turns
    tokens
    cost
  }
  heldBy
}`) as unknown as TypedDocumentString<CliSetTaskBudgetMutation, CliSetTaskBudgetMutationVariables>;
export const CliForkTaskDocument = new TypedDocumentString(`
    mutation CliForkTask($ref: ID!, $atVersion: Int!, $message: String, $newRef: ID, $name: String, $instance: String) {
  forkTask(
    ref: $ref
    atVersion: $atVersion
    message: $message
    newRef: $newRef
    name: $name
    instance: $instance
  ) {
    instance
    ref
    state
  }
}
    `) as unknown as TypedDocumentString<CliForkTaskMutation, CliForkTaskMutationVariables>;
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
export const CliPurgeTaskDocument = new TypedDocumentString(`
    mutation CliPurgeTask($ref: ID!, $instance: String) {
  purgeTask(ref: $ref, instance: $instance)
}
    `) as unknown as TypedDocumentString<CliPurgeTaskMutation, CliPurgeTaskMutationVariables>;
export const CliSchedulesDocument = new TypedDocumentString(`
    query CliSchedules($instance: String) {
  schedules(instance: $instance) {
    instance
    id
    intervalSeconds
    nextAt
    lastAt
    result
    error
  }
}
    `) as unknown as TypedDocumentString<CliSchedulesQuery, CliSchedulesQueryVariables>;
export const CliEnsureHeartbeatDocument = new TypedDocumentString(`
    mutation CliEnsureHeartbeat($intervalSeconds: Float, $instance: String) {
  ensureHeartbeat(intervalSeconds: $intervalSeconds, instance: $instance)
}
    `) as unknown as TypedDocumentString<CliEnsureHeartbeatMutation, CliEnsureHeartbeatMutationVariables>;
export const CliDeleteScheduleDocument = new TypedDocumentString(`
    mutation CliDeleteSchedule($id: ID!, $instance: String) {
  deleteSchedule(id: $id, instance: $instance)
}
    `) as unknown as TypedDocumentString<CliDeleteScheduleMutation, CliDeleteScheduleMutationVariables>;