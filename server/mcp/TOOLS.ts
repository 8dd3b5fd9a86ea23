/**
 * Which operations of the contract agents have as tools, and which they never have (spec/manager.md § 18). One list for both roles:
 * what an instance cannot do it says when it is asked.
 */

/** One tool. All else about it is the contract's. */
export interface ToolEntry {
  readonly name: string;
  readonly operationId: string;
  /** Whether it may end or undo something that is there, for clients that ask a person first. @default false */
  readonly isDestructive?: boolean;
}

export const TOOLS: readonly ToolEntry[] = [
  { name: 'list_work_items', operationId: 'listWorkItems' },
  { name: 'get_work_item', operationId: 'getWorkItem' },
  { name: 'check_work_item', operationId: 'graphCheck' },
  { name: 'graph_show', operationId: 'graphShow' },
  { name: 'graph_advance', operationId: 'graphAdvance' },
  { name: 'graph_complete', operationId: 'graphComplete' },
  { name: 'list_sessions', operationId: 'listSessions' },
  { name: 'session_transcript', operationId: 'sessionTranscript' },
  { name: 'control_session', operationId: 'controlSession', isDestructive: true },
  { name: 'register_session', operationId: 'registerSession', isDestructive: true },
  { name: 'link_pull_request', operationId: 'linkSessionPullRequest' },
  { name: 'close_session', operationId: 'closeSession', isDestructive: true },
  { name: 'post_comment', operationId: 'postWorkItemComment' },
  { name: 'get_ticket', operationId: 'getTicket' },
  { name: 'create_ticket', operationId: 'createTicket' },
  { name: 'create_pull_request', operationId: 'createPullRequest' },
  { name: 'pull_request_status', operationId: 'getPullRequestStatus' },
  { name: 'pull_request_checks', operationId: 'listPullRequestChecks' },
  { name: 'pull_request_threads', operationId: 'listPullRequestThreads' },
  { name: 'mark_pull_request_ready', operationId: 'markPullRequestReady' },
  { name: 'resolve_review_thread', operationId: 'resolveReviewThread' },
  { name: 'close_ticket', operationId: 'closeTicket', isDestructive: true },
  { name: 'merge_pull_request', operationId: 'mergePullRequest', isDestructive: true },
  { name: 'list_standing_sessions', operationId: 'listStandingSessions' },
  { name: 'get_standing_session', operationId: 'getStandingSession' },
  { name: 'say_to_standing_session', operationId: 'sayToStandingSession' },
  { name: 'query_events', operationId: 'queryEvents' },
  { name: 'daemon_status', operationId: 'listDaemons' },
  { name: 'control_daemon', operationId: 'controlDaemon', isDestructive: true },
  { name: 'get_instance', operationId: 'getInstance' },
  { name: 'list_instances', operationId: 'listInstances' },
  { name: 'list_attention', operationId: 'listAttention' },
  { name: 'repo_scenarios', operationId: 'repoScenarios' },
  { name: 'repo_instructions', operationId: 'repoInstructions' },
  { name: 'repo_critics', operationId: 'repoCritics' },
  { name: 'repo_review_policy', operationId: 'repoReviewPolicy' },
  { name: 'repo_critic_run', operationId: 'repoCriticRun' },
];

/**
 * Operations that are a person's alone: they change who belongs to the fleet, how an instance is set up, or what a person has
 * decided. What is only of use to programs that show things is here as well, so that agents have fewer names to choose from.
 */
export const NEVER_TOOLS: readonly string[] = [
  'registerInstance',
  'unregisterInstance',
  'getConfig',
  'getConfigSchema',
  'updateConfig',
  'restart',
  'graphForce',
  'graphSkip',
  'graphRepos',
  'replySession',
  'getSession',
  'createStandingSession',
  'deleteStandingSession',
  'controlStandingSession',
  'streamEvents',
  'eventTypes',
  'health',
];
