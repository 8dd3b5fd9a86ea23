/** Where hooks can stand: an operation and a phase of it (spec/worker.md § 8.7). */

export const HOOK_OPERATIONS = [
  'request.received',
  'task.created',
  'task.state_changed',
  'task.complete',
  'context.created',
  'llm.invoked',
  'tool_calls.extracted',
  'tool.invoked',
  'system_one.invoked',
  'plan.created',
  'step.started',
  'step.finished',
  'subtask.spawned',
  'help.requested',
  'help.decided',
  'channel.sent',
  'channel.received',
  'compaction.trigger',
  'compaction.keep',
  'compaction.summarise',
  'persistence.read',
  'persistence.write',
  'activity.failed',
  'activity.retried',
  'heartbeat.tick',
  'shutdown',
  'skill.loaded',
  'skill.unloaded',
  'agent.invoked',
  'command.invoked',
] as const;
export type HookOperation = (typeof HOOK_OPERATIONS)[number];

/** `pre` may rewrite what goes in or abort, `in` may take the place of the body, `post` may rewrite what comes out. */
export const HOOK_PHASES = ['pre', 'in', 'post'] as const;
export type HookPhase = (typeof HOOK_PHASES)[number];

/** Such as `tool.invoked.pre`. */
export type HookPoint = `${HookOperation}.${HookPhase}`;

const POINTS: ReadonlySet<string> = new Set(
  HOOK_OPERATIONS.flatMap((operation) => HOOK_PHASES.map((phase) => `${operation}.${phase}`)),
);

export function isHookPoint(text: string): text is HookPoint {
  return POINTS.has(text);
}
