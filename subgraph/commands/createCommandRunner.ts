/** One slash command from its hooks to its outcome (spec/worker.md §§ 4.3, 4.4). */
import type { Clock } from '../../lib/Clock.ts';
import { DeadlineExceeded } from '../../lib/Deadline.ts';
import { messageOf } from '../../lib/messageOf.ts';
import { type Redactor, redactDeep } from '../../lib/redact.ts';
import { runWithin } from '../../lib/runWithin.ts';
import type { HookContext } from '../hooks/HookContext.ts';
import { type HookAbort, HookError, type HookRunner } from '../hooks/HookRunner.ts';
import { RemoteCallError } from '../remote/RemoteCall.ts';
import type { CommandOutcome, JsonObject, ParticipantRole, TaskState } from '../task/index.ts';
import { buildInvocation, type CommandCall, type ModelFacts } from './buildInvocation.ts';
import type { CommandDefinition, CommandInvocation } from './CommandDefinition.ts';
import type { CommandRegistry } from './CommandRegistry.ts';
import { findModelProblem } from './findModelProblem.ts';
import { type Answer, parseCommandResult } from './parseCommandResult.ts';

/** Longest text behind a command's name, in characters. */
const MAX_ARGS_LENGTH = 8_192;

/** How long an executor may take that sets no time of its own, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Assignee and reporter stand side by side (spec/worker.md § 4.7). */
const RANKS: Readonly<Record<ParticipantRole, number>> = { WATCHER: 0, ASSIGNEE: 1, REPORTER: 1, ADMIN: 2 };

/** Runs the commands of an instance. */
export interface CommandRunner {
  /**
   * Always an outcome: a command that is unknown, refused, throws or takes too long has an error as its outcome. The
   * executor is asked at most once.
   *
   * @throws the signal's reason when it aborts.
   */
  run(
    call: CommandCall,
    context: { readonly state: TaskState; readonly signal: AbortSignal },
  ): Promise<CommandOutcome>;
}

export interface CommandRunnerOptions {
  readonly registry: CommandRegistry;
  readonly hooks: HookRunner;
  readonly model: ModelFacts;
  readonly clock: Clock;
  /** Masks secrets in what executors are told. */
  readonly redact: Redactor;
}

export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  return {
    async run(call, context) {
      try {
        const outcome = await runCommand(pick(call), context, options);
        return findIntentFailure(outcome, options.model.allowedModels) ?? outcome;
      } catch (error) {
        context.signal.throwIfAborted();
        return failure(error instanceof HookError ? error.code : 'command.failed', messageOf(error));
      }
    },
  };
}

async function runCommand(
  sent: CommandCall,
  { state, signal }: { readonly state: TaskState; readonly signal: AbortSignal },
  options: CommandRunnerOptions,
): Promise<CommandOutcome> {
  const { registry, hooks, model, redact } = options;
  const base = { taskId: state.id, correlationId: state.id, attempt: 1 };
  const refusal = await judge(sent, base, options.hooks, signal);
  if (refusal) return refusal;
  const before = await hooks.run('command.invoked', 'pre', { ...base, ...sent }, { signal });
  if ('abort' in before) return refused(before.abort);

  const call = { ...sent, name: before.context.name, args: before.context.args };
  const definition = registry.get(call.name);
  if (!definition) return unknownCommand(call.name, registry);
  const invocation = buildInvocation(call, state, model);
  const outcome =
    findProblem(definition, invocation) ??
    (await execute(definition, redactDeep(invocation, redact) as CommandInvocation, { ...options, signal }));
  if (!hooks.has('command.invoked', 'post')) return outcome;

  const after = await hooks.run(
    'command.invoked',
    'post',
    { ...base, ...call, result: toResult(outcome) },
    { signal },
  );
  if ('abort' in after) return refused(after.abort);
  return parseCommandResult(after.context.result) ?? malformed('command.failed');
}

/** Intake as for a message, but nothing is rewritten (spec/worker.md § 4.3). */
async function judge(
  { messageId, participant, name, args }: CommandCall,
  base: { readonly taskId: string; readonly correlationId: string; readonly attempt: number },
  hooks: HookRunner,
  signal: AbortSignal,
): Promise<CommandOutcome | undefined> {
  const context = { ...base, message: { messageId, participant, text: `/${name} ${args}`.trimEnd() } };
  const before = await hooks.run('request.received', 'pre', context, { signal });
  const accepted = !('abort' in before);
  const reason = accepted ? {} : { reason: before.abort.message };
  await hooks.run('request.received', 'post', { ...context, accepted, ...reason }, { signal });
  return accepted ? undefined : { kind: 'refused', code: 'hook.abort', reason: before.abort.message };
}

/** Whoever wrote the intents, a hook included, sets no model that is not allowed; the core checks all else of them (spec/worker.md § 4.5). */
function findIntentFailure(outcome: CommandOutcome, allowedModels: readonly string[]): Answer | undefined {
  if (outcome.kind !== 'intents') return undefined;
  // What comes from outside has any shape.
  for (const intent of outcome.intents as readonly unknown[]) {
    const { kind, model } = (intent ?? {}) as { readonly kind?: unknown; readonly model?: unknown };
    if (kind !== 'settings' || typeof model !== 'string') continue;
    const problem = findModelProblem(model, allowedModels);
    if (problem !== undefined) return failure('command.invalid_intent', problem);
  }
  return undefined;
}

function findProblem(definition: CommandDefinition, invocation: CommandInvocation): Answer | undefined {
  const { args, participant } = invocation;
  if (args.length > MAX_ARGS_LENGTH) {
    return failure(
      'command.invalid_arguments',
      `the arguments have ${args.length} characters, at most ${MAX_ARGS_LENGTH} are expected`,
    );
  }
  const { minRole } = definition;
  if (minRole !== undefined && RANKS[participant.role] < RANKS[minRole]) {
    return failure(
      'command.refused',
      `${participant.id} is ${participant.role.toLowerCase()}, ${minRole.toLowerCase()} or more is expected`,
    );
  }
  return undefined;
}

async function execute(
  { executor, timeoutMs = DEFAULT_TIMEOUT_MS }: CommandDefinition,
  invocation: CommandInvocation,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Answer> {
  const isRemote = executor.kind === 'remote';
  try {
    const result = await runWithin({ clock, timeoutMs, signal }, (signal) =>
      executor.execute(invocation, { signal }),
    );
    return parseCommandResult(result) ?? malformed(isRemote ? 'command.transport' : 'command.failed');
  } catch (error) {
    signal.throwIfAborted();
    const isTransport = error instanceof RemoteCallError || (isRemote && error instanceof DeadlineExceeded);
    return failure(isTransport ? 'command.transport' : 'command.failed', messageOf(error));
  }
}

function unknownCommand(name: string, registry: CommandRegistry): Answer {
  const nearest = registry.nearest(name).map((each) => `/${each}`);
  const hint = nearest.length > 0 ? `did you mean ${nearest.join(', ')}?` : '/help lists the commands';
  return failure('command.unknown', `no command has this name; ${hint}`);
}

function malformed(code: string): Answer {
  return failure(code, 'the command returned neither intents nor an error');
}

function refused({ message }: HookAbort): Answer {
  return failure('hook.abort', `refused: ${message}`);
}

function failure(code: string, message: string): Answer {
  return { kind: 'error', code, message };
}

function pick({ messageId, participant, name, args }: CommandCall): CommandCall {
  return { messageId, participant, name, args };
}

/** An outcome as hooks see it. */
function toResult(outcome: Answer): HookContext<'command.invoked.post'>['result'] {
  if (outcome.kind === 'error') return { error: { code: outcome.code, message: outcome.message } };
  return { intents: outcome.intents as readonly JsonObject[] };
}
