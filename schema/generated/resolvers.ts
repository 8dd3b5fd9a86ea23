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
  /** An instant as ISO 8601 text in UTC with milliseconds. */
  DateTime: { input: string; output: string; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  /** A position in an instance's event log: a JSON number from 0 to 2^53 - 1. 0 is before the first event. */
  Offset: { input: number; output: number; }
  _FieldSet: { input: string; output: string; }
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
  /** Those of them that are read only at start. */
  readonly restartRequired: ReadonlyArray<Scalars['String']['output']>;
  readonly written: Scalars['Boolean']['output'];
};

export type CreateTaskInput = {
  /** Default: the message. */
  readonly goal?: InputMaybe<Scalars['String']['input']>;
  /** The first message. Without one the task waits for it. */
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
  readonly state: TaskState;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Ends a task as CANCELED. */
  readonly cancelTask: Task;
  /** Completes the session's task. */
  readonly closeSession: SessionClose;
  /** Ends a task as COMPLETED. A running turn is cut short and its late result dropped. */
  readonly completeTask: Task;
  /** Start, pause, resume, stop or cleanup. */
  readonly controlSession: SessionControl;
  /** Creates a task and, when the input has a message, starts its first turn. */
  readonly createTask: Task;
  /** Adds a member to a manager's registry. The member is not contacted. */
  readonly registerInstance: ConfigUpdate;
  /** Delivers an operator's text to the session's task. */
  readonly replySession: SessionReply;
  /** Runs a slash command and waits for its reply. */
  readonly runCommand: CommandReply;
  /** Delivers a message durably. A `messageId` that was seen before is answered as a duplicate and not delivered again. */
  readonly sendMessage: MessageReceipt;
  /** Removes a member from a manager's registry. */
  readonly unregisterInstance: ConfigUpdate;
  /** Changes the configuration file: `patch` is a JSON Merge Patch (RFC 7396) of the authored document; comments and order are kept. */
  readonly updateConfig: ConfigUpdate;
};


export type MutationCancelTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  reason?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationCloseSessionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type MutationCompleteTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text?: InputMaybe<Scalars['String']['input']>;
};


export type MutationControlSessionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  verb: Scalars['String']['input'];
};


export type MutationCreateTaskArgs = {
  input: CreateTaskInput;
  instance?: InputMaybe<Scalars['String']['input']>;
};


export type MutationRegisterInstanceArgs = {
  name: Scalars['String']['input'];
  url: Scalars['String']['input'];
};


export type MutationReplySessionArgs = {
  actor?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationRunCommandArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationSendMessageArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  messageId?: InputMaybe<Scalars['ID']['input']>;
  participant?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
  text: Scalars['String']['input'];
};


export type MutationUnregisterInstanceArgs = {
  name: Scalars['String']['input'];
};


export type MutationUpdateConfigArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  patch: Scalars['JSON']['input'];
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
  readonly name: Scalars['String']['output'];
  readonly output?: Maybe<Scalars['String']['output']>;
  readonly state: PlanStepState;
};

export type PlanStepState =
  | 'ACTIVE'
  | 'DONE'
  | 'FAILED'
  | 'PENDING';

export type Query = {
  readonly __typename?: 'Query';
  /** The slash commands that can be sent to a task. */
  readonly commands: ReadonlyArray<Command>;
  /** The configuration file as authored. */
  readonly config: ConfigDocument;
  /** The JSON Schema of the configuration. */
  readonly configSchema: Scalars['JSON']['output'];
  /** Every type of event that can be in the log, with its meaning. */
  readonly eventTypes: ReadonlyArray<EventType>;
  /** The event log, oldest first. `first` pages forward from `after`; `last` keeps the newest. Each is 0 to 1,000; without either, the newest 50. */
  readonly events: EventConnection;
  /** Whether the instance and, on a manager, its members do their work. */
  readonly health: Health;
  /** Who this instance is and what it manages. */
  readonly instance: InstanceDocument;
  /** The own row first, then the registry's. A worker has its own row only. */
  readonly instances: ReadonlyArray<Instance>;
  readonly session?: Maybe<Session>;
  /** The conversations an agent works on, as the REST contract names them. */
  readonly sessions: ReadonlyArray<Session>;
  /** The newest task with this ref; null when `instance` is named and has none, NOT_FOUND when nobody has it. */
  readonly task?: Maybe<Task>;
  /** Tasks, newest first unless `orderBy` says otherwise. `first` is 0 to 1,000; `after` is a cursor of an earlier answer to the same `filter` and `orderBy`. */
  readonly tasks: TaskConnection;
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


export type QuerySessionArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type QuerySessionsArgs = {
  status?: InputMaybe<SessionStatus>;
};


export type QueryTaskArgs = {
  instance?: InputMaybe<Scalars['String']['input']>;
  ref: Scalars['ID']['input'];
};


export type QueryTasksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TaskFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<TaskOrder>;
};

/** The conversation of a task, as the REST contract names it. */
export type Session = {
  readonly __typename?: 'Session';
  readonly createdAt: Scalars['DateTime']['output'];
  readonly cwd: Scalars['String']['output'];
  readonly effort?: Maybe<Effort>;
  readonly harness: Scalars['String']['output'];
  readonly harnessSessionId: Scalars['String']['output'];
  readonly instance: Scalars['String']['output'];
  readonly lastEventAt?: Maybe<Scalars['DateTime']['output']>;
  readonly model?: Maybe<Scalars['String']['output']>;
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
  readonly ref: Scalars['ID']['output'];
};

export type SessionControl = {
  readonly __typename?: 'SessionControl';
  readonly effect: Scalars['String']['output'];
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  readonly ref: Scalars['ID']['output'];
  readonly verb: Scalars['String']['output'];
};

export type SessionReply = {
  readonly __typename?: 'SessionReply';
  readonly delivered: Scalars['Boolean']['output'];
  readonly exitCode: Scalars['Int']['output'];
  readonly instance: Scalars['String']['output'];
  readonly messages: ReadonlyArray<OutputLine>;
  readonly ref: Scalars['ID']['output'];
};

export type SessionStatus =
  | 'ACTIVE'
  | 'CLOSED'
  | 'PAUSED';

export type Subscription = {
  readonly __typename?: 'Subscription';
  /** Every event of the log that matches `filter`. */
  readonly events: EventRecord;
  /** What happens to tasks. `after` is a cursor of an earlier event: the stream goes on after it, without a gap. Without it the stream starts now. */
  readonly taskEvents: TaskEvent;
};


export type SubscriptionEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<EventFilter>;
};


export type SubscriptionTaskEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  instance?: InputMaybe<Scalars['String']['input']>;
  ref?: InputMaybe<Scalars['ID']['input']>;
};

/** One durable unit of work: a conversation with an agent, its tools and its people. */
export type Task = {
  readonly __typename?: 'Task';
  readonly contextId: Scalars['ID']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
  readonly goal: Scalars['String']['output'];
  /** Oldest first. `first` is 0 to 1,000; `after` is a cursor of an earlier page. */
  readonly history: HistoryConnection;
  /** The A2A task id; opaque, never used again. */
  readonly id: Scalars['ID']['output'];
  /** The instance that runs the task. */
  readonly instance: Scalars['String']['output'];
  /** The agent's newest reply. */
  readonly lastReply?: Maybe<Scalars['String']['output']>;
  readonly lifecycle: TaskLifecycle;
  readonly name: Scalars['String']['output'];
  readonly owner: Instance;
  readonly participants: ReadonlyArray<Participant>;
  /** No new turn starts while true; messages queue. */
  readonly paused: Scalars['Boolean']['output'];
  readonly plan?: Maybe<Plan>;
  /** How many delivered messages wait to be read by the agent. */
  readonly queuedMessages: Scalars['Int']['output'];
  /** The member's own row, whole, when the member is of another make. */
  readonly record?: Maybe<Scalars['JSON']['output']>;
  /** Unique among the instance's open tasks: `provider:[host/]owner/repo#number`. */
  readonly ref: Scalars['ID']['output'];
  readonly settings: TaskSettings;
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
export type TaskHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
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
  /** Only tasks of these instances. */
  readonly instances?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Any of these. */
  readonly states?: InputMaybe<ReadonlyArray<TaskState>>;
  readonly subStates?: InputMaybe<ReadonlyArray<TaskSubState>>;
  /** A case-insensitive part of name, goal, ref or last reply; 1 to 200 characters. */
  readonly text?: InputMaybe<Scalars['String']['input']>;
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

export type Usage = {
  readonly __typename?: 'Usage';
  readonly cachedTokens: Scalars['Int']['output'];
  readonly inputTokens: Scalars['Int']['output'];
  readonly outputTokens: Scalars['Int']['output'];
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
  Instance: Instance;
  Session: Session;
  Task: Task;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Command:
    ( { __typename: 'Command' }
    & GraphQLRecursivePick<FederationTypes['Command'], {"instance":true,"name":true}> );
  Instance:
    ( { __typename: 'Instance' }
    & GraphQLRecursivePick<FederationTypes['Instance'], {"name":true}> );
  Session:
    ( { __typename: 'Session' }
    & GraphQLRecursivePick<FederationTypes['Session'], {"instance":true,"ref":true}> );
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
  Command: ResolverTypeWrapper<Partial<Command>>;
  String: ResolverTypeWrapper<Partial<Scalars['String']['output']>>;
  CommandReply: ResolverTypeWrapper<Partial<CommandReply>>;
  ID: ResolverTypeWrapper<Partial<Scalars['ID']['output']>>;
  Boolean: ResolverTypeWrapper<Partial<Scalars['Boolean']['output']>>;
  ConfigDocument: ResolverTypeWrapper<Partial<ConfigDocument>>;
  ConfigUpdate: ResolverTypeWrapper<Partial<ConfigUpdate>>;
  CreateTaskInput: ResolverTypeWrapper<Partial<CreateTaskInput>>;
  DateTime: ResolverTypeWrapper<Partial<Scalars['DateTime']['output']>>;
  Effort: ResolverTypeWrapper<Partial<Effort>>;
  EventConnection: ResolverTypeWrapper<Partial<EventConnection>>;
  EventEdge: ResolverTypeWrapper<Partial<EventEdge>>;
  EventFilter: ResolverTypeWrapper<Partial<EventFilter>>;
  EventLevel: ResolverTypeWrapper<Partial<EventLevel>>;
  EventRecord: ResolverTypeWrapper<Partial<EventRecord>>;
  Int: ResolverTypeWrapper<Partial<Scalars['Int']['output']>>;
  EventType: ResolverTypeWrapper<Partial<EventType>>;
  FleetRoute: ResolverTypeWrapper<Partial<FleetRoute>>;
  Health: ResolverTypeWrapper<Partial<Health>>;
  HealthMember: ResolverTypeWrapper<Partial<HealthMember>>;
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
  PlanStepState: ResolverTypeWrapper<Partial<PlanStepState>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Session: ResolverTypeWrapper<Partial<Session>>;
  SessionClose: ResolverTypeWrapper<Partial<SessionClose>>;
  SessionControl: ResolverTypeWrapper<Partial<SessionControl>>;
  SessionReply: ResolverTypeWrapper<Partial<SessionReply>>;
  SessionStatus: ResolverTypeWrapper<Partial<SessionStatus>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Task: ResolverTypeWrapper<Partial<Omit<Task, 'history'> & { history: ResolversTypes['HistoryConnection'] }>>;
  TaskConnection: ResolverTypeWrapper<Partial<Omit<TaskConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['TaskEdge']>, nodes: ReadonlyArray<ResolversTypes['Task']> }>>;
  TaskEdge: ResolverTypeWrapper<Partial<Omit<TaskEdge, 'node'> & { node: ResolversTypes['Task'] }>>;
  TaskEvent: ResolverTypeWrapper<Partial<Omit<TaskEvent, 'task'> & { task?: Maybe<ResolversTypes['Task']> }>>;
  TaskFilter: ResolverTypeWrapper<Partial<TaskFilter>>;
  TaskLifecycle: ResolverTypeWrapper<Partial<TaskLifecycle>>;
  TaskOrder: ResolverTypeWrapper<Partial<TaskOrder>>;
  TaskSettings: ResolverTypeWrapper<Partial<TaskSettings>>;
  TaskSettingsInput: ResolverTypeWrapper<Partial<TaskSettingsInput>>;
  TaskState: ResolverTypeWrapper<Partial<TaskState>>;
  TaskSubState: ResolverTypeWrapper<Partial<TaskSubState>>;
  Usage: ResolverTypeWrapper<Partial<Usage>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Command: Partial<Command | FederationReferenceTypes['Command']>;
  String: Partial<Scalars['String']['output']>;
  CommandReply: Partial<CommandReply>;
  ID: Partial<Scalars['ID']['output']>;
  Boolean: Partial<Scalars['Boolean']['output']>;
  ConfigDocument: Partial<ConfigDocument>;
  ConfigUpdate: Partial<ConfigUpdate>;
  CreateTaskInput: Partial<CreateTaskInput>;
  DateTime: Partial<Scalars['DateTime']['output']>;
  EventConnection: Partial<EventConnection>;
  EventEdge: Partial<EventEdge>;
  EventFilter: Partial<EventFilter>;
  EventRecord: Partial<EventRecord>;
  Int: Partial<Scalars['Int']['output']>;
  EventType: Partial<EventType>;
  Health: Partial<Health>;
  HealthMember: Partial<HealthMember>;
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
  Mutation: Record<PropertyKey, never>;
  Offset: Partial<Scalars['Offset']['output']>;
  OutputLine: Partial<OutputLine>;
  PageInfo: Partial<PageInfo>;
  Participant: Partial<Participant>;
  ParticipantInput: Partial<ParticipantInput>;
  Plan: Partial<Plan>;
  PlanStep: Partial<PlanStep>;
  Query: Record<PropertyKey, never>;
  Session: Partial<Session | FederationReferenceTypes['Session']>;
  SessionClose: Partial<SessionClose>;
  SessionControl: Partial<SessionControl>;
  SessionReply: Partial<SessionReply>;
  Subscription: Record<PropertyKey, never>;
  Task: Partial<Omit<Task, 'history'> & { history: ResolversParentTypes['HistoryConnection'] } | FederationReferenceTypes['Task']>;
  TaskConnection: Partial<Omit<TaskConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['TaskEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Task']> }>;
  TaskEdge: Partial<Omit<TaskEdge, 'node'> & { node: ResolversParentTypes['Task'] }>;
  TaskEvent: Partial<Omit<TaskEvent, 'task'> & { task?: Maybe<ResolversParentTypes['Task']> }>;
  TaskFilter: Partial<TaskFilter>;
  TaskSettings: Partial<TaskSettings>;
  TaskSettingsInput: Partial<TaskSettingsInput>;
  Usage: Partial<Usage>;
};

export type FleetDirectiveArgs = {
  route: FleetRoute;
};

export type FleetDirectiveResolver<Result, Parent, ContextType = any, Args = FleetDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

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
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConfigUpdateResolvers<ContextType = any, ParentType extends ResolversParentTypes['ConfigUpdate'] = ResolversParentTypes['ConfigUpdate']> = {
  changed?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  config?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  exists?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  instance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  restartRequired?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  written?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  cancelTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationCancelTaskArgs, 'ref'>>;
  closeSession?: Resolver<ResolversTypes['SessionClose'], ParentType, ContextType, RequireFields<MutationCloseSessionArgs, 'ref'>>;
  completeTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationCompleteTaskArgs, 'ref'>>;
  controlSession?: Resolver<ResolversTypes['SessionControl'], ParentType, ContextType, RequireFields<MutationControlSessionArgs, 'ref' | 'verb'>>;
  createTask?: Resolver<ResolversTypes['Task'], ParentType, ContextType, RequireFields<MutationCreateTaskArgs, 'input'>>;
  registerInstance?: Resolver<ResolversTypes['ConfigUpdate'], ParentType, ContextType, RequireFields<MutationRegisterInstanceArgs, 'name' | 'url'>>;
  replySession?: Resolver<ResolversTypes['SessionReply'], ParentType, ContextType, RequireFields<MutationReplySessionArgs, 'ref' | 'text'>>;
  runCommand?: Resolver<ResolversTypes['CommandReply'], ParentType, ContextType, RequireFields<MutationRunCommandArgs, 'ref' | 'text'>>;
  sendMessage?: Resolver<ResolversTypes['MessageReceipt'], ParentType, ContextType, RequireFields<MutationSendMessageArgs, 'ref' | 'text'>>;
  unregisterInstance?: Resolver<ResolversTypes['ConfigUpdate'], ParentType, ContextType, RequireFields<MutationUnregisterInstanceArgs, 'name'>>;
  updateConfig?: Resolver<ResolversTypes['ConfigUpdate'], ParentType, ContextType, RequireFields<MutationUpdateConfigArgs, 'patch'>>;
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
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  output?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['PlanStepState'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  commands?: Resolver<ReadonlyArray<ResolversTypes['Command']>, ParentType, ContextType>;
  config?: Resolver<ResolversTypes['ConfigDocument'], ParentType, ContextType, Partial<QueryConfigArgs>>;
  configSchema?: Resolver<ResolversTypes['JSON'], ParentType, ContextType, Partial<QueryConfigSchemaArgs>>;
  eventTypes?: Resolver<ReadonlyArray<ResolversTypes['EventType']>, ParentType, ContextType>;
  events?: Resolver<ResolversTypes['EventConnection'], ParentType, ContextType, Partial<QueryEventsArgs>>;
  health?: Resolver<ResolversTypes['Health'], ParentType, ContextType, Partial<QueryHealthArgs>>;
  instance?: Resolver<ResolversTypes['InstanceDocument'], ParentType, ContextType, Partial<QueryInstanceArgs>>;
  instances?: Resolver<ReadonlyArray<ResolversTypes['Instance']>, ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType, RequireFields<QuerySessionArgs, 'ref'>>;
  sessions?: Resolver<ReadonlyArray<ResolversTypes['Session']>, ParentType, ContextType, Partial<QuerySessionsArgs>>;
  task?: Resolver<Maybe<ResolversTypes['Task']>, ParentType, ContextType, RequireFields<QueryTaskArgs, 'ref'>>;
  tasks?: Resolver<ResolversTypes['TaskConnection'], ParentType, ContextType, RequireFields<QueryTasksArgs, 'first' | 'orderBy'>>;
};

export type SessionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session'], FederationReferenceType extends FederationReferenceTypes['Session'] = FederationReferenceTypes['Session']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Session']> | FederationReferenceType, FederationReferenceType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cwd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  effort?: Resolver<Maybe<ResolversTypes['Effort']>, ParentType, ContextType>;
  harness?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  harnessSessionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastEventAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SessionControlResolvers<ContextType = any, ParentType extends ResolversParentTypes['SessionControl'] = ResolversParentTypes['SessionControl']> = {
  effect?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  verb?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SessionReplyResolvers<ContextType = any, ParentType extends ResolversParentTypes['SessionReply'] = ResolversParentTypes['SessionReply']> = {
  delivered?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  exitCode?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  messages?: Resolver<ReadonlyArray<ResolversTypes['OutputLine']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  events?: SubscriptionResolver<ResolversTypes['EventRecord'], "events", ParentType, ContextType, Partial<SubscriptionEventsArgs>>;
  taskEvents?: SubscriptionResolver<ResolversTypes['TaskEvent'], "taskEvents", ParentType, ContextType, Partial<SubscriptionTaskEventsArgs>>;
};

export type TaskResolvers<ContextType = any, ParentType extends ResolversParentTypes['Task'] = ResolversParentTypes['Task'], FederationReferenceType extends FederationReferenceTypes['Task'] = FederationReferenceTypes['Task']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Task']> | FederationReferenceType, FederationReferenceType, ContextType>;
  contextId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  goal?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  history?: Resolver<ResolversTypes['HistoryConnection'], ParentType, ContextType, RequireFields<TaskHistoryArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  instance?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastReply?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lifecycle?: Resolver<ResolversTypes['TaskLifecycle'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  owner?: Resolver<ResolversTypes['Instance'], ParentType, ContextType>;
  participants?: Resolver<ReadonlyArray<ResolversTypes['Participant']>, ParentType, ContextType>;
  paused?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  plan?: Resolver<Maybe<ResolversTypes['Plan']>, ParentType, ContextType>;
  queuedMessages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  record?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  settings?: Resolver<ResolversTypes['TaskSettings'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['TaskState'], ParentType, ContextType>;
  statusMessage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subState?: Resolver<Maybe<ResolversTypes['TaskSubState']>, ParentType, ContextType>;
  turns?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['Usage'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
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

export type TaskSettingsResolvers<ContextType = any, ParentType extends ResolversParentTypes['TaskSettings'] = ResolversParentTypes['TaskSettings']> = {
  effort?: Resolver<Maybe<ResolversTypes['Effort']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UsageResolvers<ContextType = any, ParentType extends ResolversParentTypes['Usage'] = ResolversParentTypes['Usage']> = {
  cachedTokens?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  inputTokens?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  outputTokens?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type Resolvers<ContextType = any> = {
  Command?: CommandResolvers<ContextType>;
  CommandReply?: CommandReplyResolvers<ContextType>;
  ConfigDocument?: ConfigDocumentResolvers<ContextType>;
  ConfigUpdate?: ConfigUpdateResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  EventConnection?: EventConnectionResolvers<ContextType>;
  EventEdge?: EventEdgeResolvers<ContextType>;
  EventRecord?: EventRecordResolvers<ContextType>;
  EventType?: EventTypeResolvers<ContextType>;
  Health?: HealthResolvers<ContextType>;
  HealthMember?: HealthMemberResolvers<ContextType>;
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
  Mutation?: MutationResolvers<ContextType>;
  Offset?: GraphQLScalarType;
  OutputLine?: OutputLineResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Participant?: ParticipantResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  PlanStep?: PlanStepResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  SessionClose?: SessionCloseResolvers<ContextType>;
  SessionControl?: SessionControlResolvers<ContextType>;
  SessionReply?: SessionReplyResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Task?: TaskResolvers<ContextType>;
  TaskConnection?: TaskConnectionResolvers<ContextType>;
  TaskEdge?: TaskEdgeResolvers<ContextType>;
  TaskEvent?: TaskEventResolvers<ContextType>;
  TaskSettings?: TaskSettingsResolvers<ContextType>;
  Usage?: UsageResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = any> = {
  fleet?: FleetDirectiveResolver<any, any, ContextType>;
};
