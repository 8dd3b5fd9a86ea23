/** One slash command (spec/worker.md § 4.3, § 4.4). */
import type { CommandRegistry } from '../commands/CommandRegistry.ts';
import { splitArguments } from '../commands/splitArguments.ts';
import type { ModelProvider } from '../models/ModelProvider.ts';
import type { CommandOutcome, RunCommand } from '../task/index.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';
import { messageOf } from './messageOf.ts';
import { type RunLimits, runWithin } from './runWithin.ts';

/** Longest text behind a command's name, in characters. */
const MAX_ARGS_LENGTH = 8_192;

interface Parts {
  readonly model: ModelProvider;
  readonly commands: CommandRegistry;
  readonly limits: RunLimits;
}

/** Always completes: a command that is unknown, refuses its arguments, throws or takes too long has an error as its outcome. */
export async function runCommand(
  effect: RunCommand,
  context: EffectContext,
  parts: Parts,
): Promise<EffectOutcome> {
  const outcome = await outcomeOf(effect, context, parts);
  return { kind: 'completed', input: { kind: 'commandReturned', effectKey: effect.key, outcome } };
}

async function outcomeOf(
  { messageId, participant, name, args }: RunCommand,
  { state }: EffectContext,
  { model, commands, limits }: Parts,
): Promise<CommandOutcome> {
  const definition = commands.get(name);
  if (!definition) return unknownCommand(name, commands);
  if (args.length > MAX_ARGS_LENGTH) {
    return failure(
      'command.invalid_arguments',
      `the arguments have ${args.length} characters, at most ${MAX_ARGS_LENGTH} are expected`,
    );
  }
  try {
    const outcome = await runWithin(limits, () =>
      definition.execute({
        command: { messageId, participant, name, args },
        argv: splitArguments(args),
        state,
        defaults: {
          model: model.defaultModel,
          ...(model.defaultEffort && { effort: model.defaultEffort }),
        },
        allowedModels: model.allowedModels,
        commands: commands.definitions,
      }),
    );
    return checkOutcome(outcome);
  } catch (error) {
    limits.signal.throwIfAborted();
    return failure('command.failed', messageOf(error));
  }
}

function unknownCommand(name: string, commands: CommandRegistry): CommandOutcome {
  const nearest = commands.nearest(name).map((each) => `/${each}`);
  const hint = nearest.length > 0 ? `did you mean ${nearest.join(', ')}?` : '/help lists the commands';
  return failure('command.unknown', `no command has this name; ${hint}`);
}

/** A command may be anybody's code: what it returns has to be plain JSON of the right kind. The core checks the intents. */
function checkOutcome(value: unknown): CommandOutcome {
  const outcome = JSON.parse(JSON.stringify(value ?? null)) as Partial<
    Record<'kind' | 'intents' | 'code' | 'message', unknown>
  > | null;
  if (outcome?.kind === 'intents' && Array.isArray(outcome.intents)) return outcome as CommandOutcome;
  if (outcome?.kind === 'error' && typeof outcome.code === 'string' && typeof outcome.message === 'string') {
    return outcome as CommandOutcome;
  }
  return failure('command.failed', 'the command returned neither intents nor an error');
}

function failure(code: string, message: string): CommandOutcome {
  return { kind: 'error', code, message };
}
