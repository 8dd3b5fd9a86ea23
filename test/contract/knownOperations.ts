/**
 * The operations that clients of the REST contract know, as facts: what they send and which answers they are ready for.
 *
 * A field is `name`, `!` when it is required, `:type` unless it is text, `=default` in JSON. Parameters that may be null have no
 * default: a query cannot say null. `statuses` are those that clients were told of, and those of ours that the class brings with it.
 */
export interface KnownOperation {
  readonly id: string;
  /** Method, and path below `/api/v1/`. */
  readonly route: string;
  /** How a manager answers it (spec/manager.md § 12). */
  readonly class:
    | 'self'
    | 'self-or-instance'
    | 'fan-out'
    | 'by-ref'
    | 'by-standing-name'
    | 'by-instance'
    | 'acting-member'
    | 'fan-in';
  readonly query?: string;
  readonly headers?: string;
  /** `Title(fields)`. */
  readonly body?: string;
  readonly statuses: string;
}

// biome-ignore format: a table.
export const KNOWN_OPERATIONS: readonly KnownOperation[] = [
  { id: 'health', route: 'GET health', class: 'self-or-instance', query: 'instance=""', statuses: '200 404 502' },
  { id: 'getInstance', route: 'GET instance', class: 'self-or-instance', query: 'instance=""', statuses: '200 404 502' },
  { id: 'listInstances', route: 'GET instances', class: 'self', statuses: '200' },
  { id: 'registerInstance', route: 'POST instances/register', class: 'self', body: 'InstanceRegisterBody(name!, url!)', statuses: '200 400 422 500' },
  { id: 'unregisterInstance', route: 'POST instances/unregister', class: 'self', body: 'InstanceUnregisterBody(name!)', statuses: '200 400 404 422 500' },
  { id: 'listWorkItems', route: 'GET work-items', class: 'fan-out', statuses: '200' },
  { id: 'getWorkItem', route: 'GET work-items/one', class: 'by-ref', query: 'ref!, instance=""', statuses: '200 400 404 409 422 502' },
  { id: 'postWorkItemComment', route: 'POST work-items/comments', class: 'by-instance', body: 'WorkItemCommentBody(ref!, body!, instance="")', statuses: '200 400 404 422 501 502' },
  { id: 'getTicket', route: 'GET work-items/ticket', class: 'by-instance', query: 'ref!, instance=""', statuses: '200 400 404 422 501 502' },
  { id: 'createTicket', route: 'POST work-items/tickets', class: 'by-instance', body: 'TicketCreateBody(repository!, title!, body="", labels:string[]=[], instance="", project="")', statuses: '200 400 404 422 501 502' },
  { id: 'closeTicket', route: 'POST work-items/tickets/close', class: 'acting-member', body: 'TicketCloseBody(ref!, reason="completed", workItem="", instance="")', statuses: '200 400 404 409 422 501 502' },
  { id: 'createPullRequest', route: 'POST work-items/pull-requests', class: 'by-instance', body: 'PullRequestCreateBody(ref!, title!, body="", head!, base="", repository="", draft:boolean=false, instance="")', statuses: '200 400 404 422 501 502' },
  { id: 'getPullRequestStatus', route: 'GET pull-requests/status', class: 'by-instance', query: 'ref!, workItem="", instance=""', statuses: '200 400 404 422 501 502' },
  { id: 'listPullRequestThreads', route: 'GET pull-requests/threads', class: 'by-instance', query: 'ref!, workItem="", all:boolean=false, instance=""', statuses: '200 400 404 422 501 502' },
  { id: 'resolveReviewThread', route: 'POST pull-requests/threads/resolve', class: 'acting-member', body: 'ThreadResolveBody(ref!, thread!, workItem="", instance="")', statuses: '200 400 404 409 422 501 502' },
  { id: 'mergePullRequest', route: 'POST pull-requests/merge', class: 'acting-member', body: 'PullRequestMergeBody(ref!, workItem="", method="merge", sha="", instance="")', statuses: '200 400 404 409 422 501 502' },
  { id: 'getConfig', route: 'GET config', class: 'self-or-instance', query: 'instance=""', statuses: '200 400 404 502' },
  { id: 'updateConfig', route: 'POST config', class: 'self-or-instance', body: 'ConfigUpdateBody(patch!:object, instance="")', statuses: '200 400 404 422 500 502' },
  { id: 'getConfigSchema', route: 'GET config/schema', class: 'self-or-instance', query: 'instance=""', statuses: '200 404 502' },
  { id: 'graphShow', route: 'GET graph', class: 'by-instance', query: 'repo!, pr:integer, prRepo="", specDir="", instance=""', statuses: '200 400 404 422 501 502' },
  { id: 'graphCheck', route: 'POST graph/check', class: 'by-instance', body: 'GraphCheckBody(instance="", repo!, workItem!, recompute:boolean=false, pr:integer|null=null, prRepo="", specDir="")', statuses: '200 400 404 422 501 502' },
  { id: 'graphComplete', route: 'POST graph/complete', class: 'by-instance', body: 'GraphCompleteBody(instance="", repo!, workItem!, node="", actor="", ref="", pr:integer|null=null, prRepo="", specDir="")', statuses: '200 400 404 422 501 502' },
  { id: 'graphAdvance', route: 'POST graph/advance', class: 'by-instance', body: 'GraphAdvanceBody(instance="", repo!, workItem!, ref="", pr:integer|null=null, prRepo="", specDir="")', statuses: '200 400 404 422 501 502' },
  { id: 'graphForce', route: 'POST graph/force', class: 'by-instance', body: 'GraphForceBody(instance="", repo!, workItem!, toNode!, reason!, actor="", ref="", pr:integer|null=null, prRepo="", specDir="")', statuses: '200 400 404 422 501 502' },
  { id: 'graphSkip', route: 'POST graph/skip', class: 'by-instance', body: 'GraphSkipBody(instance="", repo!, workItem!, nodes!:string[], reason!, actor="", ref="", pr:integer|null=null, prRepo="", specDir="")', statuses: '200 400 404 422 501 502' },
  { id: 'graphRepos', route: 'POST graph/repos', class: 'by-instance', body: 'GraphReposBody(instance="", repo!, workItem!, repositories:string[]|null=null, clear:boolean=false, ref="", pr:integer|null=null, prRepo="", specDir="")', statuses: '200 400 404 422 501 502' },
  { id: 'listSessions', route: 'GET sessions', class: 'fan-out', query: 'status', statuses: '200 422' },
  { id: 'getSession', route: 'GET sessions/one', class: 'by-ref', query: 'ref!, instance=""', statuses: '200 400 404 409 422 502' },
  { id: 'sessionTranscript', route: 'GET sessions/transcript', class: 'by-ref', query: 'ref!, tail:integer=200, instance=""', statuses: '200 400 404 409 422 502' },
  { id: 'controlSession', route: 'POST sessions/control', class: 'by-ref', body: 'SessionControlBody(instance="", ref!, verb!, comment:boolean=true)', statuses: '200 400 404 409 422 502' },
  { id: 'replySession', route: 'POST sessions/reply', class: 'by-ref', body: 'SessionReplyBody(instance="", ref!, text!, actor="", comment:boolean=true)', statuses: '200 400 404 409 422 502' },
  { id: 'registerSession', route: 'POST sessions/register', class: 'by-instance', body: 'SessionRegisterBody(instance="", ref!, harness!, harnessSessionId!, cwd=".", force:boolean=false)', statuses: '200 400 404 422 502' },
  { id: 'linkSessionPullRequest', route: 'POST sessions/link-pr', class: 'by-ref', body: 'SessionLinkPrBody(ref!, pullRequest="", discover:boolean=false, branch="", repository="", headOwner="", instance="")', statuses: '200 400 404 409 422 502' },
  { id: 'closeSession', route: 'POST sessions/close', class: 'by-ref', body: 'SessionCloseBody(instance="", ref!, keepTmux:boolean|null=null)', statuses: '200 400 404 409 422 502' },
  { id: 'listStandingSessions', route: 'GET standing-sessions', class: 'fan-out', statuses: '200' },
  { id: 'getStandingSession', route: 'GET standing-sessions/one', class: 'by-standing-name', query: 'name!, instance=""', statuses: '200 404 409 422 502' },
  { id: 'createStandingSession', route: 'POST standing-sessions/create', class: 'by-instance', body: 'StandingCreateBody(instance="", name!, harness="", cwd="", prompt="", description="", harnessArgs:string[]|null=null, slackEnabled:boolean=false, slackChannel="", autoStart:boolean=true, start:boolean=true)', statuses: '200 400 404 422 502' },
  { id: 'deleteStandingSession', route: 'POST standing-sessions/delete', class: 'by-standing-name', body: 'StandingDeleteBody(instance="", name!)', statuses: '200 400 404 409 422 502' },
  { id: 'controlStandingSession', route: 'POST standing-sessions/control', class: 'by-standing-name', body: 'StandingControlBody(instance="", name="", verb!)', statuses: '200 400 404 409 422 502' },
  { id: 'sayToStandingSession', route: 'POST standing-sessions/say', class: 'by-standing-name', body: 'StandingSayBody(instance="", name!, text!, actor="")', statuses: '200 400 404 409 422 502' },
  { id: 'streamEvents', route: 'GET stream', class: 'fan-in', query: 'workItem:string[]=[], transcript:string[]=[]', headers: 'Last-Event-ID', statuses: '200 400 404 422 503' },
  { id: 'queryEvents', route: 'GET events', class: 'fan-out', query: 'type:string[]=[], workItem, deliveryId, source, level, since, limit:integer=50', statuses: '200 400 422' },
  { id: 'eventTypes', route: 'GET events/types', class: 'fan-out', statuses: '200' },
  { id: 'listDaemons', route: 'GET daemons', class: 'fan-out', statuses: '200' },
  { id: 'controlDaemon', route: 'POST daemons/control', class: 'by-instance', body: 'DaemonControlBody(instance="", daemon!, verb!)', statuses: '200 400 404 422 502' },
  { id: 'restart', route: 'POST restart', class: 'self-or-instance', body: 'RestartBody(instance="", withUpgrade:boolean=false)', statuses: '200 404 409 422 501 502' },
  { id: 'listAttention', route: 'GET attention', class: 'fan-out', statuses: '200' },
  { id: 'repoScenarios', route: 'GET repo/scenarios', class: 'by-instance', query: 'repo!, glob:string[]=[], instance=""', statuses: '200 400 404 422 502' },
  { id: 'repoInstructions', route: 'GET repo/instructions', class: 'by-instance', query: 'repo!, doc:string[]=[], onMissing="warn", instance=""', statuses: '200 400 404 422 502' },
  { id: 'repoCritics', route: 'GET repo/critics', class: 'by-instance', query: 'repo!, instance=""', statuses: '200 400 404 422 502' },
  { id: 'repoReviewPolicy', route: 'GET repo/critics/policy', class: 'by-instance', query: 'repo!, instance=""', statuses: '200 400 404 422 502' },
  { id: 'repoCriticRun', route: 'POST repo/critics/run', class: 'by-instance', body: 'CriticRunBody(instance="", repo!, name!, prompt="", promptFile="", workItem="", specDir="", timeout:number|null=null, cwd="")', statuses: '200 400 404 422 502' },
  { id: 'listPullRequestChecks', route: 'GET pull-requests/checks', class: 'by-instance', query: 'ref!, workItem="", failing:boolean=false, logLines:integer, instance=""', statuses: '200 400 404 422 501 502' },
  { id: 'markPullRequestReady', route: 'POST pull-requests/ready', class: 'acting-member', body: 'PullRequestReadyBody(ref!, workItem="", instance="")', statuses: '200 400 404 409 422 501 502' },
];
