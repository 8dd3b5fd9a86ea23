import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** How many: a JSON number from 0 to 2^53 - 1. */
  Count: { input: number; output: number; }
  /** An instant as ISO 8601 text in UTC with milliseconds. */
  DateTime: { input: string; output: string; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  /** A position in an instance's event log: a JSON number from 0 to 2^53 - 1. 0 is before the first event. */
  Offset: { input: number; output: number; }
  _FieldSet: { input: string; output: string; }
};

export type AttentionItem = {
  readonly __typename?: 'AttentionItem';
  /** Of the event behind a `recent-error`. */
  readonly at?: Maybe<Scalars['DateTime']['output']>;
  readonly detail: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  /** `session-paused`, `armed-without-session`, `awaiting-input` or `recent-error`. */
  readonly kind: Scalars['String']['output'];
  readonly record?: Maybe<Scalars['JSON']['output']>;
  /** Empty for an error that is about no work item. */
  readonly ref: Scalars['String']['output'];
};

export type AuditEntry = {
  readonly __typename?: 'AuditEntry';
  readonly accepted: Scalars['Boolean']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly messageId: Scalars['ID']['output'];
  readonly participant: Scalars['ID']['output'];
  /** Why it was refused. */
  readonly reason?: Maybe<Scalars['String']['output']>;
};

export type BudgetName =
  | 'COST'
  /** The instance's own; the next message to the task tries again, and so does a heartbeat that finds it raised. */
  | 'INSTANCE'
  | 'TOKENS'
  | 'TURNS';

/** What a channel says about a message of it; the default channel of a task has the task's id. */
export type ChannelFacts = {
  readonly __typename?: 'ChannelFacts';
  readonly channelId: Scalars['ID']['output'];
  /** `help_request`: somebody is asked. */
  readonly kind: Scalars['String']['output'];
};

/** What is said about a checkout on an instance's machine, as the REST contract documents it. */
export type CheckoutAnswer = {
  readonly __typename?: 'CheckoutAnswer';
  readonly answer: Scalars['JSON']['output'];
  /** Set where another instance answers. */
  readonly instance?: Maybe<Scalars['String']['output']>;
};

export type Command = {
  readonly __typename?: 'Command';
  readonly description: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly usage: Scalars['String']['output'];
};

export type CommandReply = {
  readonly __typename?: 'CommandReply';
  readonly data?: Maybe<Scalars['JSON']['output']>;
  /** Code of a failed command, such as `command.unknown`. */
  readonly error?: Maybe<Scalars['String']['output']>;
  readonly instance: Scalars['String']['output'];
  readonly messageId: Scalars['ID']['output'];
  /** The command's name, without the slash. */
  readonly name: Scalars['String']['output'];
  readonly ok: Scalars['Boolean']['output'];
  readonly ref: Scalars['ID']['output'];
  readonly text: Scalars['String']['output'];
};

export type ConfigDocument = {
  readonly __typename?: 'ConfigDocument';
  readonly config: Scalars['JSON']['output'];
  readonly exists: Scalars['Boolean']['output'];
  /** Set where the document is another instance's. */
  readonly instance?: Maybe<Scalars['String']['output']>;
  readonly path: Scalars['String']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly version: Scalars['String']['output'];
};

export type ConfigUpdate = {
  readonly __typename?: 'ConfigUpdate';
  /** Dotted paths of the keys whose value changed. */
  readonly changed: ReadonlyArray<Scalars['String']['output']>;
  readonly config: Scalars['JSON']['output'];
  readonly exists: Scalars['Boolean']['output'];
  /** On register and unregister, the member's name; else set where the file is another instance's. */
  readonly instance?: Maybe<Scalars['String']['output']>;
  readonly path: Scalars['String']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  /** Those of them that are read only at start. */
  readonly restartRequired: ReadonlyArray<Scalars['String']['output']>;
  readonly written: Scalars['Boolean']['output'];
};

/** The last command that was recorded for a work item. */
export type ControlCommand = {
  readonly __typename?: 'ControlCommand';
  readonly actor: Scalars['String']['output'];
  /** `start`, `stop`, `pause`, `resume` or `cleanup`. */
  readonly command: Scalars['String']['output'];
  readonly requestedAt: Scalars['DateTime']['output'];
  /** Where it came from, such as `api`. */
  readonly source: Scalars['String']['output'];
};

export type CreateTaskInput = {
  readonly acceptanceCriteria?: InputMaybe<ReadonlyArray<CriterionInput>>;
  /** Default: that of the configuration. */
  readonly budget?: InputMaybe<TaskBudgetInput>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** Default: the message. */
  readonly goal?: InputMaybe<Scalars['String']['input']>;
  /** CONVERSATION waits for the next message after each reply; DELEGATED completes with its first one. The others are not created by hand. */
  readonly lifecycle?: InputMaybe<TaskLifecycle>;
  /** The first message. Without one, or with an empty one, the task waits for it. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Of the first message, and of the creation also without one: an id that was sent before is answered with its task. */
  readonly messageId?: InputMaybe<Scalars['ID']['input']>;
  /** Default: the first line of the message, cut at 60 characters. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Who sends the message; default `operator`. Becomes the task's reporter. */
  readonly participant?: InputMaybe<Scalars['String']['input']>;
  readonly participants?: InputMaybe<ReadonlyArray<ParticipantInput>>;
  /** Default: `flotilla:<instance>/task#<n>`, numbered by the instance. */
  readonly ref?: InputMaybe<Scalars['ID']['input']>;
  readonly settings?: InputMaybe<TaskSettingsInput>;
};

/** What the task has to meet. */
export type Criterion = {
  readonly __typename?: 'Criterion';
  readonly met: Scalars['Boolean']['output'];
  readonly text: Scalars['String']['output'];
};

export type CriterionInput = {
  readonly met?: InputMaybe<Scalars['Boolean']['input']>;
  readonly text: Scalars['String']['input'];
};

export type Daemon = {
  readonly __typename?: 'Daemon';
  readonly instance: Scalars['String']['output'];
  readonly lastCycleAt?: Maybe<Scalars['DateTime']['output']>;
  readonly name: Scalars['String']['output'];
  /** 0 while it does not run. */
  readonly pid: Scalars['Int']['output'];
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly running: Scalars['Boolean']['output'];
  readonly startedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type DaemonControl = {
  readonly __typename?: 'DaemonControl';
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly output: Scalars['String']['output'];
  readonly pid: Scalars['Int']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly running: Scalars['Boolean']['output'];
  readonly verb: Scalars['String']['output'];
};

export type Effort =
  | 'HIGH'
  | 'LOW'
  | 'MEDIUM'
  | 'MINIMAL'
  | 'NONE'
  | 'XHIGH';

export type EventConnection = {
  readonly __typename?: 'EventConnection';
  readonly edges: ReadonlyArray<EventEdge>;
  readonly nodes: ReadonlyArray<EventRecord>;
  readonly pageInfo: PageInfo;
};

export type EventEdge = {
  readonly __typename?: 'EventEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: EventRecord;
};

export type EventFilter = {
  /** The least level. */
  readonly level?: InputMaybe<EventLevel>;
  readonly ref?: InputMaybe<Scalars['ID']['input']>;
  /** Only events at or after this instant. */
  readonly since?: InputMaybe<Scalars['DateTime']['input']>;
  readonly source?: InputMaybe<Scalars['String']['input']>;
  /** Glob patterns over the type, any of them: `task.*`. */
  readonly types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type EventLevel =
  | 'DEBUG'
  | 'ERROR'
  | 'INFO'
  | 'WARNING';

/** One record of an instance's event log. */
export type EventRecord = {
  readonly __typename?: 'EventRecord';
  readonly at: Scalars['DateTime']['output'];
  /** The reader's position after this record: an offset on a worker, `name=offset,…` on a manager. */
  readonly cursor: Scalars['String']['output'];
  readonly data: Scalars['JSON']['output'];
  readonly instance: Scalars['String']['output'];
  readonly level: EventLevel;
  readonly offset: Scalars['Offset']['output'];
  readonly pid: Scalars['Int']['output'];
  readonly ref?: Maybe<Scalars['ID']['output']>;
  readonly source: Scalars['String']['output'];
  readonly type: Scalars['String']['output'];
};

export type EventType = {
  readonly __typename?: 'EventType';
  readonly meaning: Scalars['String']['output'];
  readonly name: Scalars['ID']['output'];
};

export type FleetRoute =
  /** Goes to the one instance that manages `workItem`, else `ref`; to the own half when nobody does. */
  | 'ACTING_MEMBER'
  /** Own state unless `instance` names a member. */
  | 'BY_INSTANCE'
  /** Goes to the one instance that manages `ref`. */
  | 'BY_REF'
  /** Goes to the one instance that lists the standing session. */
  | 'BY_STANDING_NAME'
  /** A subscription over every live member. */
  | 'FAN_IN'
  /** Answered by this process, whatever its role. */
  | 'SELF'
  /** Own document unless `instance` names a member. */
  | 'SELF_OR_INSTANCE'
  /** Goes to every live member; rows are concatenated, stamped, ordered and paged. */
  | 'UNION';

export type Health = {
  readonly __typename?: 'Health';
  readonly configPath: Scalars['String']['output'];
  readonly ingresses: ReadonlyArray<Ingress>;
  readonly instance?: Maybe<Scalars['String']['output']>;
  /** A manager's own answer: its members and their state. Empty on a worker. */
  readonly instances: ReadonlyArray<HealthMember>;
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly role: InstanceRole;
  readonly stateRoot: Scalars['String']['output'];
  /** `ok` or `degraded`. */
  readonly status: Scalars['String']['output'];
  readonly version: Scalars['String']['output'];
};

export type HealthMember = {
  readonly __typename?: 'HealthMember';
  readonly detail: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly state: InstanceState;
  readonly url: Scalars['String']['output'];
};

/** Where a need for help goes. */
export type HelpRoute = {
  readonly __typename?: 'HelpRoute';
  readonly acceptanceCriteria: ReadonlyArray<Scalars['String']['output']>;
  readonly goal?: Maybe<Scalars['String']['output']>;
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly options: ReadonlyArray<Scalars['String']['output']>;
  readonly participant: Scalars['ID']['output'];
  readonly question?: Maybe<Scalars['String']['output']>;
  /** Why it goes there. */
  readonly reason?: Maybe<Scalars['String']['output']>;
  readonly route: HelpRouteKind;
};

export type HelpRouteKind =
  /** A question to the participant, as `ask_participant` puts it. */
  | 'ASK'
  /** A task for the participant, as `create_task_for_participant` starts it. */
  | 'CREATE_TASK';

export type HistoryConnection = {
  readonly __typename?: 'HistoryConnection';
  readonly edges: ReadonlyArray<HistoryEdge>;
  readonly nodes: ReadonlyArray<HistoryItem>;
  readonly pageInfo: PageInfo;
};

export type HistoryEdge = {
  readonly __typename?: 'HistoryEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: HistoryItem;
};

export type HistoryItem = HistoryMessage | HistoryToolCall | HistoryToolResult;

export type HistoryMessage = {
  readonly __typename?: 'HistoryMessage';
  readonly at: Scalars['DateTime']['output'];
  readonly id: Scalars['Int']['output'];
  /** Who wrote it; null for the task's own agent and for notes of the harness. */
  readonly participant?: Maybe<Scalars['String']['output']>;
  readonly role: HistoryRole;
  readonly text: Scalars['String']['output'];
};

export type HistoryRole =
  | 'ASSISTANT'
  | 'NOTE'
  | 'USER';

export type HistoryToolCall = {
  readonly __typename?: 'HistoryToolCall';
  readonly arguments: Scalars['JSON']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly callId: Scalars['ID']['output'];
  readonly id: Scalars['Int']['output'];
  readonly tool: Scalars['String']['output'];
};

export type HistoryToolResult = {
  readonly __typename?: 'HistoryToolResult';
  readonly at: Scalars['DateTime']['output'];
  readonly callId: Scalars['ID']['output'];
  readonly id: Scalars['Int']['output'];
  readonly isError: Scalars['Boolean']['output'];
  readonly text: Scalars['String']['output'];
  readonly tool: Scalars['String']['output'];
};

export type Ingress = {
  readonly __typename?: 'Ingress';
  readonly detail?: Maybe<Scalars['String']['output']>;
  readonly enabled: Scalars['Boolean']['output'];
  readonly name: Scalars['String']['output'];
  readonly running: Scalars['Boolean']['output'];
};

/** A row of the fleet. */
export type Instance = {
  readonly __typename?: 'Instance';
  /** Why the instance is not live. */
  readonly detail?: Maybe<Scalars['String']['output']>;
  readonly managedCount: Scalars['Int']['output'];
  /** The scope mode; empty unless live. */
  readonly mode: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly probedAt: Scalars['DateTime']['output'];
  readonly role?: Maybe<InstanceRole>;
  readonly sessionCount: Scalars['Int']['output'];
  readonly state: InstanceState;
  readonly url: Scalars['String']['output'];
  /** Empty unless live and known. */
  readonly version: Scalars['String']['output'];
};

export type InstanceDocument = {
  readonly __typename?: 'InstanceDocument';
  /** Set where the document is another instance's. */
  readonly instance?: Maybe<Scalars['String']['output']>;
  /** Refs the instance answers for: declared, with an open task, or with a recorded command. */
  readonly managed: ReadonlyArray<ManagedItem>;
  readonly name: Scalars['String']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly role: InstanceRole;
  readonly scope: InstanceScope;
  /** Open sessions of this instance itself. */
  readonly sessionCount: Scalars['Int']['output'];
  readonly version: Scalars['String']['output'];
};

export type InstanceRole =
  | 'MANAGER'
  | 'WORKER';

export type InstanceScope = {
  readonly __typename?: 'InstanceScope';
  readonly mode: Scalars['String']['output'];
  readonly workItems: ReadonlyArray<Scalars['ID']['output']>;
};

export type InstanceState =
  | 'LIVE'
  | 'MISMATCHED'
  | 'UNREACHABLE';

export type ManagedItem = {
  readonly __typename?: 'ManagedItem';
  /** Set on a manager. */
  readonly instance?: Maybe<Scalars['String']['output']>;
  readonly ref: Scalars['ID']['output'];
  readonly sources: ReadonlyArray<Scalars['String']['output']>;
};

export type MessageReceipt = {
  readonly __typename?: 'MessageReceipt';
  readonly accepted: Scalars['Boolean']['output'];
  /** Events after this cursor tell what became of the message. */
  readonly cursor: Scalars['String']['output'];
  /** The id was seen before; nothing was delivered again. */
  readonly duplicate: Scalars['Boolean']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messageId: Scalars['ID']['output'];
  readonly ref: Scalars['ID']['output'];
  /** Of the task behind the message: WORKING when it wakes the task. Of an answer the state that waited for it: INPUT_REQUIRED. */
  readonly state: TaskState;
};

export type ModelUsage = {
  readonly __typename?: 'ModelUsage';
  readonly cachedTokens: Scalars['Count']['output'];
  readonly cost?: Maybe<Scalars['Float']['output']>;
  readonly inputTokens: Scalars['Count']['output'];
  readonly model: Scalars['String']['output'];
  readonly outputTokens: Scalars['Count']['output'];
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  readonly advanceGraph: CheckoutAnswer;
  /** Answers the open question, by default as the one who is asked. CONFLICT when no question is open, or to somebody else. `messageId` as for `sendMessage`. */
  readonly answerQuestion: MessageReceipt;
  /** Ends a task as CANCELED. */
  readonly cancelTask: Task;
  /** Where a work item stands; `workItem` is its ref, here and below. `pr`, `prRepo` and `specDir` as for `processGraph`. */
  readonly checkGraph: CheckoutAnswer;
  /** Completes the session's task. `keepTmux` says whether a member of another make keeps the session's terminal. */
  readonly closeSession: SessionClose;
  readonly closeTicket: TrackerAnswer;
  /** Completes a node, by default the current one. */
  readonly completeGraph: CheckoutAnswer;
  /** Ends a task as COMPLETED. A running turn is cut short and its late result dropped. */
  readonly completeTask: Task;
  /** `start` or `stop`; doing it twice is doing it once. It holds until the opposite is asked for, through restarts too. */
  readonly controlDaemon: DaemonControl;
  /** Start, pause, resume, stop or cleanup. `comment` as for `replySession`. */
  readonly controlSession: SessionControl;
  /** `start`, `stop` or `restart`. Without a name all those of one instance, which `restart` does not take. */
  readonly controlStanding: StandingOutcome;
  readonly createPullRequest: TrackerAnswer;
  /** Creates a standing session and, unless `start` is false, starts it. `autoStart` starts it with the instance. `harness`, `harnessArgs` and Slack are a member's of another make. */
  readonly createStanding: StandingOutcome;
  /** Creates a task and, when the input has a message, starts its first turn. */
  readonly createTask: Task;
  readonly createTicket: TrackerAnswer;
  /** The repositories that a work item is about: replaced by `repositories`, taken back by `clear`, only read without either. */
  readonly declareGraphRepos: CheckoutAnswer;
  /** Whether there was one. A run that is under way is finished. The heartbeat is there again when the instance is started again. */
  readonly deleteSchedule: Scalars['Boolean']['output'];
  /** Stops a created standing session and forgets it. */
  readonly deleteStanding: StandingOutcome;
  /** Makes the heartbeat, at the configured interval unless another one is given; false, and nothing is changed, when there is one. The next start brings the configured interval back. */
  readonly ensureHeartbeat: Scalars['Boolean']['output'];
  readonly forceGraph: CheckoutAnswer;
  /** Starts a task as a settled copy of a version of another one, conversation included. `newRef`, `messageId` and `participant` as `ref` and theirs in `CreateTaskInput`; `name` is by default that of the other one. Without a `message` the copy waits for it. */
  readonly forkTask: Task;
  /** Leaves a message on the task's channel, where the next heartbeat fetches it; false when one with this `messageId` was left before. Whether the task takes it is told by its `inboxAudit`: nobody is checked before. A slash command runs when it is fetched. TOO_MANY_REQUESTS while 200 messages wait there. */
  readonly leaveMessage: Scalars['Boolean']['output'];
  /** Records a pull request as one that delivers the work item; `discover` has a member with a tracker find it by its branch. */
  readonly linkPullRequest: PullRequestLink;
  readonly markPullRequestReady: TrackerAnswer;
  /** `method` is `merge`, `squash` or `rebase`; `sha` the head that is expected. */
  readonly mergePullRequest: TrackerAnswer;
  /** No new turn starts from now on; a running one is finished, messages queue. */
  readonly pauseTask: Task;
  readonly postComment: TrackerAnswer;
  /** Deletes the newest task with this ref, open or ended, and all that the instance holds of it; what runs for it ends, and its parent takes it for cancelled. Of its events their offsets, types and times stay. Always true. */
  readonly purgeTask: Scalars['Boolean']['output'];
  /** Adds a member to a manager's registry. The member is not contacted. */
  readonly registerInstance: ConfigUpdate;
  /** Creates the session of a ref. With `force` one that is there is taken over, without it that is refused. `harness`, `harnessSessionId` and `cwd` are a member's of another make. */
  readonly registerSession: SessionRegistration;
  /** Delivers an operator's text to the session's task. `comment` says whether a member of another make tells it on the ticket. */
  readonly replySession: SessionReply;
  readonly resolveReviewThread: TrackerAnswer;
  /** Starts the process again on the same address. NOT_SUPPORTED where nobody would start it, and with `withUpgrade`, which only members of another make can do. */
  readonly restart: RestartReceipt;
  readonly resumeTask: Task;
  /** Says where a need for help of the task would go, and does nothing about it: the hooks of `help.decided.in` decide, else the task's model, else a default. `participantId` is who is thought of, `blockingWork` that it is work of theirs. CONFLICT when no route can be taken. */
  readonly routeHelp: HelpRoute;
  /** Runs a slash command and waits for its reply. */
  readonly runCommand: CommandReply;
  /** Has a critic review the changes of a checkout, within `timeout` seconds. */
  readonly runCritic: CheckoutAnswer;
  readonly sayStanding: StandingReply;
  /** Delivers a message durably. A `messageId` that was seen before is answered as a duplicate and not delivered again. `interrupt` cuts the running turn short, so that the message is read at once; of a tool call that is under way the outcome is then not known. */
  readonly sendMessage: MessageReceipt;
  /** Raises, lowers or, with null, lifts limits; those that are not named stay. Only an admin does: CONFLICT for anybody else. A task that a limit held back goes on when none does any more. */
  readonly setTaskBudget: Task;
  readonly skipGraph: CheckoutAnswer;
  /** Removes a member from a manager's registry. */
  readonly unregisterInstance: ConfigUpdate;
  /** Changes the configuration file: `patch` is a JSON Merge Patch (RFC 7396) of the authored document; comments and order are kept. */
  readonly updateConfig: ConfigUpdate;
  /** Replaces what `input` names of the task's own record, and wakes nobody. Only an admin sets `participants`. */
  readonly updateTask: Task;
  /** Effective from the next request to the model. A null sets the instance's default again. */
  readonly updateTaskSettings: Task;
};


export type MutationAdvanceGraphArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  ref?: InputMaybe<Scalars['ID']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  workItem: Scalars['ID']['input'];
};


export type MutationAnswerQuestionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  messageId?: InputMaybe<Scalars['ID']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationCancelTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  reason?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationCheckGraphArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  recompute?: InputMaybe<Scalars['Boolean']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  workItem: Scalars['ID']['input'];
};


export type MutationCloseSessionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  keepTmux?: InputMaybe<Scalars['Boolean']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationCloseTicketArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  reason?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationCompleteGraphArgs = {
  actor?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  node?: InputMaybe<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  ref?: InputMaybe<Scalars['ID']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  workItem: Scalars['ID']['input'];
};


export type MutationCompleteTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text?: InputMaybe<Scalars['String']['input']>;
};


export type MutationControlDaemonArgs = {
  daemon: Scalars['String']['input'];
  instance?: InputMaybe<Scalars['String']['input']>;
  verb: Scalars['String']['input'];
};


export type MutationControlSessionArgs = {
  comment?: InputMaybe<Scalars['Boolean']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  verb: Scalars['String']['input'];
};


export type MutationControlStandingArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  verb: Scalars['String']['input'];
};


export type MutationCreatePullRequestArgs = {
  base?: InputMaybe<Scalars['String']['input']>;
  body?: InputMaybe<Scalars['String']['input']>;
  draft?: InputMaybe<Scalars['Boolean']['input']>;
  head: Scalars['String']['input'];
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  repository?: InputMaybe<Scalars['String']['input']>;
  title: Scalars['String']['input'];
};


export type MutationCreateStandingArgs = {
  autoStart?: InputMaybe<Scalars['Boolean']['input']>;
  cwd?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  harness?: InputMaybe<Scalars['String']['input']>;
  harnessArgs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  instance?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
  prompt?: InputMaybe<Scalars['String']['input']>;
  slackChannel?: InputMaybe<Scalars['String']['input']>;
  slackEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  start?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationCreateTaskArgs = {
  input: CreateTaskInput;
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type MutationCreateTicketArgs = {
  body?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  project?: InputMaybe<Scalars['String']['input']>;
  repository: Scalars['String']['input'];
  title: Scalars['String']['input'];
};


export type MutationDeclareGraphReposArgs = {
  clear?: InputMaybe<Scalars['Boolean']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  ref?: InputMaybe<Scalars['ID']['input']>;
  repo: Scalars['String']['input'];
  repositories?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  specDir?: InputMaybe<Scalars['String']['input']>;
  workItem: Scalars['ID']['input'];
};


export type MutationDeleteScheduleArgs = {
  id: Scalars['ID']['input'];
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type MutationDeleteStandingArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
};


export type MutationEnsureHeartbeatArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  intervalSeconds?: InputMaybe<Scalars['Float']['input']>;
};


export type MutationForceGraphArgs = {
  actor?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  reason: Scalars['String']['input'];
  ref?: InputMaybe<Scalars['ID']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  toNode: Scalars['String']['input'];
  workItem: Scalars['ID']['input'];
};


export type MutationForkTaskArgs = {
  atVersion: Scalars['Int']['input'];
  instance?: InputMaybe<Scalars['String']['input']>;
  message?: InputMaybe<Scalars['String']['input']>;
  messageId?: InputMaybe<Scalars['ID']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  newRef?: InputMaybe<Scalars['ID']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationLeaveMessageArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  messageId?: InputMaybe<Scalars['ID']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationLinkPullRequestArgs = {
  branch?: InputMaybe<Scalars['String']['input']>;
  discover?: InputMaybe<Scalars['Boolean']['input']>;
  headOwner?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  pullRequest?: InputMaybe<Scalars['ID']['input']>;
  ref: Scalars['ID']['input'];
  repository?: InputMaybe<Scalars['String']['input']>;
};


export type MutationMarkPullRequestReadyArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationMergePullRequestArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  method?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  sha?: InputMaybe<Scalars['String']['input']>;
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationPauseTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationPostCommentArgs = {
  body: Scalars['String']['input'];
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationPurgeTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationRegisterInstanceArgs = {
  name: Scalars['String']['input'];
  url: Scalars['String']['input'];
};


export type MutationRegisterSessionArgs = {
  cwd?: InputMaybe<Scalars['String']['input']>;
  force?: InputMaybe<Scalars['Boolean']['input']>;
  harness: Scalars['String']['input'];
  harnessSessionId: Scalars['String']['input'];
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationReplySessionArgs = {
  actor?: InputMaybe<Scalars['String']['input']>;
  comment?: InputMaybe<Scalars['Boolean']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationResolveReviewThreadArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  thread: Scalars['ID']['input'];
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationRestartArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  withUpgrade?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationResumeTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationRouteHelpArgs = {
  blockingWork?: InputMaybe<Scalars['Boolean']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  options?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  participant?: InputMaybe<Scalars['String']['input']>;
  participantId?: InputMaybe<Scalars['ID']['input']>;
  question: Scalars['String']['input'];
  ref: Scalars['ID']['input'];
};


export type MutationRunCommandArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationRunCriticArgs = {
  cwd?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
  prompt?: InputMaybe<Scalars['String']['input']>;
  promptFile?: InputMaybe<Scalars['String']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  timeout?: InputMaybe<Scalars['Float']['input']>;
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationSayStandingArgs = {
  actor?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
  text: Scalars['String']['input'];
};


export type MutationSendMessageArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  interrupt?: InputMaybe<Scalars['Boolean']['input']>;
  messageId?: InputMaybe<Scalars['ID']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationSetTaskBudgetArgs = {
  budget: TaskBudgetInput;
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationSkipGraphArgs = {
  actor?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  nodes: ReadonlyArray<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  reason: Scalars['String']['input'];
  ref?: InputMaybe<Scalars['ID']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  workItem: Scalars['ID']['input'];
};


export type MutationUnregisterInstanceArgs = {
  name: Scalars['String']['input'];
};


export type MutationUpdateConfigArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  patch: Scalars['JSON']['input'];
};


export type MutationUpdateTaskArgs = {
  input: UpdateTaskInput;
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationUpdateTaskSettingsArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  settings: TaskSettingsInput;
};

export type OutputLine = {
  readonly __typename?: 'OutputLine';
  readonly stream: Scalars['String']['output'];
  readonly text: Scalars['String']['output'];
};

export type PageInfo = {
  readonly __typename?: 'PageInfo';
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Null when not all members tell. */
  readonly hasPreviousPage?: Maybe<Scalars['Boolean']['output']>;
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

export type Participant = {
  readonly __typename?: 'Participant';
  readonly displayName: Scalars['String']['output'];
  readonly id: Scalars['ID']['output'];
  readonly kind: ParticipantKind;
  readonly role: ParticipantRole;
};

export type ParticipantInput = {
  readonly displayName?: InputMaybe<Scalars['String']['input']>;
  readonly id: Scalars['ID']['input'];
  readonly kind?: InputMaybe<ParticipantKind>;
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

export type Plan = {
  readonly __typename?: 'Plan';
  readonly steps: ReadonlyArray<PlanStep>;
};

export type PlanStep = {
  readonly __typename?: 'PlanStep';
  readonly dependsOn: ReadonlyArray<Scalars['ID']['output']>;
  readonly description: Scalars['String']['output'];
  readonly id: Scalars['ID']['output'];
  /** Ids of the tasks that were spawned for it. */
  readonly linkedTasks?: Maybe<ReadonlyArray<Scalars['ID']['output']>>;
  readonly name: Scalars['String']['output'];
  readonly output?: Maybe<Scalars['String']['output']>;
  /** A person has passed over it, or over what it waited for; the output is why. */
  readonly override?: Maybe<PlanStepOverride>;
  readonly state: PlanStepState;
};

export type PlanStepOverride =
  | 'FORCED'
  | 'SKIPPED';

export type PlanStepState =
  | 'ACTIVE'
  | 'DONE'
  | 'FAILED'
  | 'PENDING';

export type PullRequestLink = {
  readonly __typename?: 'PullRequestLink';
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  /** Whether the pull request is linked now. */
  readonly linked: Scalars['Boolean']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  readonly pullRequest?: Maybe<Scalars['ID']['output']>;
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
};

export type Query = {
  readonly __typename?: 'Query';
  /** What waits for a person: paused sessions, declared refs without a session, open questions, then the newest errors. */
  readonly attention: ReadonlyArray<AttentionItem>;
  /** The slash commands that can be sent to a task. */
  readonly commands: ReadonlyArray<Command>;
  /** The configuration file as authored. */
  readonly config: ConfigDocument;
  /** The JSON Schema of the configuration. */
  readonly configSchema: Scalars['JSON']['output'];
  /** Background services of the instances. */
  readonly daemons: ReadonlyArray<Daemon>;
  /** Every type of event that can be in the log of an instance, of ours or of another make, with its meaning. */
  readonly eventTypes: ReadonlyArray<EventType>;
  /** The event log, oldest first. `first` pages forward from `after`; `last` keeps the newest. Each is 0 to 1,000; without either, the newest 50. */
  readonly events: EventConnection;
  /** Whether the instance and, on a manager, its members do their work. */
  readonly health: Health;
  /** Who this instance is and what it manages. */
  readonly instance: InstanceDocument;
  /** The own row first, then the registry's. A worker has its own row only. */
  readonly instances: ReadonlyArray<Instance>;
  /** The plan of a work item as nodes and edges; `pr` and `prRepo` name the graph of a pull request on a member of another make. */
  readonly processGraph: CheckoutAnswer;
  /** Checks of the head; `failing` leaves the others out, `logLines` is how much of each log is told. */
  readonly pullRequestChecks: TrackerAnswer;
  readonly pullRequestStatus: TrackerAnswer;
  /** Open review threads; with `all` the resolved ones too. */
  readonly pullRequestThreads: TrackerAnswer;
  readonly repoCritics: CheckoutAnswer;
  readonly repoInstructions: CheckoutAnswer;
  readonly repoReviewPolicy: CheckoutAnswer;
  readonly repoScenarios: CheckoutAnswer;
  /** What the instance does at intervals, such as its heartbeat. */
  readonly schedules: ReadonlyArray<Schedule>;
  readonly session?: Maybe<Session>;
  /** The conversations an agent works on, as the REST contract names them. */
  readonly sessions: ReadonlyArray<Session>;
  readonly standingSession?: Maybe<StandingSession>;
  /** Named conversations that outlive work items, declared or created. */
  readonly standingSessions: ReadonlyArray<StandingSession>;
  /** The newest task with this ref; null when `instance` is named and has none, NOT_FOUND when nobody has it. With `atVersion` the task as it was after that many inputs, by replay; NOT_FOUND with the reason `task.version_not_kept` when that is in the future or forgotten. */
  readonly task?: Maybe<Task>;
  /** Tasks but for those of standing sessions, newest first unless `orderBy` says otherwise. `first` is 0 to 1,000; `after` is a cursor of an earlier answer to the same `filter` and `orderBy`. */
  readonly tasks: TaskConnection;
  readonly ticket: TrackerAnswer;
  /** What was said and done in a session, the newest `tail` entries, oldest first; 0 is all of them. A pull request stands for the session that it delivers. */
  readonly transcript?: Maybe<Transcript>;
};


export type QueryConfigArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type QueryConfigSchemaArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryHealthArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type QueryInstanceArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type QueryProcessGraphArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  pr?: InputMaybe<Scalars['Int']['input']>;
  prRepo?: InputMaybe<Scalars['String']['input']>;
  repo: Scalars['String']['input'];
  specDir?: InputMaybe<Scalars['String']['input']>;
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryPullRequestChecksArgs = {
  failing?: InputMaybe<Scalars['Boolean']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  logLines?: InputMaybe<Scalars['Int']['input']>;
  ref: Scalars['ID']['input'];
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryPullRequestStatusArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryPullRequestThreadsArgs = {
  all?: InputMaybe<Scalars['Boolean']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  workItem?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryRepoCriticsArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  repo: Scalars['String']['input'];
};


export type QueryRepoInstructionsArgs = {
  docs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  instance?: InputMaybe<Scalars['String']['input']>;
  onMissing?: InputMaybe<Scalars['String']['input']>;
  repo: Scalars['String']['input'];
};


export type QueryRepoReviewPolicyArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  repo: Scalars['String']['input'];
};


export type QueryRepoScenariosArgs = {
  globs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  instance?: InputMaybe<Scalars['String']['input']>;
  repo: Scalars['String']['input'];
};


export type QuerySchedulesArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type QuerySessionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type QuerySessionsArgs = {
  pullRequest?: InputMaybe<Scalars['ID']['input']>;
  status?: InputMaybe<SessionStatus>;
};


export type QueryStandingSessionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
};


export type QueryTaskArgs = {
  atVersion?: InputMaybe<Scalars['Int']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type QueryTasksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TaskFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TaskOrder>;
};


export type QueryTicketArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type QueryTranscriptArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  tail?: InputMaybe<Scalars['Int']['input']>;
};

/** A question to one participant; the task waits for the answer. */
export type Question = {
  readonly __typename?: 'Question';
  readonly askedAt: Scalars['DateTime']['output'];
  /** What the channel says of the message that carries the question. */
  readonly channel?: Maybe<ChannelFacts>;
  readonly messageId: Scalars['ID']['output'];
  /** A hint; any answer is taken. */
  readonly options: ReadonlyArray<Scalars['String']['output']>;
  readonly participant: Scalars['ID']['output'];
  readonly text: Scalars['String']['output'];
};

export type RestartReceipt = {
  readonly __typename?: 'RestartReceipt';
  /** Set where another instance starts again. */
  readonly instance?: Maybe<Scalars['String']['output']>;
  readonly logfile: Scalars['String']['output'];
  /** Of the process that does it. */
  readonly pid: Scalars['Int']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly scheduled: Scalars['Boolean']['output'];
  readonly withUpgrade: Scalars['Boolean']['output'];
};

/** Something that the instance does at intervals; it survives restarts until it is deleted. */
export type Schedule = {
  readonly __typename?: 'Schedule';
  /** Why the newest run failed. */
  readonly error?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly instance: Scalars['String']['output'];
  readonly intervalSeconds: Scalars['Float']['output'];
  /** Start of the newest run. */
  readonly lastAt?: Maybe<Scalars['DateTime']['output']>;
  readonly nextAt: Scalars['DateTime']['output'];
  /** Of the newest run; null when it failed. */
  readonly result?: Maybe<Scalars['JSON']['output']>;
};

/** The conversation of a task, as the REST contract names it. */
export type Session = {
  readonly __typename?: 'Session';
  readonly control?: Maybe<ControlCommand>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly cwd: Scalars['String']['output'];
  readonly effort?: Maybe<Effort>;
  readonly harness: Scalars['String']['output'];
  readonly harnessSessionId: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  readonly lastEventAt?: Maybe<Scalars['DateTime']['output']>;
  readonly model?: Maybe<Scalars['String']['output']>;
  /** Pull requests that deliver the work item. */
  readonly pullRequests?: Maybe<ReadonlyArray<Scalars['ID']['output']>>;
  readonly recentDeliveries: ReadonlyArray<Scalars['ID']['output']>;
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
  readonly status: SessionStatus;
};

export type SessionClose = {
  readonly __typename?: 'SessionClose';
  readonly closed: Scalars['Boolean']['output'];
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
};

export type SessionControl = {
  readonly __typename?: 'SessionControl';
  readonly effect: Scalars['String']['output'];
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
  readonly verb: Scalars['String']['output'];
};

export type SessionRegistration = {
  readonly __typename?: 'SessionRegistration';
  readonly exitCode: Scalars['Int']['output'];
  readonly harness: Scalars['String']['output'];
  readonly harnessSessionId: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
};

export type SessionReply = {
  readonly __typename?: 'SessionReply';
  readonly delivered: Scalars['Boolean']['output'];
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
};

export type SessionStatus =
  | 'ACTIVE'
  | 'CLOSED'
  | 'PAUSED';

export type StandingChange = {
  readonly __typename?: 'StandingChange';
  readonly detail: Scalars['String']['output'];
  /** `started`, `resumed`, `already-running`, `stopped`, `not-running`, `deleted` or `failed`. */
  readonly outcome: Scalars['String']['output'];
  readonly session: StandingSession;
};

/** What a verb has made of standing sessions. */
export type StandingOutcome = {
  readonly __typename?: 'StandingOutcome';
  readonly instance: Scalars['String']['output'];
  readonly ok: Scalars['Boolean']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly sessions: ReadonlyArray<StandingChange>;
  /** Those that a restart has stopped first. */
  readonly stopped?: Maybe<ReadonlyArray<StandingChange>>;
};

export type StandingReply = {
  readonly __typename?: 'StandingReply';
  readonly delivered: Scalars['Boolean']['output'];
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  readonly name: Scalars['String']['output'];
  /** The member's own answer, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
};

/** A named conversation that outlives work items. */
export type StandingSession = {
  readonly __typename?: 'StandingSession';
  /** Whether it is started with the instance. */
  readonly autoStart: Scalars['Boolean']['output'];
  readonly cwd: Scalars['String']['output'];
  /** Whether it comes from the configuration. */
  readonly declared: Scalars['Boolean']['output'];
  readonly description: Scalars['String']['output'];
  readonly harness: Scalars['String']['output'];
  readonly harnessSessionId: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  readonly lastMessageAt?: Maybe<Scalars['DateTime']['output']>;
  readonly name: Scalars['String']['output'];
  readonly record?: Maybe<Scalars['JSON']['output']>;
  /** `standing:<name>` */
  readonly ref: Scalars['ID']['output'];
  readonly running: Scalars['Boolean']['output'];
  readonly startedAt?: Maybe<Scalars['DateTime']['output']>;
  /** `running`, `stopped`, or `absent` while it was never started. */
  readonly status: Scalars['String']['output'];
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  /** Every event of the log that matches `filter`. Beside them, whatever the filter, a `stream.transcript` with `totalLines` in its data each time that the transcript of one of `transcripts` was seen to have grown: refs, at most 64. */
  readonly events: EventRecord;
  /** What happens to tasks. `after` is a cursor of an earlier event: the stream goes on after it, without a gap. Without it the stream starts now. An instance's own stream of one `ref` ends with the `task.purged` of its task. */
  readonly taskEvents: TaskEvent;
};


export type SubscriptionEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
  transcripts?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


export type SubscriptionTaskEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref?: InputMaybe<Scalars['ID']['input']>;
};

/** One durable unit of work: a conversation with an agent, its tools and its people. */
export type Task = {
  readonly __typename?: 'Task';
  readonly acceptanceCriteria?: Maybe<ReadonlyArray<Criterion>>;
  /** What the task may use; null while nothing is limited. */
  readonly budget?: Maybe<TaskBudget>;
  /** The tasks that this one has spawned, as they are now, oldest first; those that have not started or are deleted are left out. `first` is 0 to 1,000; `after` is the `id` of a child. */
  readonly children?: Maybe<ReadonlyArray<Task>>;
  readonly contextId: Scalars['ID']['output'];
  /** The last command that was recorded for the work item. */
  readonly control?: Maybe<ControlCommand>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly description?: Maybe<Scalars['String']['output']>;
  /** Code of the failure that the status tells, such as `provider.failed`. */
  readonly errorCode?: Maybe<Scalars['String']['output']>;
  readonly goal: Scalars['String']['output'];
  /** The budget that holds the task back until it is raised. */
  readonly heldBy?: Maybe<BudgetName>;
  /** The conversation, oldest first. `first` pages forward from `after`, `last` backward from `before`; each is 0 to 1,000. Without either, the first 50. */
  readonly history: HistoryConnection;
  /** The A2A task id; opaque, never used again. */
  readonly id: Scalars['ID']['output'];
  /** Who wrote to the task and whether it was taken, the newest first; never a text. `first` is 0 to 1,000. */
  readonly inboxAudit?: Maybe<ReadonlyArray<AuditEntry>>;
  /** The instance that runs the task. */
  readonly instance: Scalars['String']['output'];
  /** The agent's newest reply. */
  readonly lastReply?: Maybe<Scalars['String']['output']>;
  readonly lifecycle: TaskLifecycle;
  readonly name: Scalars['String']['output'];
  /** The version of another task that this one began as a copy of. */
  readonly origin?: Maybe<TaskOrigin>;
  readonly owner: Instance;
  /** The task that spawned this one, as it is now. */
  readonly parent?: Maybe<Task>;
  readonly participants: ReadonlyArray<Participant>;
  /** No new turn starts while true; messages queue. */
  readonly paused: Scalars['Boolean']['output'];
  readonly plan?: Maybe<Plan>;
  /** Pull requests that deliver the work item. */
  readonly pullRequests?: Maybe<ReadonlyArray<Scalars['ID']['output']>>;
  /** The question that waits for an answer. */
  readonly question?: Maybe<Question>;
  /** How many delivered messages wait to be read by the agent. */
  readonly queuedMessages: Scalars['Int']['output'];
  /** The member's own row, whole and stamped: `instance` is where it is from, `about` another name that the row claimed. Null unless the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  /** Unique among the instance's open tasks: `provider:[host/]owner/repo#number`. */
  readonly ref: Scalars['ID']['output'];
  readonly settings: TaskSettings;
  /** Names of the skills that the agent has loaded. */
  readonly skills?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly state: TaskState;
  /** What the status says beside the state: a reply, a question, a reason. */
  readonly statusMessage?: Maybe<Scalars['String']['output']>;
  readonly subState?: Maybe<TaskSubState>;
  /** How many model turns the task has made. */
  readonly turns: Scalars['Int']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
  readonly usage: Usage;
  /** How many inputs the task has taken in. */
  readonly version: Scalars['Int']['output'];
};


/** One durable unit of work: a conversation with an agent, its tools and its people. */
export type TaskChildrenArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** One durable unit of work: a conversation with an agent, its tools and its people. */
export type TaskHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** One durable unit of work: a conversation with an agent, its tools and its people. */
export type TaskInboxAuditArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Most that a task may use in all; null is no limit. The turn that would begin at a limit does not begin. */
export type TaskBudget = {
  readonly __typename?: 'TaskBudget';
  /** In the currency of the instance's prices. What has no price costs nothing. */
  readonly cost?: Maybe<Scalars['Float']['output']>;
  /** Input and output tokens. */
  readonly tokens?: Maybe<Scalars['Count']['output']>;
  readonly turns?: Maybe<Scalars['Count']['output']>;
};

export type TaskBudgetInput = {
  readonly cost?: InputMaybe<Scalars['Float']['input']>;
  readonly tokens?: InputMaybe<Scalars['Count']['input']>;
  readonly turns?: InputMaybe<Scalars['Count']['input']>;
};

export type TaskConnection = {
  readonly __typename?: 'TaskConnection';
  readonly edges: ReadonlyArray<TaskEdge>;
  readonly nodes: ReadonlyArray<Task>;
  readonly pageInfo: PageInfo;
};

export type TaskEdge = {
  readonly __typename?: 'TaskEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Task;
};

/** One step in the life of a task, or a `stream.bookmark` or `stream.desync` of the stream itself. */
export type TaskEvent = {
  readonly __typename?: 'TaskEvent';
  readonly at: Scalars['DateTime']['output'];
  readonly cursor: Scalars['String']['output'];
  readonly data: Scalars['JSON']['output'];
  readonly instance: Scalars['String']['output'];
  readonly offset: Scalars['Offset']['output'];
  readonly ref?: Maybe<Scalars['ID']['output']>;
  /** The task as it is when the event is delivered, not as it was when the event was written. */
  readonly task?: Maybe<Task>;
  readonly type: Scalars['String']['output'];
};

export type TaskFilter = {
  /** Created before this instant. */
  readonly createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created at or after this instant. */
  readonly createdSince?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only tasks of these instances. */
  readonly instances?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly lifecycles?: InputMaybe<ReadonlyArray<TaskLifecycle>>;
  /** Id of somebody who is on the task. */
  readonly participant?: InputMaybe<Scalars['ID']['input']>;
  /** Any of these. */
  readonly states?: InputMaybe<ReadonlyArray<TaskState>>;
  readonly subStates?: InputMaybe<ReadonlyArray<TaskSubState>>;
  /** A case-insensitive part of name, goal, ref or last reply; 1 to 200 characters. */
  readonly text?: InputMaybe<Scalars['String']['input']>;
  readonly updatedBefore?: InputMaybe<Scalars['DateTime']['input']>;
  readonly updatedSince?: InputMaybe<Scalars['DateTime']['input']>;
};

export type TaskLifecycle =
  | 'CONVERSATION'
  | 'DELEGATED'
  | 'PARTICIPANT'
  | 'REMOTE';

export type TaskOrder =
  | 'CREATED_AT_ASC'
  | 'CREATED_AT_DESC'
  | 'REF_ASC'
  | 'UPDATED_AT_ASC'
  | 'UPDATED_AT_DESC';

export type TaskOrigin = {
  readonly __typename?: 'TaskOrigin';
  readonly ref: Scalars['ID']['output'];
  readonly version: Scalars['Int']['output'];
};

/** What the task asks of its model; null means the instance's default. */
export type TaskSettings = {
  readonly __typename?: 'TaskSettings';
  readonly effort?: Maybe<Effort>;
  readonly model?: Maybe<Scalars['String']['output']>;
};

export type TaskSettingsInput = {
  readonly effort?: InputMaybe<Effort>;
  readonly model?: InputMaybe<Scalars['String']['input']>;
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

/** What a tracker's operation answers; only members of another make have a tracker. */
export type TrackerAnswer = {
  readonly __typename?: 'TrackerAnswer';
  readonly answer: Scalars['JSON']['output'];
  /** Set where another instance answers. */
  readonly instance?: Maybe<Scalars['String']['output']>;
};

export type Transcript = {
  readonly __typename?: 'Transcript';
  readonly entries: ReadonlyArray<Scalars['JSON']['output']>;
  readonly harness: Scalars['String']['output'];
  readonly harnessSessionId: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  /** The file that a member of another make keeps it in; empty on an instance of ours. */
  readonly path: Scalars['String']['output'];
  readonly record?: Maybe<Scalars['JSON']['output']>;
  readonly ref: Scalars['ID']['output'];
  /** How many entries there are in all. */
  readonly totalLines: Scalars['Count']['output'];
  readonly truncated: Scalars['Boolean']['output'];
};

/** What is not named stays as it is. */
export type UpdateTaskInput = {
  readonly acceptanceCriteria?: InputMaybe<ReadonlyArray<CriterionInput>>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** All of them; the agent stays on the task. */
  readonly participants?: InputMaybe<ReadonlyArray<ParticipantInput>>;
};

export type Usage = {
  readonly __typename?: 'Usage';
  /** The same by model, as the provider names it. */
  readonly byModel?: Maybe<ReadonlyArray<ModelUsage>>;
  readonly cachedTokens: Scalars['Count']['output'];
  /** In the currency of the instance's prices; null while nothing that was used has a price. */
  readonly cost?: Maybe<Scalars['Float']['output']>;
  readonly inputTokens: Scalars['Count']['output'];
  readonly outputTokens: Scalars['Count']['output'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  Command: Command;
  Daemon: Daemon;
  Instance: Instance;
  Session: Session;
  StandingSession: StandingSession;
  Task: Task;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Command:
    ( { __typename: 'Command' }
    & GraphQLRecursivePick<FederationTypes['Command'], {"instance":true,"name":true}> );
  Daemon:
    ( { __typename: 'Daemon' }
    & GraphQLRecursivePick<FederationTypes['Daemon'], {"instance":true,"name":true}> );
  Instance:
    ( { __typename: 'Instance' }
    & GraphQLRecursivePick<FederationTypes['Instance'], {"name":true}> );
  Session:
    ( { __typename: 'Session' }
    & GraphQLRecursivePick<FederationTypes['Session'], {"instance":true,"ref":true}> );
  StandingSession:
    ( { __typename: 'StandingSession' }
    & GraphQLRecursivePick<FederationTypes['StandingSession'], {"instance":true,"name":true}> );
  Task:
    ( { __typename: 'Task' }
    & GraphQLRecursivePick<FederationTypes['Task'], {"instance":true,"ref":true}> );
};

/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  HistoryItem:
    | ( Partial<HistoryMessage> )
    | ( Partial<HistoryToolCall> )
    | ( Partial<HistoryToolResult> )
  ;
};


/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AttentionItem: ResolverTypeWrapper<Partial<AttentionItem>>;
  String: ResolverTypeWrapper<Partial<Scalars['String']['output']>>;
  AuditEntry: ResolverTypeWrapper<Partial<AuditEntry>>;
  Boolean: ResolverTypeWrapper<Partial<Scalars['Boolean']['output']>>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  BudgetName: ResolverTypeWrapper<Partial<BudgetName>>;
  ChannelFacts: ResolverTypeWrapper<Partial<ChannelFacts>>;
  CheckoutAnswer: ResolverTypeWrapper<Partial<CheckoutAnswer>>;
  Command: ResolverTypeWrapper<Partial<Command>>;
  CommandReply: ResolverTypeWrapper<Partial<CommandReply>>;
  ConfigDocument: ResolverTypeWrapper<Partial<ConfigDocument>>;
  ConfigUpdate: ResolverTypeWrapper<Partial<ConfigUpdate>>;
  ControlCommand: ResolverTypeWrapper<Partial<ControlCommand>>;
  Count: ResolverTypeWrapper<Partial<Scalars['Count']['output']>>;
  CreateTaskInput: ResolverTypeWrapper<Partial<CreateTaskInput>>;
  Criterion: ResolverTypeWrapper<Partial<Criterion>>;
  CriterionInput: ResolverTypeWrapper<Partial<CriterionInput>>;
  Daemon: ResolverTypeWrapper<Partial<Daemon>>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  DaemonControl: ResolverTypeWrapper<Partial<DaemonControl>>;
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Effort: ResolverTypeWrapper<Partial<Effort>>;
  EventConnection: ResolverTypeWrapper<Partial<EventConnection>>;
  EventEdge: ResolverTypeWrapper<Partial<EventEdge>>;
  EventFilter: ResolverTypeWrapper<Partial<EventFilter>>;
  EventLevel: ResolverTypeWrapper<Partial<EventLevel>>;
  EventRecord: ResolverTypeWrapper<Partial<EventRecord>>;
  EventType: ResolverTypeWrapper<Partial<EventType>>;
  FleetRoute: ResolverTypeWrapper<Partial<FleetRoute>>;
  Health: ResolverTypeWrapper<Partial<Health>>;
  HealthMember: ResolverTypeWrapper<Partial<HealthMember>>;
  HelpRoute: ResolverTypeWrapper<Partial<HelpRoute>>;
  HelpRouteKind: ResolverTypeWrapper<Partial<HelpRouteKind>>;
  HistoryConnection: ResolverTypeWrapper<Partial<Omit<HistoryConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['HistoryEdge']>, nodes: ReadonlyArray<ResolversTypes['HistoryItem']> }>>;
  HistoryEdge: ResolverTypeWrapper<Partial<Omit<HistoryEdge, 'node'> & { node: ResolversTypes['HistoryItem'] }>>;
  HistoryItem: Partial<ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['HistoryItem']>>;
  HistoryMessage: ResolverTypeWrapper<Partial<HistoryMessage>>;
  HistoryRole: ResolverTypeWrapper<Partial<HistoryRole>>;
  HistoryToolCall: ResolverTypeWrapper<Partial<HistoryToolCall>>;
  HistoryToolResult: ResolverTypeWrapper<Partial<HistoryToolResult>>;
  Ingress: ResolverTypeWrapper<Partial<Ingress>>;
  Instance: ResolverTypeWrapper<Partial<Instance>>;
  InstanceDocument: ResolverTypeWrapper<Partial<InstanceDocument>>;
  InstanceRole: ResolverTypeWrapper<Partial<InstanceRole>>;
  InstanceScope: ResolverTypeWrapper<Partial<InstanceScope>>;
  InstanceState: ResolverTypeWrapper<Partial<InstanceState>>;
  JSON: ResolverTypeWrapper<Partial<Scalars['JSON']['output']>>;
  ManagedItem: ResolverTypeWrapper<Partial<ManagedItem>>;
  MessageReceipt: ResolverTypeWrapper<Partial<MessageReceipt>>;
  ModelUsage: ResolverTypeWrapper<Partial<ModelUsage>>;
  Float: ResolverTypeWrapper<Partial<Scalars['Float']['output']>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Offset: ResolverTypeWrapper<Partial<Scalars['Offset']['output']>>;
  OutputLine: ResolverTypeWrapper<Partial<OutputLine>>;
  PageInfo: ResolverTypeWrapper<Partial<PageInfo>>;
  Participant: ResolverTypeWrapper<Partial<Participant>>;
  ParticipantInput: ResolverTypeWrapper<Partial<ParticipantInput>>;
  ParticipantKind: ResolverTypeWrapper<Partial<ParticipantKind>>;
  ParticipantRole: ResolverTypeWrapper<Partial<ParticipantRole>>;
  Plan: ResolverTypeWrapper<Partial<Plan>>;
  PlanStep: ResolverTypeWrapper<Partial<PlanStep>>;
  PlanStepOverride: ResolverTypeWrapper<Partial<PlanStepOverride>>;
  PlanStepState: ResolverTypeWrapper<Partial<PlanStepState>>;
  PullRequestLink: ResolverTypeWrapper<Partial<PullRequestLink>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Question: ResolverTypeWrapper<Partial<Question>>;
  RestartReceipt: ResolverTypeWrapper<Partial<RestartReceipt>>;
  Schedule: ResolverTypeWrapper<Partial<Schedule>>;
  Session: ResolverTypeWrapper<Partial<Session>>;
  SessionClose: ResolverTypeWrapper<Partial<SessionClose>>;
  SessionControl: ResolverTypeWrapper<Partial<SessionControl>>;
  SessionRegistration: ResolverTypeWrapper<Partial<SessionRegistration>>;
  SessionReply: ResolverTypeWrapper<Partial<SessionReply>>;
  SessionStatus: ResolverTypeWrapper<Partial<SessionStatus>>;
  StandingChange: ResolverTypeWrapper<Partial<StandingChange>>;
  StandingOutcome: ResolverTypeWrapper<Partial<StandingOutcome>>;
  StandingReply: ResolverTypeWrapper<Partial<StandingReply>>;
  StandingSession: ResolverTypeWrapper<Partial<StandingSession>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Task: ResolverTypeWrapper<Partial<Omit<Task, 'children' | 'history' | 'parent'> & { children?: Maybe<ReadonlyArray<ResolversTypes['Task']>>, history: ResolversTypes['HistoryConnection'], parent?: Maybe<ResolversTypes['Task']> }>>;
  TaskBudget: ResolverTypeWrapper<Partial<TaskBudget>>;
  TaskBudgetInput: ResolverTypeWrapper<Partial<TaskBudgetInput>>;
  TaskConnection: ResolverTypeWrapper<Partial<Omit<TaskConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['TaskEdge']>, nodes: ReadonlyArray<ResolversTypes['Task']> }>>;
  TaskEdge: ResolverTypeWrapper<Partial<Omit<TaskEdge, 'node'> & { node: ResolversTypes['Task'] }>>;
  TaskEvent: ResolverTypeWrapper<Partial<Omit<TaskEvent, 'task'> & { task?: Maybe<ResolversTypes['Task']> }>>;
  TaskFilter: ResolverTypeWrapper<Partial<TaskFilter>>;
  TaskLifecycle: ResolverTypeWrapper<Partial<TaskLifecycle>>;
  TaskOrder: ResolverTypeWrapper<Partial<TaskOrder>>;
  TaskOrigin: ResolverTypeWrapper<Partial<TaskOrigin>>;
  TaskSettings: ResolverTypeWrapper<Partial<TaskSettings>>;
  TaskSettingsInput: ResolverTypeWrapper<Partial<TaskSettingsInput>>;
  TaskState: ResolverTypeWrapper<Partial<TaskState>>;
  TaskSubState: ResolverTypeWrapper<Partial<TaskSubState>>;
  TrackerAnswer: ResolverTypeWrapper<Partial<TrackerAnswer>>;
  Transcript: ResolverTypeWrapper<Partial<Transcript>>;
  UpdateTaskInput: ResolverTypeWrapper<Partial<UpdateTaskInput>>;
  Usage: ResolverTypeWrapper<Partial<Usage>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AttentionItem: Partial<AttentionItem>;
  String: Partial<Scalars['String']['output']>;
  AuditEntry: Partial<AuditEntry>;
  Boolean: Partial<Scalars['Boolean']['output']>;
  ID: Partial<Scalars['ID']['output']>;
  ChannelFacts: Partial<ChannelFacts>;
  CheckoutAnswer: Partial<CheckoutAnswer>;
  Command: Partial<Command | FederationReferenceTypes['Command']>;
  CommandReply: Partial<CommandReply>;
  ConfigDocument: Partial<ConfigDocument>;
  ConfigUpdate: Partial<ConfigUpdate>;
  ControlCommand: Partial<ControlCommand>;
  Count: Partial<Scalars['Count']['output']>;
  CreateTaskInput: Partial<CreateTaskInput>;
  Criterion: Partial<Criterion>;
  CriterionInput: Partial<CriterionInput>;
  Daemon: Partial<Daemon | FederationReferenceTypes['Daemon']>;
  Int: Partial<Scalars['Int']['output']>;
  DaemonControl: Partial<DaemonControl>;
  DateTime: Partial<Scalars['DateTime']['output']>;
  EventConnection: Partial<EventConnection>;
  EventEdge: Partial<EventEdge>;
  EventFilter: Partial<EventFilter>;
  EventRecord: Partial<EventRecord>;
  EventType: Partial<EventType>;
  Health: Partial<Health>;
  HealthMember: Partial<HealthMember>;
  HelpRoute: Partial<HelpRoute>;
  HistoryConnection: Partial<Omit<HistoryConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['HistoryEdge']>, nodes: ReadonlyArray<ResolversParentTypes['HistoryItem']> }>;
  HistoryEdge: Partial<Omit<HistoryEdge, 'node'> & { node: ResolversParentTypes['HistoryItem'] }>;
  HistoryItem: Partial<ResolversUnionTypes<ResolversParentTypes>['HistoryItem']>;
  HistoryMessage: Partial<HistoryMessage>;
  HistoryToolCall: Partial<HistoryToolCall>;
  HistoryToolResult: Partial<HistoryToolResult>;
  Ingress: Partial<Ingress>;
  Instance: Partial<Instance | FederationReferenceTypes['Instance']>;
  InstanceDocument: Partial<InstanceDocument>;
  InstanceScope: Partial<InstanceScope>;
  JSON: Partial<Scalars['JSON']['output']>;
  ManagedItem: Partial<ManagedItem>;
  MessageReceipt: Partial<MessageReceipt>;
  ModelUsage: Partial<ModelUsage>;
  Float: Partial<Scalars['Float']['output']>;
  Mutation: Record<PropertyKey, never>;
  Offset: Partial<Scalars['Offset']['output']>;
  OutputLine: Partial<OutputLine>;
  PageInfo: Partial<PageInfo>;
  Participant: Partial<Participant>;
  ParticipantInput: Partial<ParticipantInput>;
  Plan: Partial<Plan>;
  PlanStep: Partial<PlanStep>;
  PullRequestLink: Partial<PullRequestLink>;
  Query: Record<PropertyKey, never>;
  Question: Partial<Question>;
  RestartReceipt: Partial<RestartReceipt>;
  Schedule: Partial<Schedule>;
  Session: Partial<Session | FederationReferenceTypes['Session']>;
  SessionClose: Partial<SessionClose>;
  SessionControl: Partial<SessionControl>;
  SessionRegistration: Partial<SessionRegistration>;
  SessionReply: Partial<SessionReply>;
  StandingChange: Partial<StandingChange>;
  StandingOutcome: Partial<StandingOutcome>;
  StandingReply: Partial<StandingReply>;
  StandingSession: Partial<StandingSession | FederationReferenceTypes['StandingSession']>;
  Subscription: Record<PropertyKey, never>;
  Task: Partial<Omit<Task, 'children' | 'history' | 'parent'> & { children?: Maybe<ReadonlyArray<ResolversParentTypes['Task']>>, history: ResolversParentTypes['HistoryConnection'], parent?: Maybe<ResolversParentTypes['Task']> } | FederationReferenceTypes['Task']>;
  TaskBudget: Partial<TaskBudget>;
  TaskBudgetInput: Partial<TaskBudgetInput>;
  TaskConnection: Partial<Omit<TaskConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['TaskEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Task']> }>;
  TaskEdge: Partial<Omit<TaskEdge, 'node'> & { node: ResolversParentTypes['Task'] }>;
  TaskEvent: Partial<Omit<TaskEvent, 'task'> & { task?: Maybe<ResolversParentTypes['Task']> }>;
  TaskFilter: Partial<TaskFilter>;
  TaskOrigin: Partial<TaskOrigin>;
  TaskSettings: Partial<TaskSettings>;
  TaskSettingsInput: Partial<TaskSettingsInput>;
  TrackerAnswer: Partial<TrackerAnswer>;
  Transcript: Partial<Transcript>;
  UpdateTaskInput: Partial<UpdateTaskInput>;
  Usage: Partial<Usage>;
};

export type FleetDirectiveArgs = {
  route: FleetRoute;
};

export type FleetDirectiveResolver<Result, Parent, ContextType = any, Args = FleetDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AttentionItemResolvers<ContextType = any, ParentType extends ResolversParentTypes['AttentionItem'] = ResolversParentTypes['AttentionItem']> = {
  at?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  detail?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditEntryResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditEntry'] = ResolversParentTypes['AuditEntry']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  participant?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ChannelFactsResolvers<ContextType = any, ParentType extends ResolversParentTypes['ChannelFacts'] = ResolversParentTypes['ChannelFacts']> = {
  channelId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CheckoutAnswerResolvers<ContextType = any, ParentType extends ResolversParentTypes['CheckoutAnswer'] = ResolversParentTypes['CheckoutAnswer']> = {
  answer?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CommandResolvers<ContextType = any, ParentType extends ResolversParentTypes['Command'] = ResolversParentTypes['Command'], FederationReferenceType extends FederationReferenceTypes['Command'] = FederationReferenceTypes['Command']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Command']> | FederationReferenceType, FederationReferenceType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CommandReplyResolvers<ContextType = any, ParentType extends ResolversParentTypes['CommandReply'] = ResolversParentTypes['CommandReply']> = {
  data?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConfigDocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['ConfigDocument'] = ResolversParentTypes['ConfigDocument']> = {
  config?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  exists?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConfigUpdateResolvers<ContextType = any, ParentType extends ResolversParentTypes['ConfigUpdate'] = ResolversParentTypes['ConfigUpdate']> = {
  changed?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  config?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  exists?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  restartRequired?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  written?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ControlCommandResolvers<ContextType = any, ParentType extends ResolversParentTypes['ControlCommand'] = ResolversParentTypes['ControlCommand']> = {
  actor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  command?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface CountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Count'], any> {
  name: 'Count';
}

export type CriterionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Criterion'] = ResolversParentTypes['Criterion']> = {
  met?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DaemonResolvers<ContextType = any, ParentType extends ResolversParentTypes['Daemon'] = ResolversParentTypes['Daemon'], FederationReferenceType extends FederationReferenceTypes['Daemon'] = FederationReferenceTypes['Daemon']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Daemon']> | FederationReferenceType, FederationReferenceType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastCycleAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pid?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  running?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type DaemonControlResolvers<ContextType = any, ParentType extends ResolversParentTypes['DaemonControl'] = ResolversParentTypes['DaemonControl']> = {
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  output?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pid?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  running?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  verb?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type EventConnectionResolvers<ContextType = any, ParentType extends ResolversParentTypes['EventConnection'] = ResolversParentTypes['EventConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['EventEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['EventRecord']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type EventEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['EventEdge'] = ResolversParentTypes['EventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['EventRecord'], ParentType, ContextType>;
};

export type EventRecordResolvers<ContextType = any, ParentType extends ResolversParentTypes['EventRecord'] = ResolversParentTypes['EventRecord']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['EventLevel'], ParentType, ContextType>;
  offset?: Resolver<ResolversTypes['Offset'], ParentType, ContextType>;
  pid?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ref?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type EventTypeResolvers<ContextType = any, ParentType extends ResolversParentTypes['EventType'] = ResolversParentTypes['EventType']> = {
  meaning?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type HealthResolvers<ContextType = any, ParentType extends ResolversParentTypes['Health'] = ResolversParentTypes['Health']> = {
  configPath?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ingresses?: Resolver<ReadonlyArray<ResolversTypes['Ingress']>, ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  instances?: Resolver<ReadonlyArray<ResolversTypes['HealthMember']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['InstanceRole'], ParentType, ContextType>;
  stateRoot?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type HealthMemberResolvers<ContextType = any, ParentType extends ResolversParentTypes['HealthMember'] = ResolversParentTypes['HealthMember']> = {
  detail?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['InstanceState'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type HelpRouteResolvers<ContextType = any, ParentType extends ResolversParentTypes['HelpRoute'] = ResolversParentTypes['HelpRoute']> = {
  acceptanceCriteria?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  goal?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  participant?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  question?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  route?: Resolver<ResolversTypes['HelpRouteKind'], ParentType, ContextType>;
};

export type HistoryConnectionResolvers<ContextType = any, ParentType extends ResolversParentTypes['HistoryConnection'] = ResolversParentTypes['HistoryConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['HistoryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['HistoryItem']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type HistoryEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['HistoryEdge'] = ResolversParentTypes['HistoryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['HistoryItem'], ParentType, ContextType>;
};

export type HistoryItemResolvers<ContextType = any, ParentType extends ResolversParentTypes['HistoryItem'] = ResolversParentTypes['HistoryItem']> = {
  __resolveType: TypeResolveFn<'HistoryMessage' | 'HistoryToolCall' | 'HistoryToolResult', ParentType, ContextType>;
};

export type HistoryMessageResolvers<ContextType = any, ParentType extends ResolversParentTypes['HistoryMessage'] = ResolversParentTypes['HistoryMessage']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  participant?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['HistoryRole'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type HistoryToolCallResolvers<ContextType = any, ParentType extends ResolversParentTypes['HistoryToolCall'] = ResolversParentTypes['HistoryToolCall']> = {
  arguments?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tool?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type HistoryToolResultResolvers<ContextType = any, ParentType extends ResolversParentTypes['HistoryToolResult'] = ResolversParentTypes['HistoryToolResult']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isError?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tool?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IngressResolvers<ContextType = any, ParentType extends ResolversParentTypes['Ingress'] = ResolversParentTypes['Ingress']> = {
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  running?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type InstanceResolvers<ContextType = any, ParentType extends ResolversParentTypes['Instance'] = ResolversParentTypes['Instance'], FederationReferenceType extends FederationReferenceTypes['Instance'] = FederationReferenceTypes['Instance']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Instance']> | FederationReferenceType, FederationReferenceType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  managedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  mode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  probedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  role?: Resolver<Maybe<ResolversTypes['InstanceRole']>, ParentType, ContextType>;
  sessionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['InstanceState'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type InstanceDocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['InstanceDocument'] = ResolversParentTypes['InstanceDocument']> = {
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  managed?: Resolver<ReadonlyArray<ResolversTypes['ManagedItem']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['InstanceRole'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['InstanceScope'], ParentType, ContextType>;
  sessionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type InstanceScopeResolvers<ContextType = any, ParentType extends ResolversParentTypes['InstanceScope'] = ResolversParentTypes['InstanceScope']> = {
  mode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  workItems?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type ManagedItemResolvers<ContextType = any, ParentType extends ResolversParentTypes['ManagedItem'] = ResolversParentTypes['ManagedItem']> = {
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  sources?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MessageReceiptResolvers<ContextType = any, ParentType extends ResolversParentTypes['MessageReceipt'] = ResolversParentTypes['MessageReceipt']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  duplicate?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['TaskState'], ParentType, ContextType>;
};

export type ModelUsageResolvers<ContextType = any, ParentType extends ResolversParentTypes['ModelUsage'] = ResolversParentTypes['ModelUsage']> = {
  cachedTokens?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
  cost?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  inputTokens?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
  model?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  outputTokens?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  advanceGraph?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationAdvanceGraphArgs, 'repo' | 'workItem'>>;
  answerQuestion?: Resolver<ResolversTypes['MessageReceipt'], ParentType, ContextType, RequireFields<MutationAnswerQuestionArgs, 'ref' | 'text'>>;
  cancelTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationCancelTaskArgs, 'ref'>>;
  checkGraph?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationCheckGraphArgs, 'repo' | 'workItem'>>;
  closeSession?: Resolver<ResolversTypes['SessionClose'], ParentType, ContextType, RequireFields<MutationCloseSessionArgs, 'ref'>>;
  closeTicket?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationCloseTicketArgs, 'ref'>>;
  completeGraph?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationCompleteGraphArgs, 'repo' | 'workItem'>>;
  completeTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationCompleteTaskArgs, 'ref'>>;
  controlDaemon?: Resolver<ResolversTypes['DaemonControl'], ParentType, ContextType, RequireFields<MutationControlDaemonArgs, 'daemon' | 'verb'>>;
  controlSession?: Resolver<ResolversTypes['SessionControl'], ParentType, ContextType, RequireFields<MutationControlSessionArgs, 'ref' | 'verb'>>;
  controlStanding?: Resolver<ResolversTypes['StandingOutcome'], ParentType, ContextType, RequireFields<MutationControlStandingArgs, 'verb'>>;
  createPullRequest?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationCreatePullRequestArgs, 'head' | 'ref' | 'title'>>;
  createStanding?: Resolver<ResolversTypes['StandingOutcome'], ParentType, ContextType, RequireFields<MutationCreateStandingArgs, 'name'>>;
  createTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationCreateTaskArgs, 'input'>>;
  createTicket?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationCreateTicketArgs, 'repository' | 'title'>>;
  declareGraphRepos?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationDeclareGraphReposArgs, 'repo' | 'workItem'>>;
  deleteSchedule?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteScheduleArgs, 'id'>>;
  deleteStanding?: Resolver<ResolversTypes['StandingOutcome'], ParentType, ContextType, RequireFields<MutationDeleteStandingArgs, 'name'>>;
  ensureHeartbeat?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, Partial<MutationEnsureHeartbeatArgs>>;
  forceGraph?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationForceGraphArgs, 'reason' | 'repo' | 'toNode' | 'workItem'>>;
  forkTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationForkTaskArgs, 'atVersion' | 'ref'>>;
  leaveMessage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationLeaveMessageArgs, 'ref' | 'text'>>;
  linkPullRequest?: Resolver<ResolversTypes['PullRequestLink'], ParentType, ContextType, RequireFields<MutationLinkPullRequestArgs, 'ref'>>;
  markPullRequestReady?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationMarkPullRequestReadyArgs, 'ref'>>;
  mergePullRequest?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationMergePullRequestArgs, 'ref'>>;
  pauseTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationPauseTaskArgs, 'ref'>>;
  postComment?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationPostCommentArgs, 'body' | 'ref'>>;
  purgeTask?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationPurgeTaskArgs, 'ref'>>;
  registerInstance?: Resolver<ResolversTypes['ConfigUpdate'], ParentType, ContextType, RequireFields<MutationRegisterInstanceArgs, 'name' | 'url'>>;
  registerSession?: Resolver<ResolversTypes['SessionRegistration'], ParentType, ContextType, RequireFields<MutationRegisterSessionArgs, 'harness' | 'harnessSessionId' | 'ref'>>;
  replySession?: Resolver<ResolversTypes['SessionReply'], ParentType, ContextType, RequireFields<MutationReplySessionArgs, 'ref' | 'text'>>;
  resolveReviewThread?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<MutationResolveReviewThreadArgs, 'ref' | 'thread'>>;
  restart?: Resolver<ResolversTypes['RestartReceipt'], ParentType, ContextType, Partial<MutationRestartArgs>>;
  resumeTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationResumeTaskArgs, 'ref'>>;
  routeHelp?: Resolver<ResolversTypes['HelpRoute'], ParentType, ContextType, RequireFields<MutationRouteHelpArgs, 'question' | 'ref'>>;
  runCommand?: Resolver<ResolversTypes['CommandReply'], ParentType, ContextType, RequireFields<MutationRunCommandArgs, 'ref' | 'text'>>;
  runCritic?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationRunCriticArgs, 'name' | 'repo'>>;
  sayStanding?: Resolver<ResolversTypes['StandingReply'], ParentType, ContextType, RequireFields<MutationSayStandingArgs, 'name' | 'text'>>;
  sendMessage?: Resolver<ResolversTypes['MessageReceipt'], ParentType, ContextType, RequireFields<MutationSendMessageArgs, 'ref' | 'text'>>;
  setTaskBudget?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationSetTaskBudgetArgs, 'budget' | 'ref'>>;
  skipGraph?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<MutationSkipGraphArgs, 'nodes' | 'reason' | 'repo' | 'workItem'>>;
  unregisterInstance?: Resolver<ResolversTypes['ConfigUpdate'], ParentType, ContextType, RequireFields<MutationUnregisterInstanceArgs, 'name'>>;
  updateConfig?: Resolver<ResolversTypes['ConfigUpdate'], ParentType, ContextType, RequireFields<MutationUpdateConfigArgs, 'patch'>>;
  updateTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationUpdateTaskArgs, 'input' | 'ref'>>;
  updateTaskSettings?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationUpdateTaskSettingsArgs, 'ref' | 'settings'>>;
};

export interface OffsetScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Offset'], any> {
  name: 'Offset';
}

export type OutputLineResolvers<ContextType = any, ParentType extends ResolversParentTypes['OutputLine'] = ResolversParentTypes['OutputLine']> = {
  stream?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = any, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ParticipantResolvers<ContextType = any, ParentType extends ResolversParentTypes['Participant'] = ResolversParentTypes['Participant']> = {
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ParticipantKind'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['ParticipantRole'], ParentType, ContextType>;
};

export type PlanResolvers<ContextType = any, ParentType extends ResolversParentTypes['Plan'] = ResolversParentTypes['Plan']> = {
  steps?: Resolver<ReadonlyArray<ResolversTypes['PlanStep']>, ParentType, ContextType>;
};

export type PlanStepResolvers<ContextType = any, ParentType extends ResolversParentTypes['PlanStep'] = ResolversParentTypes['PlanStep']> = {
  dependsOn?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  linkedTasks?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ID']>>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  output?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  override?: Resolver<Maybe<ResolversTypes['PlanStepOverride']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['PlanStepState'], ParentType, ContextType>;
};

export type PullRequestLinkResolvers<ContextType = any, ParentType extends ResolversParentTypes['PullRequestLink'] = ResolversParentTypes['PullRequestLink']> = {
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  linked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  pullRequest?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  attention?: Resolver<ReadonlyArray<ResolversTypes['AttentionItem']>, ParentType, ContextType>;
  commands?: Resolver<ReadonlyArray<ResolversTypes['Command']>, ParentType, ContextType>;
  config?: Resolver<ResolversTypes['ConfigDocument'], ParentType, ContextType, Partial<QueryConfigArgs>>;
  configSchema?: Resolver<ResolversTypes['JSON'], ParentType, ContextType, Partial<QueryConfigSchemaArgs>>;
  daemons?: Resolver<ReadonlyArray<ResolversTypes['Daemon']>, ParentType, ContextType>;
  eventTypes?: Resolver<ReadonlyArray<ResolversTypes['EventType']>, ParentType, ContextType>;
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<QueryEventsArgs>>;
  health?: Resolver<ResolversTypes['Health'], ParentType, ContextType, Partial<QueryHealthArgs>>;
  instance?: Resolver<ResolversTypes['InstanceDocument'], ParentType, ContextType, Partial<QueryInstanceArgs>>;
  instances?: Resolver<ReadonlyArray<ResolversTypes['Instance']>, ParentType, ContextType>;
  processGraph?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<QueryProcessGraphArgs, 'repo'>>;
  pullRequestChecks?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<QueryPullRequestChecksArgs, 'ref'>>;
  pullRequestStatus?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<QueryPullRequestStatusArgs, 'ref'>>;
  pullRequestThreads?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<QueryPullRequestThreadsArgs, 'ref'>>;
  repoCritics?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<QueryRepoCriticsArgs, 'repo'>>;
  repoInstructions?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<QueryRepoInstructionsArgs, 'repo'>>;
  repoReviewPolicy?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<QueryRepoReviewPolicyArgs, 'repo'>>;
  repoScenarios?: Resolver<ResolversTypes['CheckoutAnswer'], ParentType, ContextType, RequireFields<QueryRepoScenariosArgs, 'repo'>>;
  schedules?: Resolver<ReadonlyArray<ResolversTypes['Schedule']>, ParentType, ContextType, Partial<QuerySchedulesArgs>>;
  session?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType, RequireFields<QuerySessionArgs, 'ref'>>;
  sessions?: Resolver<ReadonlyArray<ResolversTypes['Session']>, ParentType, ContextType, Partial<QuerySessionsArgs>>;
  standingSession?: Resolver<Maybe<ResolversTypes['StandingSession']>, ParentType, ContextType, RequireFields<QueryStandingSessionArgs, 'name'>>;
  standingSessions?: Resolver<ReadonlyArray<ResolversTypes['StandingSession']>, ParentType, ContextType>;
  task?: Resolver<Maybe<ResolversTypes['Task']>, ParentType, ContextType, RequireFields<QueryTaskArgs, 'ref'>>;
  tasks?: Resolver<ResolversTypes['TaskConnection'], ParentType, ContextType, RequireFields<QueryTasksArgs, 'first' | 'orderBy'>>;
  ticket?: Resolver<ResolversTypes['TrackerAnswer'], ParentType, ContextType, RequireFields<QueryTicketArgs, 'ref'>>;
  transcript?: Resolver<Maybe<ResolversTypes['Transcript']>, ParentType, ContextType, RequireFields<QueryTranscriptArgs, 'ref' | 'tail'>>;
};

export type QuestionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Question'] = ResolversParentTypes['Question']> = {
  askedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  channel?: Resolver<Maybe<ResolversTypes['ChannelFacts']>, ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  options?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  participant?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RestartReceiptResolvers<ContextType = any, ParentType extends ResolversParentTypes['RestartReceipt'] = ResolversParentTypes['RestartReceipt']> = {
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  logfile?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pid?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  scheduled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  withUpgrade?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ScheduleResolvers<ContextType = any, ParentType extends ResolversParentTypes['Schedule'] = ResolversParentTypes['Schedule']> = {
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  intervalSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lastAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  result?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type SessionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session'], FederationReferenceType extends FederationReferenceTypes['Session'] = FederationReferenceTypes['Session']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Session']> | FederationReferenceType, FederationReferenceType, ContextType>;
  control?: Resolver<Maybe<ResolversTypes['ControlCommand']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cwd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  effort?: Resolver<Maybe<ResolversTypes['Effort']>, ParentType, ContextType>;
  harness?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  harnessSessionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastEventAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pullRequests?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ID']>>, ParentType, ContextType>;
  recentDeliveries?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['SessionStatus'], ParentType, ContextType>;
};

export type SessionCloseResolvers<ContextType = any, ParentType extends ResolversParentTypes['SessionClose'] = ResolversParentTypes['SessionClose']> = {
  closed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SessionControlResolvers<ContextType = any, ParentType extends ResolversParentTypes['SessionControl'] = ResolversParentTypes['SessionControl']> = {
  effect?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  verb?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SessionRegistrationResolvers<ContextType = any, ParentType extends ResolversParentTypes['SessionRegistration'] = ResolversParentTypes['SessionRegistration']> = {
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  harness?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  harnessSessionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SessionReplyResolvers<ContextType = any, ParentType extends ResolversParentTypes['SessionReply'] = ResolversParentTypes['SessionReply']> = {
  delivered?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type StandingChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['StandingChange'] = ResolversParentTypes['StandingChange']> = {
  detail?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  session?: Resolver<ResolversTypes['StandingSession'], ParentType, ContextType>;
};

export type StandingOutcomeResolvers<ContextType = any, ParentType extends ResolversParentTypes['StandingOutcome'] = ResolversParentTypes['StandingOutcome']> = {
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  sessions?: Resolver<ReadonlyArray<ResolversTypes['StandingChange']>, ParentType, ContextType>;
  stopped?: Resolver<Maybe<ReadonlyArray<ResolversTypes['StandingChange']>>, ParentType, ContextType>;
};

export type StandingReplyResolvers<ContextType = any, ParentType extends ResolversParentTypes['StandingReply'] = ResolversParentTypes['StandingReply']> = {
  delivered?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type StandingSessionResolvers<ContextType = any, ParentType extends ResolversParentTypes['StandingSession'] = ResolversParentTypes['StandingSession'], FederationReferenceType extends FederationReferenceTypes['StandingSession'] = FederationReferenceTypes['StandingSession']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['StandingSession']> | FederationReferenceType, FederationReferenceType, ContextType>;
  autoStart?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  cwd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  declared?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  harness?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  harnessSessionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastMessageAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  running?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  events?: SubscriptionResolver<ResolversTypes['EventRecord'], "events", ParentType, ContextType, Partial<SubscriptionEventsArgs>>;
  taskEvents?: SubscriptionResolver<ResolversTypes['TaskEvent'], "taskEvents", ParentType, ContextType, Partial<SubscriptionTaskEventsArgs>>;
};

export type TaskResolvers<ContextType = any, ParentType extends ResolversParentTypes['Task'] = ResolversParentTypes['Task'], FederationReferenceType extends FederationReferenceTypes['Task'] = FederationReferenceTypes['Task']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Task']> | FederationReferenceType, FederationReferenceType, ContextType>;
  acceptanceCriteria?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Criterion']>>, ParentType, ContextType>;
  budget?: Resolver<Maybe<ResolversTypes['TaskBudget']>, ParentType, ContextType>;
  children?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Task']>>, ParentType, ContextType, RequireFields<TaskChildrenArgs, 'first'>>;
  contextId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  control?: Resolver<Maybe<ResolversTypes['ControlCommand']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  errorCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  goal?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  heldBy?: Resolver<Maybe<ResolversTypes['BudgetName']>, ParentType, ContextType>;
  history?: Resolver<ResolversTypes['HistoryConnection'], ParentType, ContextType, Partial<TaskHistoryArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  inboxAudit?: Resolver<Maybe<ReadonlyArray<ResolversTypes['AuditEntry']>>, ParentType, ContextType, RequireFields<TaskInboxAuditArgs, 'first'>>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastReply?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lifecycle?: Resolver<ResolversTypes['TaskLifecycle'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  origin?: Resolver<Maybe<ResolversTypes['TaskOrigin']>, ParentType, ContextType>;
  owner?: Resolver<ResolversTypes['Instance'], ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['Task']>, ParentType, ContextType>;
  participants?: Resolver<ReadonlyArray<ResolversTypes['Participant']>, ParentType, ContextType>;
  paused?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  plan?: Resolver<Maybe<ResolversTypes['Plan']>, ParentType, ContextType>;
  pullRequests?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ID']>>, ParentType, ContextType>;
  question?: Resolver<Maybe<ResolversTypes['Question']>, ParentType, ContextType>;
  queuedMessages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  settings?: Resolver<ResolversTypes['TaskSettings'], ParentType, ContextType>;
  skills?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['TaskState'], ParentType, ContextType>;
  statusMessage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subState?: Resolver<Maybe<ResolversTypes['TaskSubState']>, ParentType, ContextType>;
  turns?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['Usage'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TaskBudgetResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskBudget'] = ResolversParentTypes['TaskBudget']> = {
  cost?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  tokens?: Resolver<Maybe<ResolversTypes['Count']>, ParentType, ContextType>;
  turns?: Resolver<Maybe<ResolversTypes['Count']>, ParentType, ContextType>;
};

export type TaskConnectionResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskConnection'] = ResolversParentTypes['TaskConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['TaskEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Task']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TaskEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskEdge'] = ResolversParentTypes['TaskEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Task'], ParentType, ContextType>;
};

export type TaskEventResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskEvent'] = ResolversParentTypes['TaskEvent']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  offset?: Resolver<ResolversTypes['Offset'], ParentType, ContextType>;
  ref?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  task?: Resolver<Maybe<ResolversTypes['Task']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type TaskOriginResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskOrigin'] = ResolversParentTypes['TaskOrigin']> = {
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TaskSettingsResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskSettings'] = ResolversParentTypes['TaskSettings']> = {
  effort?: Resolver<Maybe<ResolversTypes['Effort']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TrackerAnswerResolvers<ContextType = any, ParentType extends ResolversParentTypes['TrackerAnswer'] = ResolversParentTypes['TrackerAnswer']> = {
  answer?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TranscriptResolvers<ContextType = any, ParentType extends ResolversParentTypes['Transcript'] = ResolversParentTypes['Transcript']> = {
  entries?: Resolver<ReadonlyArray<ResolversTypes['JSON']>, ParentType, ContextType>;
  harness?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  harnessSessionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  totalLines?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
  truncated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type UsageResolvers<ContextType = any, ParentType extends ResolversParentTypes['Usage'] = ResolversParentTypes['Usage']> = {
  byModel?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ModelUsage']>>, ParentType, ContextType>;
  cachedTokens?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
  cost?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  inputTokens?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
  outputTokens?: Resolver<ResolversTypes['Count'], ParentType, ContextType>;
};

export type Resolvers<ContextType = any> = {
  AttentionItem?: AttentionItemResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  ChannelFacts?: ChannelFactsResolvers<ContextType>;
  CheckoutAnswer?: CheckoutAnswerResolvers<ContextType>;
  Command?: CommandResolvers<ContextType>;
  CommandReply?: CommandReplyResolvers<ContextType>;
  ConfigDocument?: ConfigDocumentResolvers<ContextType>;
  ConfigUpdate?: ConfigUpdateResolvers<ContextType>;
  ControlCommand?: ControlCommandResolvers<ContextType>;
  Count?: GraphQLScalarType;
  Criterion?: CriterionResolvers<ContextType>;
  Daemon?: DaemonResolvers<ContextType>;
  DaemonControl?: DaemonControlResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  EventConnection?: EventConnectionResolvers<ContextType>;
  EventEdge?: EventEdgeResolvers<ContextType>;
  EventRecord?: EventRecordResolvers<ContextType>;
  EventType?: EventTypeResolvers<ContextType>;
  Health?: HealthResolvers<ContextType>;
  HealthMember?: HealthMemberResolvers<ContextType>;
  HelpRoute?: HelpRouteResolvers<ContextType>;
  HistoryConnection?: HistoryConnectionResolvers<ContextType>;
  HistoryEdge?: HistoryEdgeResolvers<ContextType>;
  HistoryItem?: HistoryItemResolvers<ContextType>;
  HistoryMessage?: HistoryMessageResolvers<ContextType>;
  HistoryToolCall?: HistoryToolCallResolvers<ContextType>;
  HistoryToolResult?: HistoryToolResultResolvers<ContextType>;
  Ingress?: IngressResolvers<ContextType>;
  Instance?: InstanceResolvers<ContextType>;
  InstanceDocument?: InstanceDocumentResolvers<ContextType>;
  InstanceScope?: InstanceScopeResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  ManagedItem?: ManagedItemResolvers<ContextType>;
  MessageReceipt?: MessageReceiptResolvers<ContextType>;
  ModelUsage?: ModelUsageResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Offset?: GraphQLScalarType;
  OutputLine?: OutputLineResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Participant?: ParticipantResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  PlanStep?: PlanStepResolvers<ContextType>;
  PullRequestLink?: PullRequestLinkResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Question?: QuestionResolvers<ContextType>;
  RestartReceipt?: RestartReceiptResolvers<ContextType>;
  Schedule?: ScheduleResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  SessionClose?: SessionCloseResolvers<ContextType>;
  SessionControl?: SessionControlResolvers<ContextType>;
  SessionRegistration?: SessionRegistrationResolvers<ContextType>;
  SessionReply?: SessionReplyResolvers<ContextType>;
  StandingChange?: StandingChangeResolvers<ContextType>;
  StandingOutcome?: StandingOutcomeResolvers<ContextType>;
  StandingReply?: StandingReplyResolvers<ContextType>;
  StandingSession?: StandingSessionResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Task?: TaskResolvers<ContextType>;
  TaskBudget?: TaskBudgetResolvers<ContextType>;
  TaskConnection?: TaskConnectionResolvers<ContextType>;
  TaskEdge?: TaskEdgeResolvers<ContextType>;
  TaskEvent?: TaskEventResolvers<ContextType>;
  TaskOrigin?: TaskOriginResolvers<ContextType>;
  TaskSettings?: TaskSettingsResolvers<ContextType>;
  TrackerAnswer?: TrackerAnswerResolvers<ContextType>;
  Transcript?: TranscriptResolvers<ContextType>;
  Usage?: UsageResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = any> = {
  fleet?: FleetDirectiveResolver<any, any, ContextType>;
};
