/**
 * What a hook executor is told at each point that fires, and may give back changed (spec/worker.md § 8.7).
 *
 * A context is plain JSON. Its names are these in this process; over the wire they are in snake_case. Every
 * schema is strict: what an executor returns is refused when it has an unknown field or another type.
 */
import { z } from 'zod';
import type { JsonObject } from '../task/index.ts';
import type { HookOperation, HookPhase, HookPoint } from './HookPoint.ts';

/** In every context. Instance-wide points (`heartbeat.tick`) have no task. */
const base = {
  taskId: z.string().optional(),
  correlationId: z.string().optional(),
  /** Attempt of the effect that the hook runs in, from 1. */
  attempt: z.int().min(1),
};

const Arguments = z.record(z.string(), z.json()) as z.ZodType as z.ZodType<JsonObject>;
const ToolCall = z.strictObject({ callId: z.string(), tool: z.string(), arguments: Arguments });
const Usage = z.strictObject({
  inputTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  costMicros: z.int().optional(),
});

/** One item of a model's input, in the model's order. */
const InputItem = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('message'),
    role: z.enum(['USER', 'ASSISTANT', 'NOTE']),
    text: z.string(),
    participant: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('toolCall'), ...ToolCall.shape }),
  z.strictObject({
    kind: z.literal('toolResult'),
    callId: z.string(),
    tool: z.string(),
    text: z.string(),
    isError: z.boolean(),
  }),
]);

const ModelRequest = z.strictObject({
  model: z.string(),
  effort: z.string().optional(),
  instructions: z.string(),
  input: list(InputItem),
  tools: list(z.strictObject({ name: z.string(), description: z.string(), inputSchema: Arguments })),
});

const ModelResponse = z.strictObject({
  text: z.string(),
  toolCalls: list(ToolCall),
  usage: Usage,
  model: z.string(),
  finish: z.enum(['stop', 'toolCalls', 'length', 'refusal']),
});

const ToolOutput = z.strictObject({ text: z.string(), isError: z.boolean() });

/** Only the text can be rewritten; the rest is looked at by the host no more (spec/worker.md § 5.3). */
const Message = z.strictObject({ messageId: z.string(), participant: z.string(), text: z.string() });

const TaskFacts = z.strictObject({
  ref: z.string(),
  name: z.string(),
  lifecycle: z.string(),
  state: z.string(),
  subState: z.string().optional(),
});

/** Durations in milliseconds (spec/worker.md § 3.6). */
const RetryPolicy = z.strictObject({
  initialIntervalMs: z.number().min(0),
  backoffCoefficient: z.number().min(1),
  maximumIntervalMs: z.number().min(0),
  maximumAttempts: z.int().min(1),
  nonRetryableErrorTypes: list(z.string()),
});

const Failure = z.strictObject({ code: z.string(), message: z.string() });

const CommandCall = {
  ...base,
  messageId: z.string(),
  participant: z.string(),
  name: z.string(),
  args: z.string(),
};

/** What a command asks for; the core checks each intent after the last hook (spec/worker.md § 4.5). */
const CommandResult = z.union([
  z.strictObject({ intents: list(Arguments) }),
  z.strictObject({ error: Failure }),
]);

const TaskChange = z.strictObject({ ...base, task: TaskFacts });
const SkillChange = z.strictObject({ ...base, name: z.string() });
const SubtaskSpawn = z.strictObject({
  ...base,
  childId: z.string(),
  name: z.string(),
  goal: z.string(),
  lifecycle: z.string(),
});

/** The schema of each point that fires. Hooks may stand at any other point and never run there. */
export const HOOK_CONTEXTS = {
  /** Abort: the message is refused. */
  'request.received.pre': z.strictObject({ ...base, message: Message }),
  'request.received.post': z.strictObject({
    ...base,
    message: Message,
    accepted: z.boolean(),
    reason: z.string().optional(),
  }),
  'task.created.pre': TaskChange,
  'task.created.post': TaskChange,
  'task.state_changed.pre': TaskChange,
  'task.state_changed.post': TaskChange,
  /** `result` decides what a reply without tool call comes to. Abort: the task fails. */
  'task.complete.in': z.strictObject({
    ...base,
    text: z.string(),
    /** Ids of the blocking children that have not ended. */
    unresolved: list(z.string()),
    result: z
      .strictObject({ decision: z.enum(['wait', 'complete', 'fail']), reason: z.string().optional() })
      .optional(),
  }),
  /** Abort: the model call fails for good. */
  'llm.invoked.pre': z.strictObject({ ...base, request: ModelRequest }),
  'llm.invoked.post': z.strictObject({ ...base, request: ModelRequest, response: ModelResponse }),
  /** What is left of the calls is made; the others never happened. */
  'tool_calls.extracted.pre': z.strictObject({ ...base, toolCalls: list(ToolCall) }),
  /** Abort: an error result for the model, code `hook.abort`. */
  'tool.invoked.pre': z.strictObject({ ...base, ...ToolCall.shape }),
  'tool.invoked.post': z.strictObject({ ...base, ...ToolCall.shape, output: ToolOutput }),
  'subtask.spawned.pre': SubtaskSpawn,
  'subtask.spawned.post': SubtaskSpawn,
  'help.decided.in': z.strictObject({
    ...base,
    question: z.string(),
    options: list(z.string()),
    blockingWork: z.boolean().optional(),
    participant: z.string().optional(),
    result: Arguments.optional(),
  }),
  'compaction.trigger.in': z.strictObject({
    ...base,
    estimatedTokens: z.number(),
    budgetTokens: z.number(),
    result: z.boolean().optional(),
  }),
  /** `result`: names of the sections that are never rewritten. */
  'compaction.keep.in': z.strictObject({
    ...base,
    sections: list(z.string()),
    result: list(z.string()).optional(),
  }),
  /** `result`: the new summary. */
  'compaction.summarise.in': z.strictObject({
    ...base,
    previousSummary: z.string().optional(),
    removed: list(InputItem),
    result: z.string().optional(),
  }),
  'activity.failed.pre': z.strictObject({
    ...base,
    effect: z.string(),
    error: Failure,
    policy: RetryPolicy,
  }),
  /** Policy and delay may be rewritten; the delay is in milliseconds. Abort: the effect fails with `hook.abort`. */
  'activity.retried.pre': z.strictObject({
    ...base,
    effect: z.string(),
    policy: RetryPolicy,
    delayMs: z.number().min(0),
  }),
  'heartbeat.tick.pre': z.strictObject({
    ...base,
    forwarded: z.int(),
    tasks: list(z.strictObject({ ...TaskFacts.shape, id: z.string() })),
  }),
  'skill.loaded.pre': SkillChange,
  'skill.loaded.post': SkillChange,
  'skill.unloaded.pre': SkillChange,
  'skill.unloaded.post': SkillChange,
  /** Name and arguments may be rewritten. Abort: the command is answered with the reason, code `hook.abort`. */
  'command.invoked.pre': z.strictObject(CommandCall),
  'command.invoked.post': z.strictObject({ ...CommandCall, result: CommandResult }),
} as const satisfies { readonly [Point in HookPoint]?: z.ZodType };

/** A point that fires. */
export type FiredPoint = keyof typeof HOOK_CONTEXTS;

/** The phases that fire of an operation. */
export type FiredPhase<Operation extends HookOperation> = {
  [Phase in HookPhase]: `${Operation}.${Phase}` extends FiredPoint ? Phase : never;
}[HookPhase];

/** What executors at the point are given and give back. */
export type HookContext<Point extends FiredPoint = FiredPoint> = z.output<(typeof HOOK_CONTEXTS)[Point]>;

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}
