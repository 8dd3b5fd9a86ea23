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


export type HealthQuery = { readonly health: { readonly status: string, readonly version: string, readonly role: InstanceRole, readonly configPath: string, readonly stateRoot: string, readonly instance: string | null, readonly record: unknown, readonly ingresses: ReadonlyArray<{ readonly name: string, readonly enabled: boolean, readonly running: boolean, readonly detail: string | null }>, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly detail: string }> } };

export type GetInstanceQueryVariables = Exact<{
  instance?: string | null | undefined;
}>;


export type GetInstanceQuery = { readonly instance: { readonly name: string, readonly role: InstanceRole, readonly version: string, readonly sessionCount: number, readonly instance: string | null, readonly record: unknown, readonly scope: { readonly mode: string, readonly workItems: ReadonlyArray<string> }, readonly managed: ReadonlyArray<{ readonly ref: string, readonly sources: ReadonlyArray<string>, readonly instance: string | null }> } };

export type ListInstancesQueryVariables = Exact<{ [key: string]: never; }>;


export type ListInstancesQuery = { readonly instance: { readonly name: string, readonly role: InstanceRole }, readonly instances: ReadonlyArray<{ readonly name: string, readonly url: string, readonly state: InstanceState, readonly version: string, readonly mode: string, readonly managedCount: number, readonly sessionCount: number, readonly probedAt: string, readonly detail: string | null }> };

export type RegisterInstanceMutationVariables = Exact<{
  name: string;
  url: string;
}>;


export type RegisterInstanceMutation = { readonly registerInstance: { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null, readonly record: unknown } };

export type UnregisterInstanceMutationVariables = Exact<{
  name: string;
}>;


export type UnregisterInstanceMutation = { readonly unregisterInstance: { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null, readonly record: unknown } };

export type RegistryUpdateFragment = { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null, readonly record: unknown };

export type ListWorkItemsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ListWorkItemsQuery = { readonly tasks: { readonly nodes: ReadonlyArray<{ readonly instance: string, readonly ref: string, readonly id: string, readonly contextId: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lifecycle: TaskLifecycle, readonly name: string, readonly createdAt: string, readonly updatedAt: string, readonly pullRequests: ReadonlyArray<string> | null, readonly record: unknown, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly cachedTokens: number, readonly outputTokens: number }, readonly parent: { readonly ref: string } | null, readonly control: { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type GetWorkItemQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type GetWorkItemQuery = { readonly task: { readonly instance: string, readonly ref: string, readonly id: string, readonly contextId: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lifecycle: TaskLifecycle, readonly name: string, readonly createdAt: string, readonly updatedAt: string, readonly pullRequests: ReadonlyArray<string> | null, readonly record: unknown, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly cachedTokens: number, readonly outputTokens: number }, readonly parent: { readonly ref: string } | null, readonly control: { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string } | null } | null };

export type WorkItemFragment = { readonly instance: string, readonly ref: string, readonly id: string, readonly contextId: string, readonly state: TaskState, readonly subState: TaskSubState | null, readonly lifecycle: TaskLifecycle, readonly name: string, readonly createdAt: string, readonly updatedAt: string, readonly pullRequests: ReadonlyArray<string> | null, readonly record: unknown, readonly settings: { readonly model: string | null, readonly effort: Effort | null }, readonly usage: { readonly inputTokens: number, readonly cachedTokens: number, readonly outputTokens: number }, readonly parent: { readonly ref: string } | null, readonly control: { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string } | null };

export type ListSessionsQueryVariables = Exact<{
  status?: SessionStatus | null | undefined;
}>;


export type ListSessionsQuery = { readonly sessions: ReadonlyArray<{ readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly cwd: string, readonly status: SessionStatus, readonly createdAt: string, readonly lastEventAt: string | null, readonly recentDeliveries: ReadonlyArray<string>, readonly model: string | null, readonly effort: Effort | null, readonly pullRequests: ReadonlyArray<string> | null, readonly record: unknown, readonly control: { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string } | null }> };

export type GetSessionQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type GetSessionQuery = { readonly session: { readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly cwd: string, readonly status: SessionStatus, readonly createdAt: string, readonly lastEventAt: string | null, readonly recentDeliveries: ReadonlyArray<string>, readonly model: string | null, readonly effort: Effort | null, readonly pullRequests: ReadonlyArray<string> | null, readonly record: unknown, readonly control: { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string } | null } | null };

export type SessionRowFragment = { readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly cwd: string, readonly status: SessionStatus, readonly createdAt: string, readonly lastEventAt: string | null, readonly recentDeliveries: ReadonlyArray<string>, readonly model: string | null, readonly effort: Effort | null, readonly pullRequests: ReadonlyArray<string> | null, readonly record: unknown, readonly control: { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string } | null };

export type ControlFragment = { readonly command: string, readonly source: string, readonly actor: string, readonly requestedAt: string };

export type SessionTranscriptQueryVariables = Exact<{
  ref: string;
  tail?: number | null | undefined;
  instance?: string | null | undefined;
}>;


export type SessionTranscriptQuery = { readonly transcript: { readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly path: string, readonly totalLines: number, readonly truncated: boolean, readonly entries: ReadonlyArray<unknown>, readonly record: unknown } | null };

export type RegisterSessionMutationVariables = Exact<{
  ref: string;
  harness: string;
  harnessSessionId: string;
  cwd?: string | null | undefined;
  force?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type RegisterSessionMutation = { readonly registerSession: { readonly instance: string, readonly ref: string, readonly harness: string, readonly harnessSessionId: string, readonly exitCode: number, readonly record: unknown, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type LinkSessionPullRequestMutationVariables = Exact<{
  ref: string;
  pullRequest?: string | null | undefined;
  discover?: boolean | null | undefined;
  branch?: string | null | undefined;
  repository?: string | null | undefined;
  headOwner?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type LinkSessionPullRequestMutation = { readonly linkPullRequest: { readonly instance: string, readonly ref: string, readonly pullRequest: string | null, readonly linked: boolean, readonly exitCode: number, readonly record: unknown, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type ReplySessionMutationVariables = Exact<{
  ref: string;
  text: string;
  actor?: string | null | undefined;
  comment?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type ReplySessionMutation = { readonly replySession: { readonly instance: string, readonly ref: string, readonly delivered: boolean, readonly exitCode: number, readonly record: unknown, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type CloseSessionMutationVariables = Exact<{
  ref: string;
  keepTmux?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type CloseSessionMutation = { readonly closeSession: { readonly instance: string, readonly ref: string, readonly closed: boolean, readonly exitCode: number, readonly record: unknown, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type ControlSessionMutationVariables = Exact<{
  ref: string;
  verb: string;
  comment?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type ControlSessionMutation = { readonly controlSession: { readonly instance: string, readonly ref: string, readonly verb: string, readonly effect: string, readonly exitCode: number, readonly record: unknown, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type ListStandingSessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListStandingSessionsQuery = { readonly standingSessions: ReadonlyArray<{ readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown }> };

export type GetStandingSessionQueryVariables = Exact<{
  name: string;
  instance?: string | null | undefined;
}>;


export type GetStandingSessionQuery = { readonly standingSession: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } | null };

export type StandingRowFragment = { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown };

export type CreateStandingSessionMutationVariables = Exact<{
  name: string;
  harness?: string | null | undefined;
  cwd?: string | null | undefined;
  prompt?: string | null | undefined;
  description?: string | null | undefined;
  harnessArgs?: ReadonlyArray<string> | string | null | undefined;
  slackEnabled?: boolean | null | undefined;
  slackChannel?: string | null | undefined;
  autoStart?: boolean | null | undefined;
  start?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type CreateStandingSessionMutation = { readonly createStanding: { readonly instance: string, readonly ok: boolean, readonly record: unknown, readonly sessions: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }>, readonly stopped: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }> | null } };

export type DeleteStandingSessionMutationVariables = Exact<{
  name: string;
  instance?: string | null | undefined;
}>;


export type DeleteStandingSessionMutation = { readonly deleteStanding: { readonly instance: string, readonly ok: boolean, readonly record: unknown, readonly sessions: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }>, readonly stopped: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }> | null } };

export type ControlStandingSessionMutationVariables = Exact<{
  name?: string | null | undefined;
  verb: string;
  instance?: string | null | undefined;
}>;


export type ControlStandingSessionMutation = { readonly controlStanding: { readonly instance: string, readonly ok: boolean, readonly record: unknown, readonly sessions: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }>, readonly stopped: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }> | null } };

export type StandingOutcomeFragment = { readonly instance: string, readonly ok: boolean, readonly record: unknown, readonly sessions: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }>, readonly stopped: ReadonlyArray<{ readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } }> | null };

export type StandingChangeFragment = { readonly outcome: string, readonly detail: string, readonly session: { readonly instance: string, readonly name: string, readonly declared: boolean, readonly description: string, readonly autoStart: boolean, readonly harness: string, readonly cwd: string, readonly ref: string, readonly status: string, readonly running: boolean, readonly harnessSessionId: string, readonly startedAt: string | null, readonly lastMessageAt: string | null, readonly record: unknown } };

export type SayToStandingSessionMutationVariables = Exact<{
  name: string;
  text: string;
  actor?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type SayToStandingSessionMutation = { readonly sayStanding: { readonly instance: string, readonly name: string, readonly delivered: boolean, readonly exitCode: number, readonly record: unknown, readonly messages: ReadonlyArray<{ readonly stream: string, readonly text: string }> } };

export type ListAttentionQueryVariables = Exact<{ [key: string]: never; }>;


export type ListAttentionQuery = { readonly attention: ReadonlyArray<{ readonly instance: string, readonly ref: string, readonly kind: string, readonly detail: string, readonly at: string | null, readonly record: unknown }> };

export type ListDaemonsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListDaemonsQuery = { readonly daemons: ReadonlyArray<{ readonly instance: string, readonly name: string, readonly running: boolean, readonly pid: number, readonly startedAt: string | null, readonly lastCycleAt: string | null, readonly record: unknown }> };

export type ControlDaemonMutationVariables = Exact<{
  daemon: string;
  verb: string;
  instance?: string | null | undefined;
}>;


export type ControlDaemonMutation = { readonly controlDaemon: { readonly instance: string, readonly name: string, readonly verb: string, readonly running: boolean, readonly pid: number, readonly exitCode: number, readonly output: string, readonly record: unknown } };

export type RestartMutationVariables = Exact<{
  withUpgrade?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type RestartMutation = { readonly restart: { readonly instance: string | null, readonly scheduled: boolean, readonly pid: number, readonly withUpgrade: boolean, readonly logfile: string, readonly record: unknown } };

export type GetConfigQueryVariables = Exact<{
  instance?: string | null | undefined;
}>;


export type GetConfigQuery = { readonly config: { readonly instance: string | null, readonly path: string, readonly exists: boolean, readonly version: string, readonly config: unknown, readonly record: unknown } };

export type UpdateConfigMutationVariables = Exact<{
  patch: unknown;
  instance?: string | null | undefined;
}>;


export type UpdateConfigMutation = { readonly updateConfig: { readonly path: string, readonly exists: boolean, readonly changed: ReadonlyArray<string>, readonly restartRequired: ReadonlyArray<string>, readonly written: boolean, readonly config: unknown, readonly instance: string | null, readonly record: unknown } };

export type GetConfigSchemaQueryVariables = Exact<{
  instance?: string | null | undefined;
}>;


export type GetConfigSchemaQuery = { readonly configSchema: unknown, readonly config: { readonly instance: string | null } };

export type PostWorkItemCommentMutationVariables = Exact<{
  ref: string;
  body: string;
  instance?: string | null | undefined;
}>;


export type PostWorkItemCommentMutation = { readonly postComment: { readonly instance: string | null, readonly answer: unknown } };

export type GetTicketQueryVariables = Exact<{
  ref: string;
  instance?: string | null | undefined;
}>;


export type GetTicketQuery = { readonly ticket: { readonly instance: string | null, readonly answer: unknown } };

export type CreateTicketMutationVariables = Exact<{
  repository: string;
  title: string;
  body?: string | null | undefined;
  labels?: ReadonlyArray<string> | string | null | undefined;
  project?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CreateTicketMutation = { readonly createTicket: { readonly instance: string | null, readonly answer: unknown } };

export type CloseTicketMutationVariables = Exact<{
  ref: string;
  reason?: string | null | undefined;
  workItem?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type CloseTicketMutation = { readonly closeTicket: { readonly instance: string | null, readonly answer: unknown } };

export type CreatePullRequestMutationVariables = Exact<{
  ref: string;
  title: string;
  body?: string | null | undefined;
  head: string;
  base?: string | null | undefined;
  repository?: string | null | undefined;
  draft?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type CreatePullRequestMutation = { readonly createPullRequest: { readonly instance: string | null, readonly answer: unknown } };

export type GetPullRequestStatusQueryVariables = Exact<{
  ref: string;
  workItem?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GetPullRequestStatusQuery = { readonly pullRequestStatus: { readonly instance: string | null, readonly answer: unknown } };

export type ListPullRequestThreadsQueryVariables = Exact<{
  ref: string;
  workItem?: string | null | undefined;
  all?: boolean | null | undefined;
  instance?: string | null | undefined;
}>;


export type ListPullRequestThreadsQuery = { readonly pullRequestThreads: { readonly instance: string | null, readonly answer: unknown } };

export type ListPullRequestChecksQueryVariables = Exact<{
  ref: string;
  workItem?: string | null | undefined;
  failing?: boolean | null | undefined;
  logLines?: number | null | undefined;
  instance?: string | null | undefined;
}>;


export type ListPullRequestChecksQuery = { readonly pullRequestChecks: { readonly instance: string | null, readonly answer: unknown } };

export type ResolveReviewThreadMutationVariables = Exact<{
  ref: string;
  thread: string;
  workItem?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type ResolveReviewThreadMutation = { readonly resolveReviewThread: { readonly instance: string | null, readonly answer: unknown } };

export type MergePullRequestMutationVariables = Exact<{
  ref: string;
  workItem?: string | null | undefined;
  method?: string | null | undefined;
  sha?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type MergePullRequestMutation = { readonly mergePullRequest: { readonly instance: string | null, readonly answer: unknown } };

export type MarkPullRequestReadyMutationVariables = Exact<{
  ref: string;
  workItem?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type MarkPullRequestReadyMutation = { readonly markPullRequestReady: { readonly instance: string | null, readonly answer: unknown } };

export type TrackerAnswerFragment = { readonly instance: string | null, readonly answer: unknown };

export type GraphShowQueryVariables = Exact<{
  repo: string;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphShowQuery = { readonly processGraph: { readonly instance: string | null, readonly answer: unknown } };

export type GraphCheckMutationVariables = Exact<{
  repo: string;
  workItem: string;
  recompute?: boolean | null | undefined;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphCheckMutation = { readonly checkGraph: { readonly instance: string | null, readonly answer: unknown } };

export type GraphCompleteMutationVariables = Exact<{
  repo: string;
  workItem: string;
  node?: string | null | undefined;
  actor?: string | null | undefined;
  ref?: string | null | undefined;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphCompleteMutation = { readonly completeGraph: { readonly instance: string | null, readonly answer: unknown } };

export type GraphAdvanceMutationVariables = Exact<{
  repo: string;
  workItem: string;
  ref?: string | null | undefined;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphAdvanceMutation = { readonly advanceGraph: { readonly instance: string | null, readonly answer: unknown } };

export type GraphForceMutationVariables = Exact<{
  repo: string;
  workItem: string;
  toNode: string;
  reason: string;
  actor?: string | null | undefined;
  ref?: string | null | undefined;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphForceMutation = { readonly forceGraph: { readonly instance: string | null, readonly answer: unknown } };

export type GraphSkipMutationVariables = Exact<{
  repo: string;
  workItem: string;
  nodes: ReadonlyArray<string> | string;
  reason: string;
  actor?: string | null | undefined;
  ref?: string | null | undefined;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphSkipMutation = { readonly skipGraph: { readonly instance: string | null, readonly answer: unknown } };

export type GraphReposMutationVariables = Exact<{
  repo: string;
  workItem: string;
  repositories?: ReadonlyArray<string> | string | null | undefined;
  clear?: boolean | null | undefined;
  ref?: string | null | undefined;
  pr?: number | null | undefined;
  prRepo?: string | null | undefined;
  specDir?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type GraphReposMutation = { readonly declareGraphRepos: { readonly instance: string | null, readonly answer: unknown } };

export type RepoScenariosQueryVariables = Exact<{
  repo: string;
  globs?: ReadonlyArray<string> | string | null | undefined;
  instance?: string | null | undefined;
}>;


export type RepoScenariosQuery = { readonly repoScenarios: { readonly instance: string | null, readonly answer: unknown } };

export type RepoInstructionsQueryVariables = Exact<{
  repo: string;
  docs?: ReadonlyArray<string> | string | null | undefined;
  onMissing?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type RepoInstructionsQuery = { readonly repoInstructions: { readonly instance: string | null, readonly answer: unknown } };

export type RepoCriticsQueryVariables = Exact<{
  repo: string;
  instance?: string | null | undefined;
}>;


export type RepoCriticsQuery = { readonly repoCritics: { readonly instance: string | null, readonly answer: unknown } };

export type RepoReviewPolicyQueryVariables = Exact<{
  repo: string;
  instance?: string | null | undefined;
}>;


export type RepoReviewPolicyQuery = { readonly repoReviewPolicy: { readonly instance: string | null, readonly answer: unknown } };

export type RepoCriticRunMutationVariables = Exact<{
  repo: string;
  name: string;
  prompt?: string | null | undefined;
  promptFile?: string | null | undefined;
  workItem?: string | null | undefined;
  specDir?: string | null | undefined;
  timeout?: number | null | undefined;
  cwd?: string | null | undefined;
  instance?: string | null | undefined;
}>;


export type RepoCriticRunMutation = { readonly runCritic: { readonly instance: string | null, readonly answer: unknown } };

export type CheckoutAnswerFragment = { readonly instance: string | null, readonly answer: unknown };

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
  transcripts?: ReadonlyArray<string> | string | null | undefined;
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
  record
}
    `, {"fragmentName":"RegistryUpdate"}) as unknown as TypedDocumentString<RegistryUpdateFragment, unknown>;
export const ControlFragmentDoc = new TypedDocumentString(`
    fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
}
    `, {"fragmentName":"Control"}) as unknown as TypedDocumentString<ControlFragment, unknown>;
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
  createdAt
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
  parent {
    ref
  }
  control {
    ...Control
  }
  pullRequests
  record
}
    fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
}`, {"fragmentName":"WorkItem"}) as unknown as TypedDocumentString<WorkItemFragment, unknown>;
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
  pullRequests
  control {
    ...Control
  }
  record
}
    fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
}`, {"fragmentName":"SessionRow"}) as unknown as TypedDocumentString<SessionRowFragment, unknown>;
export const StandingRowFragmentDoc = new TypedDocumentString(`
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}
    `, {"fragmentName":"StandingRow"}) as unknown as TypedDocumentString<StandingRowFragment, unknown>;
export const StandingChangeFragmentDoc = new TypedDocumentString(`
    fragment StandingChange on StandingChange {
  session {
    ...StandingRow
  }
  outcome
  detail
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}`, {"fragmentName":"StandingChange"}) as unknown as TypedDocumentString<StandingChangeFragment, unknown>;
export const StandingOutcomeFragmentDoc = new TypedDocumentString(`
    fragment StandingOutcome on StandingOutcome {
  instance
  ok
  sessions {
    ...StandingChange
  }
  stopped {
    ...StandingChange
  }
  record
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}
fragment StandingChange on StandingChange {
  session {
    ...StandingRow
  }
  outcome
  detail
}`, {"fragmentName":"StandingOutcome"}) as unknown as TypedDocumentString<StandingOutcomeFragment, unknown>;
export const TrackerAnswerFragmentDoc = new TypedDocumentString(`
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}
    `, {"fragmentName":"TrackerAnswer"}) as unknown as TypedDocumentString<TrackerAnswerFragment, unknown>;
export const CheckoutAnswerFragmentDoc = new TypedDocumentString(`
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}
    `, {"fragmentName":"CheckoutAnswer"}) as unknown as TypedDocumentString<CheckoutAnswerFragment, unknown>;
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
    record
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
    record
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
  record
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
  record
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
  createdAt
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
  parent {
    ref
  }
  control {
    ...Control
  }
  pullRequests
  record
}
fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
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
  createdAt
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
  parent {
    ref
  }
  control {
    ...Control
  }
  pullRequests
  record
}
fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
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
  pullRequests
  control {
    ...Control
  }
  record
}
fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
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
  pullRequests
  control {
    ...Control
  }
  record
}
fragment Control on ControlCommand {
  command
  source
  actor
  requestedAt
}`) as unknown as TypedDocumentString<GetSessionQuery, GetSessionQueryVariables>;
export const SessionTranscriptDocument = new TypedDocumentString(`
    query SessionTranscript($ref: ID!, $tail: Int, $instance: String) {
  transcript(ref: $ref, tail: $tail, instance: $instance) {
    instance
    ref
    harness
    harnessSessionId
    path
    totalLines
    truncated
    entries
    record
  }
}
    `) as unknown as TypedDocumentString<SessionTranscriptQuery, SessionTranscriptQueryVariables>;
export const RegisterSessionDocument = new TypedDocumentString(`
    mutation RegisterSession($ref: ID!, $harness: String!, $harnessSessionId: String!, $cwd: String, $force: Boolean, $instance: String) {
  registerSession(
    ref: $ref
    harness: $harness
    harnessSessionId: $harnessSessionId
    cwd: $cwd
    force: $force
    instance: $instance
  ) {
    instance
    ref
    harness
    harnessSessionId
    exitCode
    messages {
      stream
      text
    }
    record
  }
}
    `) as unknown as TypedDocumentString<RegisterSessionMutation, RegisterSessionMutationVariables>;
export const LinkSessionPullRequestDocument = new TypedDocumentString(`
    mutation LinkSessionPullRequest($ref: ID!, $pullRequest: ID, $discover: Boolean, $branch: String, $repository: String, $headOwner: String, $instance: String) {
  linkPullRequest(
    ref: $ref
    pullRequest: $pullRequest
    discover: $discover
    branch: $branch
    repository: $repository
    headOwner: $headOwner
    instance: $instance
  ) {
    instance
    ref
    pullRequest
    linked
    exitCode
    messages {
      stream
      text
    }
    record
  }
}
    `) as unknown as TypedDocumentString<LinkSessionPullRequestMutation, LinkSessionPullRequestMutationVariables>;
export const ReplySessionDocument = new TypedDocumentString(`
    mutation ReplySession($ref: ID!, $text: String!, $actor: String, $comment: Boolean, $instance: String) {
  replySession(
    ref: $ref
    text: $text
    actor: $actor
    comment: $comment
    instance: $instance
  ) {
    instance
    ref
    delivered
    exitCode
    messages {
      stream
      text
    }
    record
  }
}
    `) as unknown as TypedDocumentString<ReplySessionMutation, ReplySessionMutationVariables>;
export const CloseSessionDocument = new TypedDocumentString(`
    mutation CloseSession($ref: ID!, $keepTmux: Boolean, $instance: String) {
  closeSession(ref: $ref, keepTmux: $keepTmux, instance: $instance) {
    instance
    ref
    closed
    exitCode
    messages {
      stream
      text
    }
    record
  }
}
    `) as unknown as TypedDocumentString<CloseSessionMutation, CloseSessionMutationVariables>;
export const ControlSessionDocument = new TypedDocumentString(`
    mutation ControlSession($ref: ID!, $verb: String!, $comment: Boolean, $instance: String) {
  controlSession(ref: $ref, verb: $verb, comment: $comment, instance: $instance) {
    instance
    ref
    verb
    effect
    exitCode
    messages {
      stream
      text
    }
    record
  }
}
    `) as unknown as TypedDocumentString<ControlSessionMutation, ControlSessionMutationVariables>;
export const ListStandingSessionsDocument = new TypedDocumentString(`
    query ListStandingSessions {
  standingSessions {
    ...StandingRow
  }
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}`) as unknown as TypedDocumentString<ListStandingSessionsQuery, ListStandingSessionsQueryVariables>;
export const GetStandingSessionDocument = new TypedDocumentString(`
    query GetStandingSession($name: String!, $instance: String) {
  standingSession(name: $name, instance: $instance) {
    ...StandingRow
  }
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}`) as unknown as TypedDocumentString<GetStandingSessionQuery, GetStandingSessionQueryVariables>;
export const CreateStandingSessionDocument = new TypedDocumentString(`
    mutation CreateStandingSession($name: String!, $harness: String, $cwd: String, $prompt: String, $description: String, $harnessArgs: [String!], $slackEnabled: Boolean, $slackChannel: String, $autoStart: Boolean, $start: Boolean, $instance: String) {
  createStanding(
    name: $name
    harness: $harness
    cwd: $cwd
    prompt: $prompt
    description: $description
    harnessArgs: $harnessArgs
    slackEnabled: $slackEnabled
    slackChannel: $slackChannel
    autoStart: $autoStart
    start: $start
    instance: $instance
  ) {
    ...StandingOutcome
  }
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}
fragment StandingOutcome on StandingOutcome {
  instance
  ok
  sessions {
    ...StandingChange
  }
  stopped {
    ...StandingChange
  }
  record
}
fragment StandingChange on StandingChange {
  session {
    ...StandingRow
  }
  outcome
  detail
}`) as unknown as TypedDocumentString<CreateStandingSessionMutation, CreateStandingSessionMutationVariables>;
export const DeleteStandingSessionDocument = new TypedDocumentString(`
    mutation DeleteStandingSession($name: String!, $instance: String) {
  deleteStanding(name: $name, instance: $instance) {
    ...StandingOutcome
  }
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}
fragment StandingOutcome on StandingOutcome {
  instance
  ok
  sessions {
    ...StandingChange
  }
  stopped {
    ...StandingChange
  }
  record
}
fragment StandingChange on StandingChange {
  session {
    ...StandingRow
  }
  outcome
  detail
}`) as unknown as TypedDocumentString<DeleteStandingSessionMutation, DeleteStandingSessionMutationVariables>;
export const ControlStandingSessionDocument = new TypedDocumentString(`
    mutation ControlStandingSession($name: String, $verb: String!, $instance: String) {
  controlStanding(name: $name, verb: $verb, instance: $instance) {
    ...StandingOutcome
  }
}
    fragment StandingRow on StandingSession {
  instance
  name
  declared
  description
  autoStart
  harness
  cwd
  ref
  status
  running
  harnessSessionId
  startedAt
  lastMessageAt
  record
}
fragment StandingOutcome on StandingOutcome {
  instance
  ok
  sessions {
    ...StandingChange
  }
  stopped {
    ...StandingChange
  }
  record
}
fragment StandingChange on StandingChange {
  session {
    ...StandingRow
  }
  outcome
  detail
}`) as unknown as TypedDocumentString<ControlStandingSessionMutation, ControlStandingSessionMutationVariables>;
export const SayToStandingSessionDocument = new TypedDocumentString(`
    mutation SayToStandingSession($name: String!, $text: String!, $actor: String, $instance: String) {
  sayStanding(name: $name, text: $text, actor: $actor, instance: $instance) {
    instance
    name
    delivered
    exitCode
    messages {
      stream
      text
    }
    record
  }
}
    `) as unknown as TypedDocumentString<SayToStandingSessionMutation, SayToStandingSessionMutationVariables>;
export const ListAttentionDocument = new TypedDocumentString(`
    query ListAttention {
  attention {
    instance
    ref
    kind
    detail
    at
    record
  }
}
    `) as unknown as TypedDocumentString<ListAttentionQuery, ListAttentionQueryVariables>;
export const ListDaemonsDocument = new TypedDocumentString(`
    query ListDaemons {
  daemons {
    instance
    name
    running
    pid
    startedAt
    lastCycleAt
    record
  }
}
    `) as unknown as TypedDocumentString<ListDaemonsQuery, ListDaemonsQueryVariables>;
export const ControlDaemonDocument = new TypedDocumentString(`
    mutation ControlDaemon($daemon: String!, $verb: String!, $instance: String) {
  controlDaemon(daemon: $daemon, verb: $verb, instance: $instance) {
    instance
    name
    verb
    running
    pid
    exitCode
    output
    record
  }
}
    `) as unknown as TypedDocumentString<ControlDaemonMutation, ControlDaemonMutationVariables>;
export const RestartDocument = new TypedDocumentString(`
    mutation Restart($withUpgrade: Boolean, $instance: String) {
  restart(withUpgrade: $withUpgrade, instance: $instance) {
    instance
    scheduled
    pid
    withUpgrade
    logfile
    record
  }
}
    `) as unknown as TypedDocumentString<RestartMutation, RestartMutationVariables>;
export const GetConfigDocument = new TypedDocumentString(`
    query GetConfig($instance: String) {
  config(instance: $instance) {
    instance
    path
    exists
    version
    config
    record
  }
}
    `) as unknown as TypedDocumentString<GetConfigQuery, GetConfigQueryVariables>;
export const UpdateConfigDocument = new TypedDocumentString(`
    mutation UpdateConfig($patch: JSON!, $instance: String) {
  updateConfig(patch: $patch, instance: $instance) {
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
  record
}`) as unknown as TypedDocumentString<UpdateConfigMutation, UpdateConfigMutationVariables>;
export const GetConfigSchemaDocument = new TypedDocumentString(`
    query GetConfigSchema($instance: String) {
  configSchema(instance: $instance)
  config(instance: $instance) {
    instance
  }
}
    `) as unknown as TypedDocumentString<GetConfigSchemaQuery, GetConfigSchemaQueryVariables>;
export const PostWorkItemCommentDocument = new TypedDocumentString(`
    mutation PostWorkItemComment($ref: ID!, $body: String!, $instance: String) {
  postComment(ref: $ref, body: $body, instance: $instance) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<PostWorkItemCommentMutation, PostWorkItemCommentMutationVariables>;
export const GetTicketDocument = new TypedDocumentString(`
    query GetTicket($ref: ID!, $instance: String) {
  ticket(ref: $ref, instance: $instance) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GetTicketQuery, GetTicketQueryVariables>;
export const CreateTicketDocument = new TypedDocumentString(`
    mutation CreateTicket($repository: String!, $title: String!, $body: String, $labels: [String!], $project: String, $instance: String) {
  createTicket(
    repository: $repository
    title: $title
    body: $body
    labels: $labels
    project: $project
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<CreateTicketMutation, CreateTicketMutationVariables>;
export const CloseTicketDocument = new TypedDocumentString(`
    mutation CloseTicket($ref: ID!, $reason: String, $workItem: ID, $instance: String) {
  closeTicket(
    ref: $ref
    reason: $reason
    workItem: $workItem
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<CloseTicketMutation, CloseTicketMutationVariables>;
export const CreatePullRequestDocument = new TypedDocumentString(`
    mutation CreatePullRequest($ref: ID!, $title: String!, $body: String, $head: String!, $base: String, $repository: String, $draft: Boolean, $instance: String) {
  createPullRequest(
    ref: $ref
    title: $title
    body: $body
    head: $head
    base: $base
    repository: $repository
    draft: $draft
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<CreatePullRequestMutation, CreatePullRequestMutationVariables>;
export const GetPullRequestStatusDocument = new TypedDocumentString(`
    query GetPullRequestStatus($ref: ID!, $workItem: ID, $instance: String) {
  pullRequestStatus(ref: $ref, workItem: $workItem, instance: $instance) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GetPullRequestStatusQuery, GetPullRequestStatusQueryVariables>;
export const ListPullRequestThreadsDocument = new TypedDocumentString(`
    query ListPullRequestThreads($ref: ID!, $workItem: ID, $all: Boolean, $instance: String) {
  pullRequestThreads(
    ref: $ref
    workItem: $workItem
    all: $all
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<ListPullRequestThreadsQuery, ListPullRequestThreadsQueryVariables>;
export const ListPullRequestChecksDocument = new TypedDocumentString(`
    query ListPullRequestChecks($ref: ID!, $workItem: ID, $failing: Boolean, $logLines: Int, $instance: String) {
  pullRequestChecks(
    ref: $ref
    workItem: $workItem
    failing: $failing
    logLines: $logLines
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<ListPullRequestChecksQuery, ListPullRequestChecksQueryVariables>;
export const ResolveReviewThreadDocument = new TypedDocumentString(`
    mutation ResolveReviewThread($ref: ID!, $thread: ID!, $workItem: ID, $instance: String) {
  resolveReviewThread(
    ref: $ref
    thread: $thread
    workItem: $workItem
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<ResolveReviewThreadMutation, ResolveReviewThreadMutationVariables>;
export const MergePullRequestDocument = new TypedDocumentString(`
    mutation MergePullRequest($ref: ID!, $workItem: ID, $method: String, $sha: String, $instance: String) {
  mergePullRequest(
    ref: $ref
    workItem: $workItem
    method: $method
    sha: $sha
    instance: $instance
  ) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<MergePullRequestMutation, MergePullRequestMutationVariables>;
export const MarkPullRequestReadyDocument = new TypedDocumentString(`
    mutation MarkPullRequestReady($ref: ID!, $workItem: ID, $instance: String) {
  markPullRequestReady(ref: $ref, workItem: $workItem, instance: $instance) {
    ...TrackerAnswer
  }
}
    fragment TrackerAnswer on TrackerAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<MarkPullRequestReadyMutation, MarkPullRequestReadyMutationVariables>;
export const GraphShowDocument = new TypedDocumentString(`
    query GraphShow($repo: String!, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  processGraph(
    repo: $repo
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphShowQuery, GraphShowQueryVariables>;
export const GraphCheckDocument = new TypedDocumentString(`
    mutation GraphCheck($repo: String!, $workItem: ID!, $recompute: Boolean, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  checkGraph(
    repo: $repo
    workItem: $workItem
    recompute: $recompute
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphCheckMutation, GraphCheckMutationVariables>;
export const GraphCompleteDocument = new TypedDocumentString(`
    mutation GraphComplete($repo: String!, $workItem: ID!, $node: String, $actor: String, $ref: ID, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  completeGraph(
    repo: $repo
    workItem: $workItem
    node: $node
    actor: $actor
    ref: $ref
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphCompleteMutation, GraphCompleteMutationVariables>;
export const GraphAdvanceDocument = new TypedDocumentString(`
    mutation GraphAdvance($repo: String!, $workItem: ID!, $ref: ID, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  advanceGraph(
    repo: $repo
    workItem: $workItem
    ref: $ref
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphAdvanceMutation, GraphAdvanceMutationVariables>;
export const GraphForceDocument = new TypedDocumentString(`
    mutation GraphForce($repo: String!, $workItem: ID!, $toNode: String!, $reason: String!, $actor: String, $ref: ID, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  forceGraph(
    repo: $repo
    workItem: $workItem
    toNode: $toNode
    reason: $reason
    actor: $actor
    ref: $ref
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphForceMutation, GraphForceMutationVariables>;
export const GraphSkipDocument = new TypedDocumentString(`
    mutation GraphSkip($repo: String!, $workItem: ID!, $nodes: [String!]!, $reason: String!, $actor: String, $ref: ID, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  skipGraph(
    repo: $repo
    workItem: $workItem
    nodes: $nodes
    reason: $reason
    actor: $actor
    ref: $ref
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphSkipMutation, GraphSkipMutationVariables>;
export const GraphReposDocument = new TypedDocumentString(`
    mutation GraphRepos($repo: String!, $workItem: ID!, $repositories: [String!], $clear: Boolean, $ref: ID, $pr: Int, $prRepo: String, $specDir: String, $instance: String) {
  declareGraphRepos(
    repo: $repo
    workItem: $workItem
    repositories: $repositories
    clear: $clear
    ref: $ref
    pr: $pr
    prRepo: $prRepo
    specDir: $specDir
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<GraphReposMutation, GraphReposMutationVariables>;
export const RepoScenariosDocument = new TypedDocumentString(`
    query RepoScenarios($repo: String!, $globs: [String!], $instance: String) {
  repoScenarios(repo: $repo, globs: $globs, instance: $instance) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<RepoScenariosQuery, RepoScenariosQueryVariables>;
export const RepoInstructionsDocument = new TypedDocumentString(`
    query RepoInstructions($repo: String!, $docs: [String!], $onMissing: String, $instance: String) {
  repoInstructions(
    repo: $repo
    docs: $docs
    onMissing: $onMissing
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<RepoInstructionsQuery, RepoInstructionsQueryVariables>;
export const RepoCriticsDocument = new TypedDocumentString(`
    query RepoCritics($repo: String!, $instance: String) {
  repoCritics(repo: $repo, instance: $instance) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<RepoCriticsQuery, RepoCriticsQueryVariables>;
export const RepoReviewPolicyDocument = new TypedDocumentString(`
    query RepoReviewPolicy($repo: String!, $instance: String) {
  repoReviewPolicy(repo: $repo, instance: $instance) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<RepoReviewPolicyQuery, RepoReviewPolicyQueryVariables>;
export const RepoCriticRunDocument = new TypedDocumentString(`
    mutation RepoCriticRun($repo: String!, $name: String!, $prompt: String, $promptFile: String, $workItem: ID, $specDir: String, $timeout: Float, $cwd: String, $instance: String) {
  runCritic(
    repo: $repo
    name: $name
    prompt: $prompt
    promptFile: $promptFile
    workItem: $workItem
    specDir: $specDir
    timeout: $timeout
    cwd: $cwd
    instance: $instance
  ) {
    ...CheckoutAnswer
  }
}
    fragment CheckoutAnswer on CheckoutAnswer {
  instance
  answer
}`) as unknown as TypedDocumentString<RepoCriticRunMutation, RepoCriticRunMutationVariables>;
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
    subscription StreamEvents($after: String, $filter: EventFilter, $transcripts: [ID!]) {
  events(after: $after, filter: $filter, transcripts: $transcripts) {
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