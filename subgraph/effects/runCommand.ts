/** One slash command (spec/worker.md § 4.3). */
import type { CommandRunner } from '../commands/createCommandRunner.ts';
import type { RunCommand } from '../task/index.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';

/** Always completes: whatever goes wrong with a command is its outcome. */
export async function runCommand(
  effect: RunCommand,
  context: EffectContext,
  commands: CommandRunner,
): Promise<EffectOutcome> {
  const outcome = await commands.run(effect, context);
  return { kind: 'completed', input: { kind: 'commandReturned', effectKey: effect.key, outcome } };
}
