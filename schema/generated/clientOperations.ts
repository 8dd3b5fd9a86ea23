/** The operations of the REST contract as the client offers them. Derived from schema/openapi.yaml by `npm run generate`. */

export interface Attention {
  readonly workItem: string;
  /** `session-paused`, `armed-without-session`, `awaiting-input` or `recent-error`. */
  readonly kind: string;
  readonly detail: string;
  /** Of the event behind a `recent-error`. */
  readonly at?: string;
  readonly instance?: Stamp;
}

export interface ConfigDocument {
  /** The file. */
  readonly path: string;
  /** False before the first edit. */
  readonly exists: boolean;
  /** Of the format; empty when there is none. */
  readonly version: string;
  /** The document as authored. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Set where the document is another instance's. */
  readonly instance?: string;
}

export interface ConfigUpdate {
  readonly path: string;
  readonly exists: boolean;
  readonly changed: readonly string[];
  readonly restartRequired: readonly string[];
  readonly written: boolean;
  readonly config: Readonly<Record<string, unknown>>;
  /** Set where the file is another instance's. */
  readonly instance?: string;
}

/** The last command that was recorded for the item. */
export type Control = {
  readonly ref?: string;
  readonly command?: string;
  readonly source?: string;
  readonly actor?: string;
  readonly requestedAt?: string;
  readonly note?: string;
  /** Who recorded it; never the stamp. */
  readonly instance?: string;
} | null;

export interface Critic {
  readonly name: string;
  readonly harness?: string;
  readonly model?: string;
  readonly binary?: string;
  readonly available?: boolean;
  readonly enabled?: boolean;
  readonly error?: string | null;
  /** Set where another instance answers. */
  readonly instance?: string;
}

export interface Daemon {
  readonly daemon: string;
  readonly running: boolean;
  /** 0 while it does not run. */
  readonly pid: number;
  readonly pidfile: string;
  readonly logfile: string;
  readonly startedAt: string;
  readonly lastCycleAt: string;
  readonly instance?: Stamp;
}

export interface DaemonControl {
  readonly daemon: string;
  readonly verb: string;
  readonly running: boolean;
  readonly pid: number;
  readonly exitCode: ExitCode;
  readonly output: string;
  readonly instance?: Stamp;
}

export interface Event {
  /** Milliseconds in UTC. */
  readonly ts: string;
  readonly source: string;
  readonly event: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly pid: number;
  readonly work_item?: string;
  /** A worker: whom the event is about. A manager: where it was written. */
  readonly instance?: string;
  /** Whom the event is about, when that is not where it was written. */
  readonly about?: string;
  readonly [field: string]: unknown;
}

/** 0 when it was done. */
export type ExitCode = 0 | 1 | 2;

export interface Fleet {
  readonly role: Role;
  readonly name: string;
  readonly instances: readonly {
    readonly name: string;
    readonly url: string;
    readonly state: MemberState;
    readonly version: string;
    readonly mode: string;
    readonly managedCount: number;
    readonly sessionCount: number;
    /** Whole seconds in UTC. */
    readonly probedAt: string;
    /** Why the instance is not live. */
    readonly detail?: string;
  }[];
}

export interface Graph {
  readonly version: string | number;
  readonly name: string;
  /** The node that is entered first; null where there is none. */
  readonly start: string | null;
  readonly specRoot?: string;
  readonly nodes: readonly unknown[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly on?: string;
  }[];
  /** Set where another instance answers. */
  readonly instance?: string;
}

export interface GraphAnswer {
  readonly workItem?: string;
  readonly exitCode?: ExitCode;
  readonly messages?: Messages;
  /** Set where another instance answers. */
  readonly instance?: string;
  readonly [field: string]: unknown;
}

export interface GraphCheck {
  readonly workItem: string;
  readonly currentNode?: string | null;
  readonly ok: boolean;
  readonly parked?: Readonly<Record<string, unknown>> | null;
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  /** Only ever `false`: the checkout was not found. */
  readonly repoResolved?: boolean;
  /** Set where another instance answers. */
  readonly instance?: string;
}

export interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly configPath: string;
  readonly stateRoot: string;
  readonly role: Role;
  readonly ingresses: readonly {
    readonly name: string;
    readonly enabled: boolean;
    readonly running: boolean;
    /** Why it does not run. */
    readonly detail?: string;
  }[];
  /** A manager's members. */
  readonly instances?: readonly {
    readonly name: string;
    readonly url: string;
    readonly state: MemberState;
    readonly detail: string;
  }[];
  /** Set where the document is another instance's. */
  readonly instance?: string;
}

export interface Instance {
  /** Empty when the instance has no name. */
  readonly name: string;
  readonly role: Role;
  readonly version: string;
  readonly scope: {
    readonly mode: 'open' | 'addressed' | 'locked';
    readonly workItems: readonly string[];
  };
  readonly managed: readonly {
    readonly ref: string;
    readonly url?: string;
    readonly sources: readonly string[];
    readonly instance?: Stamp;
  }[];
  readonly sessionCount: number;
  /** What else the instance speaks, as paths below its address, and the hash of its GraphQL schema. */
  readonly interfaces?: {
    readonly graphql?: string;
    readonly schemaHash?: string;
  };
  /** Set where the document is another instance's. */
  readonly instance?: string;
}

export type MemberState = 'live' | 'unreachable' | 'mismatched';

export type Messages = readonly {
  readonly stream: 'out' | 'err';
  readonly text: string;
}[];

export interface PullRequestLink {
  readonly workItem: string;
  readonly pullRequest?: string;
  /** With `discover`, what was linked. */
  readonly linked: boolean | readonly unknown[];
  readonly branch?: string;
  readonly repository?: string;
  readonly found?: readonly unknown[];
  readonly exitCode: ExitCode;
  readonly messages: Messages;
  readonly instance?: Stamp;
}

/** The work item, `provider:[host/]owner/repo#number`. */
export type Ref = string;

export interface RegistryUpdate {
  /** The file. */
  readonly path: string;
  readonly exists: boolean;
  /** Dotted paths of the keys whose value changed. */
  readonly changed: readonly string[];
  /** Those of them that are read only at start. */
  readonly restartRequired: readonly string[];
  readonly written: boolean;
  /** The document as authored. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The name that was registered or removed. */
  readonly instance: string;
}

export interface RepoAnswer {
  readonly exitCode?: ExitCode;
  readonly messages?: Messages;
  /** Set where another instance answers. */
  readonly instance?: string;
  readonly [field: string]: unknown;
}

export interface RepoInstructions {
  readonly repo: string;
  readonly onMissing: string;
  readonly docs: readonly Readonly<Record<string, unknown>>[];
  /** Set where another instance answers. */
  readonly instance?: string;
}

export interface RepoScenarios {
  readonly repo: string;
  readonly globs: readonly string[];
  readonly scenarios: readonly Readonly<Record<string, unknown>>[];
  /** Set where another instance answers. */
  readonly instance?: string;
}

export interface Restart {
  readonly scheduled: boolean;
  /** Of the process that does it. */
  readonly pid: number;
  readonly withUpgrade: boolean;
  /** Where it is told; empty where it goes to the output of the process. */
  readonly logfile: string;
  /** Set where another instance starts again. */
  readonly instance?: string;
}

export type Role = 'worker' | 'manager';

export interface Session {
  readonly ref: string;
  readonly url?: string;
  readonly workItem?: {
    readonly ref?: string;
    readonly provider?: string;
    readonly owner?: string;
    readonly repo?: string;
    readonly number?: number;
  };
  readonly harness?: string;
  readonly harnessSessionId?: string;
  readonly cwd?: string;
  readonly status?: string;
  readonly createdAt?: string;
  readonly lastEventAt?: string | null;
  readonly tmuxTarget?: string;
  readonly recentDeliveries?: readonly string[];
  readonly model?: string;
  readonly effort?: string;
  /** Pull requests that deliver the item; absent where there are none. */
  readonly pullRequests?: readonly Readonly<Record<string, unknown>>[];
  readonly control?: Control;
  readonly instance?: Stamp;
}

export interface SessionClose {
  readonly workItem: string;
  readonly closed: boolean;
  readonly exitCode: ExitCode;
  readonly messages: Messages;
  readonly instance?: Stamp;
}

export interface SessionControl {
  readonly verb: string;
  readonly workItem: string;
  readonly effect: string;
  /** The texts of `messages`, joined. */
  readonly output: string;
  readonly exitCode: ExitCode;
  readonly messages: Messages;
  readonly instance?: Stamp;
}

export interface SessionRegistration {
  readonly workItem: string;
  readonly harness: string;
  readonly harnessSessionId: string;
  readonly exitCode: ExitCode;
  readonly messages: Messages;
  readonly instance?: Stamp;
}

export interface SessionReply {
  readonly workItem: string;
  readonly delivered: boolean;
  readonly exitCode: ExitCode;
  readonly messages: Messages;
  readonly instance?: Stamp;
}

/** The registered name of the instance that the row comes from; on a manager only. */
export type Stamp = string;

export interface StandingOutcome {
  readonly sessions: readonly StandingSession[];
  readonly ok: boolean;
  /** Those that a restart has stopped first. */
  readonly stopped?: readonly StandingSession[];
  readonly instance?: Stamp;
}

export interface StandingReply {
  readonly name: string;
  readonly delivered: boolean;
  readonly exitCode: ExitCode;
  readonly messages: Messages;
  readonly instance?: Stamp;
}

export interface StandingSession {
  readonly name: string;
  /** Whether it comes from the configuration. */
  readonly declared?: boolean;
  readonly description?: string;
  readonly autoStart?: boolean;
  readonly harness?: string;
  readonly cwd?: string;
  readonly tmuxTarget?: string;
  /** `standing:<name>` */
  readonly ref?: string;
  /** `running`, `stopped` or `absent`. */
  readonly status?: string;
  readonly running?: boolean;
  readonly harnessSessionId?: string;
  readonly slackChannel?: string;
  readonly slackThread?: string;
  readonly startedAt?: string;
  readonly lastMessageAt?: string;
  /** In the answers of verbs only. */
  readonly outcome?: string;
  /** In the answers of verbs only. */
  readonly detail?: string;
  readonly instance?: Stamp;
}

/** What the tracker of the instance that answers says; more fields than these may come. */
export interface TrackerAnswer {
  readonly exitCode?: ExitCode;
  readonly messages?: Messages;
  /** Set where another instance answers. */
  readonly instance?: string;
  readonly [field: string]: unknown;
}

export interface Transcript {
  readonly workItem: string;
  readonly harness: string;
  readonly harnessSessionId: string;
  /** The file; empty on an instance of ours. */
  readonly path: string;
  /** How many entries there are in all. */
  readonly totalLines: number;
  /** Whether some are left out. */
  readonly truncated: boolean;
  /** Oldest first. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly instance?: Stamp;
}

export interface WorkItem {
  readonly ref: string;
  readonly url?: string;
  readonly control?: Control;
  /** Pull requests that deliver the item, by ref. */
  readonly pullRequests?: Readonly<Record<string, unknown>>;
  /** On ended items only. */
  readonly ended?: {
    readonly state?: string;
    readonly reason?: string;
    readonly at?: string;
    readonly outcome?: string;
  } | null;
  /** The task behind the item, on items of Flotilla instances. */
  readonly task?: {
    readonly id: string;
    readonly contextId: string;
    readonly state: string;
    readonly subState: string | null;
    readonly name: string;
    readonly lifecycle: string;
    /** Of the task that spawned it. */
    readonly parentRef?: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly usage: Readonly<Record<string, unknown>>;
    readonly updatedAt: string;
  };
  readonly instance?: Stamp;
  /** What the row itself calls its instance, when that is another. */
  readonly about?: string;
}

/** What `registerInstance` is told. */
export interface RegisterInstanceInput {
  /** The member's `instance.name`. */
  readonly name: string;
  /** The base address that the manager will call. */
  readonly url: string;
}

/** What `unregisterInstance` is told. */
export interface UnregisterInstanceInput {
  /** The registered name. */
  readonly name: string;
}

/** What `updateConfig` is told. */
export interface UpdateConfigInput {
  /** What to change, sparse. */
  readonly patch: Readonly<Record<string, unknown>>;
}

/** What `restart` is told. */
export interface RestartInput {
  /** Whether the newest version is installed first. @default false */
  readonly withUpgrade?: boolean;
}

/** What `getWorkItem` is told. */
export interface GetWorkItemInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
}

/** What `postWorkItemComment` is told. */
export interface PostWorkItemCommentInput {
  readonly ref: Ref;
  /** The comment. */
  readonly body: string;
}

/** What `getTicket` is told. */
export interface GetTicketInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
}

/** What `createTicket` is told. */
export interface CreateTicketInput {
  /** Where, `[host/]owner/repo`. */
  readonly repository: string;
  /** Its title. */
  readonly title: string;
  /** Its text. @default "" */
  readonly body?: string;
  /** Its labels. @default [] */
  readonly labels?: readonly string[];
  /** The board that it is put on. @default "" */
  readonly project?: string;
}

/** What `closeTicket` is told. */
export interface CloseTicketInput {
  readonly ref: Ref;
  /** `completed` or `not_planned`. @default "completed" */
  readonly reason?: string;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
}

/** What `createPullRequest` is told. */
export interface CreatePullRequestInput {
  readonly ref: Ref;
  /** Its title. */
  readonly title: string;
  /** Its text. @default "" */
  readonly body?: string;
  /** The branch with the changes. */
  readonly head: string;
  /** The branch that they go to; empty is the default one. @default "" */
  readonly base?: string;
  /** Where; empty is the repository of the work item. @default "" */
  readonly repository?: string;
  /** Whether it is a draft. @default false */
  readonly draft?: boolean;
}

/** What `getPullRequestStatus` is told. */
export interface GetPullRequestStatusInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
}

/** What `listPullRequestThreads` is told. */
export interface ListPullRequestThreadsInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
  /** Whether resolved threads are told too. @default false */
  readonly all?: boolean;
}

/** What `resolveReviewThread` is told. */
export interface ResolveReviewThreadInput {
  readonly ref: Ref;
  /** The id of the thread. */
  readonly thread: string;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
}

/** What `mergePullRequest` is told. */
export interface MergePullRequestInput {
  readonly ref: Ref;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
  /** `merge`, `squash` or `rebase`. @default "merge" */
  readonly method?: string;
  /** The head that is expected: a branch that has moved is refused. @default "" */
  readonly sha?: string;
}

/** What `listPullRequestChecks` is told. */
export interface ListPullRequestChecksInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
  /** Whether only those that fail are told. @default false */
  readonly failing?: boolean;
  /** How many lines of the end of each log are told. @default null */
  readonly logLines?: number | null;
}

/** What `markPullRequestReady` is told. */
export interface MarkPullRequestReadyInput {
  readonly ref: Ref;
  /** The work item that the call is made for; empty is `ref`. @default "" */
  readonly workItem?: string;
}

/** What `listSessions` is told. */
export interface ListSessionsInput {
  /** Only sessions in this state. */
  readonly status?: 'active' | 'paused' | 'closed';
}

/** What `getSession` is told. */
export interface GetSessionInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
}

/** What `sessionTranscript` is told. */
export interface SessionTranscriptInput {
  /** The work item, `provider:[host/]owner/repo#number`. */
  readonly ref: string;
  /** How many of the newest entries are told; 0 tells all, up to 10,000. @default 200 */
  readonly tail?: number;
}

/** What `registerSession` is told. */
export interface RegisterSessionInput {
  readonly ref: Ref;
  /** The make of the agent; an instance of ours has one, whatever is named. */
  readonly harness: string;
  /** The conversation in that make's own words. */
  readonly harnessSessionId: string;
  /** Its working directory. @default "." */
  readonly cwd?: string;
  /** Whether an open session is taken over. @default false */
  readonly force?: boolean;
}

/** What `replySession` is told. */
export interface ReplySessionInput {
  readonly ref: Ref;
  /** What the operator says. */
  readonly text: string;
  /** Who says it; for the audit only. @default "" */
  readonly actor?: string;
  /** Whether a member of another make tells it on the ticket; no effect on workers of ours. @default true */
  readonly comment?: boolean;
}

/** What `controlSession` is told. */
export interface ControlSessionInput {
  readonly ref: Ref;
  /** `start`, `pause`, `resume`, `stop` or `cleanup`. */
  readonly verb: string;
  /** Whether a member of another make tells it on the ticket; no effect on workers of ours. @default true */
  readonly comment?: boolean;
}

/** What `closeSession` is told. */
export interface CloseSessionInput {
  readonly ref: Ref;
  /** Whether a member of another make keeps the session's terminal; no effect on workers of ours. @default null */
  readonly keepTmux?: boolean | null;
}

/** What `linkSessionPullRequest` is told. */
export interface LinkSessionPullRequestInput {
  readonly ref: Ref;
  /** The pull request, `provider:[host/]owner/repo#number`. @default "" */
  readonly pullRequest?: string;
  /** Whether it is looked for by its branch. @default false */
  readonly discover?: boolean;
  /** The branch to look for; empty is that of the checkout. @default "" */
  readonly branch?: string;
  /** Where to look; empty is the repository of the work item. @default "" */
  readonly repository?: string;
  /** Whose branch it is. @default "" */
  readonly headOwner?: string;
}

/** What `getStandingSession` is told. */
export interface GetStandingSessionInput {
  /** Its name. */
  readonly name: string;
}

/** What `createStandingSession` is told. */
export interface CreateStandingSessionInput {
  /** Its name. */
  readonly name: string;
  /** The make of the agent; no effect on workers of ours. @default "" */
  readonly harness?: string;
  /** Its working directory. @default "" */
  readonly cwd?: string;
  /** Its first message. @default "" */
  readonly prompt?: string;
  /** What it is for, in a line. @default "" */
  readonly description?: string;
  /** Arguments of the agent of a member of another make. @default null */
  readonly harnessArgs?: readonly string[] | null;
  /** Whether it is told of in Slack, on a member of another make. @default false */
  readonly slackEnabled?: boolean;
  /** Where in Slack. @default "" */
  readonly slackChannel?: string;
  /** Whether it is started with the instance. @default true */
  readonly autoStart?: boolean;
  /** Whether it is started now. @default true */
  readonly start?: boolean;
}

/** What `deleteStandingSession` is told. */
export interface DeleteStandingSessionInput {
  /** Its name. */
  readonly name: string;
}

/** What `controlStandingSession` is told. */
export interface ControlStandingSessionInput {
  /** Its name; empty is all. @default "" */
  readonly name?: string;
  /** What to do. */
  readonly verb: 'start' | 'stop' | 'restart';
}

/** What `sayToStandingSession` is told. */
export interface SayToStandingSessionInput {
  /** Its name. */
  readonly name: string;
  /** What is said. */
  readonly text: string;
  /** Who says it; for the audit only. @default "" */
  readonly actor?: string;
}

/** What `controlDaemon` is told. */
export interface ControlDaemonInput {
  /** Its name. */
  readonly daemon: string;
  /** `start` or `stop`. */
  readonly verb: string;
}

/** What `graphShow` is told. */
export interface GraphShowInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** A pull request by its number, whose own graph is meant. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `graphCheck` is told. */
export interface GraphCheckInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The work item by its ref, or its directory below the specifications. */
  readonly workItem: string;
  /** Whether gates are asked again; no effect on workers of ours. @default false */
  readonly recompute?: boolean;
  /** A pull request by its number, whose own graph is meant; null is that of the work item. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `graphComplete` is told. */
export interface GraphCompleteInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The work item by its ref, or its directory below the specifications. */
  readonly workItem: string;
  /** The node; empty is the current one. @default "" */
  readonly node?: string;
  /** Who does it; for the audit only. @default "" */
  readonly actor?: string;
  /** The ref to record, where `workItem` is a directory. @default "" */
  readonly ref?: string;
  /** A pull request by its number, whose own graph is meant; null is that of the work item. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `graphAdvance` is told. */
export interface GraphAdvanceInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The work item by its ref, or its directory below the specifications. */
  readonly workItem: string;
  /** The ref to record, where `workItem` is a directory. @default "" */
  readonly ref?: string;
  /** A pull request by its number, whose own graph is meant; null is that of the work item. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `graphForce` is told. */
export interface GraphForceInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The work item by its ref, or its directory below the specifications. */
  readonly workItem: string;
  /** The node. */
  readonly toNode: string;
  /** Why. */
  readonly reason: string;
  /** Who does it; for the audit only. @default "" */
  readonly actor?: string;
  /** The ref to record, where `workItem` is a directory. @default "" */
  readonly ref?: string;
  /** A pull request by its number, whose own graph is meant; null is that of the work item. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `graphSkip` is told. */
export interface GraphSkipInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The work item by its ref, or its directory below the specifications. */
  readonly workItem: string;
  /** The nodes. */
  readonly nodes: readonly string[];
  /** Why. */
  readonly reason: string;
  /** Who does it; for the audit only. @default "" */
  readonly actor?: string;
  /** The ref to record, where `workItem` is a directory. @default "" */
  readonly ref?: string;
  /** A pull request by its number, whose own graph is meant; null is that of the work item. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `graphRepos` is told. */
export interface GraphReposInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The work item by its ref, or its directory below the specifications. */
  readonly workItem: string;
  /** All of them, in place of those that were declared; null only reads. @default null */
  readonly repositories?: readonly string[] | null;
  /** Whether the declaration is taken back. @default false */
  readonly clear?: boolean;
  /** The ref to record, where `workItem` is a directory. @default "" */
  readonly ref?: string;
  /** A pull request by its number, whose own graph is meant; null is that of the work item. @default null */
  readonly pr?: number | null;
  /** The repository of `pr`. @default "" */
  readonly prRepo?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
}

/** What `repoScenarios` is told. */
export interface RepoScenariosInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** Glob patterns of the files that are read; repeat the parameter for several. @default [] */
  readonly glob?: readonly string[];
}

/** What `repoInstructions` is told. */
export interface RepoInstructionsInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** Documents to look for; repeat the parameter for several. @default [] */
  readonly doc?: readonly string[];
  /** What a document that is missing means to a member of another make. @default "warn" */
  readonly onMissing?: string;
}

/** What `repoCritics` is told. */
export interface RepoCriticsInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
}

/** What `repoReviewPolicy` is told. */
export interface RepoReviewPolicyInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
}

/** What `repoCriticRun` is told. */
export interface RepoCriticRunInput {
  /** The checkout, a path on the machine of the instance that answers. */
  readonly repo: string;
  /** The critic. */
  readonly name: string;
  /** What to look at; empty is what its configuration says. @default "" */
  readonly prompt?: string;
  /** A file with the prompt, below the checkout. @default "" */
  readonly promptFile?: string;
  /** The work item that the review is for. @default "" */
  readonly workItem?: string;
  /** Where the specifications are, below the checkout; empty is the default. @default "" */
  readonly specDir?: string;
  /** Most that it may take, in seconds. @default null */
  readonly timeout?: number | null;
  /** Where it is run; empty is the checkout. @default "" */
  readonly cwd?: string;
}

/** What `queryEvents` is told. */
export interface QueryEventsInput {
  /** Glob patterns over the type; repeat the parameter to match any of several. @default [] */
  readonly type?: readonly string[];
  /** Only events of this work item. */
  readonly workItem?: string;
  /** Only events of this delivery. */
  readonly deliveryId?: string;
  /** Only events written by this part of an instance. */
  readonly source?: string;
  /** The least level, inclusive. */
  readonly level?: 'debug' | 'info' | 'warning' | 'error';
  /** Only events at or after this instant, ISO 8601 in UTC. */
  readonly since?: string;
  /** How many of the newest events are kept; 0 keeps all, up to 100,000. @default 50 */
  readonly limit?: number;
}

/** What `streamEvents` is told. */
export interface StreamEventsInput {
  /** Only events of these work items; at most 64. @default [] */
  readonly workItem?: readonly string[];
  /** Refs whose transcripts are watched; at most 64. @default [] */
  readonly transcript?: readonly string[];
}

/** One method for each operation whose answer is a document. */
export interface ClientOperations {
  /** Whether the instance and, on a manager, its members do their work: `GET /api/v1/health`. */
  health(instance?: string): Promise<Health>;
  /** Who the instance is and what it manages: `GET /api/v1/instance`. */
  instance(instance?: string): Promise<Instance>;
  /** The fleet, own row first: `GET /api/v1/instances`. */
  instances(): Promise<Fleet>;
  /** Add a member to a manager's registry: `POST /api/v1/instances/register`. */
  registerInstance(input: RegisterInstanceInput): Promise<RegistryUpdate>;
  /** Remove a member from a manager's registry: `POST /api/v1/instances/unregister`. */
  unregisterInstance(input: UnregisterInstanceInput): Promise<RegistryUpdate>;
  /** The configuration file as authored: `GET /api/v1/config`. */
  getConfig(instance?: string): Promise<ConfigDocument>;
  /** Change the configuration file: `POST /api/v1/config`. */
  updateConfig(input: UpdateConfigInput, instance?: string): Promise<ConfigUpdate>;
  /** The JSON Schema of the configuration: `GET /api/v1/config/schema`. */
  getConfigSchema(instance?: string): Promise<Readonly<Record<string, unknown>>>;
  /** Start the process again: `POST /api/v1/restart`. */
  restart(input?: RestartInput, instance?: string): Promise<Restart>;
  /** Every work item, ordered by ref and instance: `GET /api/v1/work-items`. */
  listWorkItems(): Promise<readonly WorkItem[]>;
  /** One work item: `GET /api/v1/work-items/one`. */
  getWorkItem(input: GetWorkItemInput, instance?: string): Promise<WorkItem>;
  /** Comment on a ticket: `POST /api/v1/work-items/comments`. */
  postWorkItemComment(input: PostWorkItemCommentInput, instance?: string): Promise<TrackerAnswer>;
  /** A ticket as its tracker has it: `GET /api/v1/work-items/ticket`. */
  getTicket(input: GetTicketInput, instance?: string): Promise<TrackerAnswer>;
  /** Open a ticket: `POST /api/v1/work-items/tickets`. */
  createTicket(input: CreateTicketInput, instance?: string): Promise<TrackerAnswer>;
  /** Close a ticket: `POST /api/v1/work-items/tickets/close`. */
  closeTicket(input: CloseTicketInput, instance?: string): Promise<TrackerAnswer>;
  /** Open a pull request for a work item: `POST /api/v1/work-items/pull-requests`. */
  createPullRequest(input: CreatePullRequestInput, instance?: string): Promise<TrackerAnswer>;
  /** State, checks and mergeability of a pull request: `GET /api/v1/pull-requests/status`. */
  getPullRequestStatus(input: GetPullRequestStatusInput, instance?: string): Promise<TrackerAnswer>;
  /** Review threads of a pull request: `GET /api/v1/pull-requests/threads`. */
  listPullRequestThreads(input: ListPullRequestThreadsInput, instance?: string): Promise<TrackerAnswer>;
  /** Resolve a review thread: `POST /api/v1/pull-requests/threads/resolve`. */
  resolveReviewThread(input: ResolveReviewThreadInput, instance?: string): Promise<TrackerAnswer>;
  /** Merge a pull request: `POST /api/v1/pull-requests/merge`. */
  mergePullRequest(input: MergePullRequestInput, instance?: string): Promise<TrackerAnswer>;
  /** Checks of the head of a pull request: `GET /api/v1/pull-requests/checks`. */
  listPullRequestChecks(input: ListPullRequestChecksInput, instance?: string): Promise<TrackerAnswer>;
  /** Take a pull request out of draft: `POST /api/v1/pull-requests/ready`. */
  markPullRequestReady(input: MarkPullRequestReadyInput, instance?: string): Promise<TrackerAnswer>;
  /** Every session: `GET /api/v1/sessions`. */
  listSessions(input?: ListSessionsInput): Promise<readonly Session[]>;
  /** One session: `GET /api/v1/sessions/one`. */
  getSession(input: GetSessionInput, instance?: string): Promise<Session>;
  /** What was said and done in a session: `GET /api/v1/sessions/transcript`. */
  sessionTranscript(input: SessionTranscriptInput, instance?: string): Promise<Transcript>;
  /** Create the session of a ref: `POST /api/v1/sessions/register`. */
  registerSession(input: RegisterSessionInput, instance?: string): Promise<SessionRegistration>;
  /** Deliver an operator's text to a session: `POST /api/v1/sessions/reply`. */
  replySession(input: ReplySessionInput, instance?: string): Promise<SessionReply>;
  /** Start, pause, resume, stop or clean up a session: `POST /api/v1/sessions/control`. */
  controlSession(input: ControlSessionInput, instance?: string): Promise<SessionControl>;
  /** Complete the work of a session: `POST /api/v1/sessions/close`. */
  closeSession(input: CloseSessionInput, instance?: string): Promise<SessionClose>;
  /** Record a pull request as one that delivers the work item: `POST /api/v1/sessions/link-pr`. */
  linkSessionPullRequest(input: LinkSessionPullRequestInput, instance?: string): Promise<PullRequestLink>;
  /** Every standing session, declared or created: `GET /api/v1/standing-sessions`. */
  listStandingSessions(): Promise<readonly StandingSession[]>;
  /** One standing session: `GET /api/v1/standing-sessions/one`. */
  getStandingSession(input: GetStandingSessionInput, instance?: string): Promise<StandingSession>;
  /** Create a standing session: `POST /api/v1/standing-sessions/create`. */
  createStandingSession(input: CreateStandingSessionInput, instance?: string): Promise<StandingOutcome>;
  /** Stop a created standing session and forget it: `POST /api/v1/standing-sessions/delete`. */
  deleteStandingSession(input: DeleteStandingSessionInput, instance?: string): Promise<StandingOutcome>;
  /** Start, stop or restart standing sessions: `POST /api/v1/standing-sessions/control`. */
  controlStandingSession(input: ControlStandingSessionInput, instance?: string): Promise<StandingOutcome>;
  /** Say something to a standing session: `POST /api/v1/standing-sessions/say`. */
  sayToStandingSession(input: SayToStandingSessionInput, instance?: string): Promise<StandingReply>;
  /** What waits for a person: `GET /api/v1/attention`. */
  listAttention(): Promise<readonly Attention[]>;
  /** Background services of the instances: `GET /api/v1/daemons`. */
  listDaemons(): Promise<readonly Daemon[]>;
  /** Start or stop a background service: `POST /api/v1/daemons/control`. */
  controlDaemon(input: ControlDaemonInput, instance?: string): Promise<DaemonControl>;
  /** The process graph of a checkout: `GET /api/v1/graph`. */
  graphShow(input: GraphShowInput, instance?: string): Promise<Graph>;
  /** Where a work item stands in its graph: `POST /api/v1/graph/check`. */
  graphCheck(input: GraphCheckInput, instance?: string): Promise<GraphCheck>;
  /** Complete a node: `POST /api/v1/graph/complete`. */
  graphComplete(input: GraphCompleteInput, instance?: string): Promise<GraphAnswer>;
  /** Evaluate the current node again and move on: `POST /api/v1/graph/advance`. */
  graphAdvance(input: GraphAdvanceInput, instance?: string): Promise<GraphAnswer>;
  /** Move a work item to a node: `POST /api/v1/graph/force`. */
  graphForce(input: GraphForceInput, instance?: string): Promise<GraphAnswer>;
  /** Declare nodes as skipped: `POST /api/v1/graph/skip`. */
  graphSkip(input: GraphSkipInput, instance?: string): Promise<GraphAnswer>;
  /** Read or declare the repositories that a work item is about: `POST /api/v1/graph/repos`. */
  graphRepos(input: GraphReposInput, instance?: string): Promise<GraphAnswer>;
  /** The scenario table of a checkout: `GET /api/v1/repo/scenarios`. */
  repoScenarios(input: RepoScenariosInput, instance?: string): Promise<RepoScenarios>;
  /** The instruction documents of a checkout: `GET /api/v1/repo/instructions`. */
  repoInstructions(input: RepoInstructionsInput, instance?: string): Promise<RepoInstructions>;
  /** The critics that can review a checkout: `GET /api/v1/repo/critics`. */
  repoCritics(input: RepoCriticsInput, instance?: string): Promise<readonly Critic[]>;
  /** Which reviews a checkout asks for: `GET /api/v1/repo/critics/policy`. */
  repoReviewPolicy(input: RepoReviewPolicyInput, instance?: string): Promise<RepoAnswer>;
  /** Have a critic review the changes of a checkout: `POST /api/v1/repo/critics/run`. */
  repoCriticRun(input: RepoCriticRunInput, instance?: string): Promise<RepoAnswer>;
  /** The event log, oldest first, cut to the newest: `GET /api/v1/events`. */
  queryEvents(input?: QueryEventsInput): Promise<readonly Event[]>;
  /** Every type of event with its meaning: `GET /api/v1/events/types`. */
  eventTypes(): Promise<Readonly<Record<string, string>>>;
}

/** How each method is asked. */
export const CLIENT_OPERATIONS = {
  health: { operationId: 'health', method: 'GET', path: '/api/v1/health', takesInput: false, takesInstance: true },
  instance: { operationId: 'getInstance', method: 'GET', path: '/api/v1/instance', takesInput: false, takesInstance: true },
  instances: { operationId: 'listInstances', method: 'GET', path: '/api/v1/instances', takesInput: false, takesInstance: false },
  registerInstance: { operationId: 'registerInstance', method: 'POST', path: '/api/v1/instances/register', takesInput: true, takesInstance: false },
  unregisterInstance: { operationId: 'unregisterInstance', method: 'POST', path: '/api/v1/instances/unregister', takesInput: true, takesInstance: false },
  getConfig: { operationId: 'getConfig', method: 'GET', path: '/api/v1/config', takesInput: false, takesInstance: true },
  updateConfig: { operationId: 'updateConfig', method: 'POST', path: '/api/v1/config', takesInput: true, takesInstance: true },
  getConfigSchema: { operationId: 'getConfigSchema', method: 'GET', path: '/api/v1/config/schema', takesInput: false, takesInstance: true },
  restart: { operationId: 'restart', method: 'POST', path: '/api/v1/restart', takesInput: true, takesInstance: true },
  listWorkItems: { operationId: 'listWorkItems', method: 'GET', path: '/api/v1/work-items', takesInput: false, takesInstance: false },
  getWorkItem: { operationId: 'getWorkItem', method: 'GET', path: '/api/v1/work-items/one', takesInput: true, takesInstance: true },
  postWorkItemComment: { operationId: 'postWorkItemComment', method: 'POST', path: '/api/v1/work-items/comments', takesInput: true, takesInstance: true },
  getTicket: { operationId: 'getTicket', method: 'GET', path: '/api/v1/work-items/ticket', takesInput: true, takesInstance: true },
  createTicket: { operationId: 'createTicket', method: 'POST', path: '/api/v1/work-items/tickets', takesInput: true, takesInstance: true },
  closeTicket: { operationId: 'closeTicket', method: 'POST', path: '/api/v1/work-items/tickets/close', takesInput: true, takesInstance: true },
  createPullRequest: { operationId: 'createPullRequest', method: 'POST', path: '/api/v1/work-items/pull-requests', takesInput: true, takesInstance: true },
  getPullRequestStatus: { operationId: 'getPullRequestStatus', method: 'GET', path: '/api/v1/pull-requests/status', takesInput: true, takesInstance: true },
  listPullRequestThreads: { operationId: 'listPullRequestThreads', method: 'GET', path: '/api/v1/pull-requests/threads', takesInput: true, takesInstance: true },
  resolveReviewThread: { operationId: 'resolveReviewThread', method: 'POST', path: '/api/v1/pull-requests/threads/resolve', takesInput: true, takesInstance: true },
  mergePullRequest: { operationId: 'mergePullRequest', method: 'POST', path: '/api/v1/pull-requests/merge', takesInput: true, takesInstance: true },
  listPullRequestChecks: { operationId: 'listPullRequestChecks', method: 'GET', path: '/api/v1/pull-requests/checks', takesInput: true, takesInstance: true },
  markPullRequestReady: { operationId: 'markPullRequestReady', method: 'POST', path: '/api/v1/pull-requests/ready', takesInput: true, takesInstance: true },
  listSessions: { operationId: 'listSessions', method: 'GET', path: '/api/v1/sessions', takesInput: true, takesInstance: false },
  getSession: { operationId: 'getSession', method: 'GET', path: '/api/v1/sessions/one', takesInput: true, takesInstance: true },
  sessionTranscript: { operationId: 'sessionTranscript', method: 'GET', path: '/api/v1/sessions/transcript', takesInput: true, takesInstance: true },
  registerSession: { operationId: 'registerSession', method: 'POST', path: '/api/v1/sessions/register', takesInput: true, takesInstance: true },
  replySession: { operationId: 'replySession', method: 'POST', path: '/api/v1/sessions/reply', takesInput: true, takesInstance: true },
  controlSession: { operationId: 'controlSession', method: 'POST', path: '/api/v1/sessions/control', takesInput: true, takesInstance: true },
  closeSession: { operationId: 'closeSession', method: 'POST', path: '/api/v1/sessions/close', takesInput: true, takesInstance: true },
  linkSessionPullRequest: { operationId: 'linkSessionPullRequest', method: 'POST', path: '/api/v1/sessions/link-pr', takesInput: true, takesInstance: true },
  listStandingSessions: { operationId: 'listStandingSessions', method: 'GET', path: '/api/v1/standing-sessions', takesInput: false, takesInstance: false },
  getStandingSession: { operationId: 'getStandingSession', method: 'GET', path: '/api/v1/standing-sessions/one', takesInput: true, takesInstance: true },
  createStandingSession: { operationId: 'createStandingSession', method: 'POST', path: '/api/v1/standing-sessions/create', takesInput: true, takesInstance: true },
  deleteStandingSession: { operationId: 'deleteStandingSession', method: 'POST', path: '/api/v1/standing-sessions/delete', takesInput: true, takesInstance: true },
  controlStandingSession: { operationId: 'controlStandingSession', method: 'POST', path: '/api/v1/standing-sessions/control', takesInput: true, takesInstance: true },
  sayToStandingSession: { operationId: 'sayToStandingSession', method: 'POST', path: '/api/v1/standing-sessions/say', takesInput: true, takesInstance: true },
  listAttention: { operationId: 'listAttention', method: 'GET', path: '/api/v1/attention', takesInput: false, takesInstance: false },
  listDaemons: { operationId: 'listDaemons', method: 'GET', path: '/api/v1/daemons', takesInput: false, takesInstance: false },
  controlDaemon: { operationId: 'controlDaemon', method: 'POST', path: '/api/v1/daemons/control', takesInput: true, takesInstance: true },
  graphShow: { operationId: 'graphShow', method: 'GET', path: '/api/v1/graph', takesInput: true, takesInstance: true },
  graphCheck: { operationId: 'graphCheck', method: 'POST', path: '/api/v1/graph/check', takesInput: true, takesInstance: true },
  graphComplete: { operationId: 'graphComplete', method: 'POST', path: '/api/v1/graph/complete', takesInput: true, takesInstance: true },
  graphAdvance: { operationId: 'graphAdvance', method: 'POST', path: '/api/v1/graph/advance', takesInput: true, takesInstance: true },
  graphForce: { operationId: 'graphForce', method: 'POST', path: '/api/v1/graph/force', takesInput: true, takesInstance: true },
  graphSkip: { operationId: 'graphSkip', method: 'POST', path: '/api/v1/graph/skip', takesInput: true, takesInstance: true },
  graphRepos: { operationId: 'graphRepos', method: 'POST', path: '/api/v1/graph/repos', takesInput: true, takesInstance: true },
  repoScenarios: { operationId: 'repoScenarios', method: 'GET', path: '/api/v1/repo/scenarios', takesInput: true, takesInstance: true },
  repoInstructions: { operationId: 'repoInstructions', method: 'GET', path: '/api/v1/repo/instructions', takesInput: true, takesInstance: true },
  repoCritics: { operationId: 'repoCritics', method: 'GET', path: '/api/v1/repo/critics', takesInput: true, takesInstance: true },
  repoReviewPolicy: { operationId: 'repoReviewPolicy', method: 'GET', path: '/api/v1/repo/critics/policy', takesInput: true, takesInstance: true },
  repoCriticRun: { operationId: 'repoCriticRun', method: 'POST', path: '/api/v1/repo/critics/run', takesInput: true, takesInstance: true },
  queryEvents: { operationId: 'queryEvents', method: 'GET', path: '/api/v1/events', takesInput: true, takesInstance: false },
  eventTypes: { operationId: 'eventTypes', method: 'GET', path: '/api/v1/events/types', takesInput: false, takesInstance: false },
} as const;
