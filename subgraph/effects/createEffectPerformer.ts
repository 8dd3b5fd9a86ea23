/** The worker's hands: does what the task core asks for, one file per kind of effect (spec/worker.md § 3.2). */
import type { Clock } from '../../lib/Clock.ts';
import type { CommandDefinition } from '../commands/CommandDefinition.ts';
import { createCommandRegistry } from '../commands/CommandRegistry.ts';
import type { ModelProvider } from '../models/ModelProvider.ts';
import type { ToolRegistry } from '../tools/ToolRegistry.ts';
import { callModel } from './callModel.ts';
import { callTool } from './callTool.ts';
import type { EffectPerformer, PerformableEffect } from './EffectPerformer.ts';
import { runCommand } from './runCommand.ts';

/** How long one attempt may take, in milliseconds. */
const TIMEOUTS_MS: Readonly<Record<PerformableEffect['kind'], number>> = {
  callModel: 120_000,
  callTool: 300_000,
  runCommand: 30_000,
};

export interface EffectPerformerOptions {
  readonly model: ModelProvider;
  readonly tools: ToolRegistry;
  readonly commands: readonly CommandDefinition[];
  readonly clock: Clock;
}

/**
 * An attempt whose signal aborts rejects with the signal's reason at once, even when the work goes on.
 *
 * @throws {FlotillaError} CONFLICT when two commands share a name.
 */
export function createEffectPerformer(options: EffectPerformerOptions): EffectPerformer {
  const { model, tools, clock } = options;
  const commands = createCommandRegistry(options.commands);
  return {
    async perform(effect, context) {
      const limits = { clock, timeoutMs: TIMEOUTS_MS[effect.kind], signal: context.signal };
      switch (effect.kind) {
        case 'callModel':
          return callModel(effect, context, { model, tools, limits });
        case 'callTool':
          return callTool(effect, context, { tools, limits });
        case 'runCommand':
          return runCommand(effect, context, { model, commands, limits });
      }
    },
    isIdempotent(effect) {
      switch (effect.kind) {
        case 'callModel':
          return true;
        case 'callTool':
          return tools.isIdempotent(effect.call.tool);
        case 'runCommand':
          return false;
      }
    },
  };
}
