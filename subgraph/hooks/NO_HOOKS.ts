/** The hook runner of an instance that has none. */
import type { HookRunner } from './HookRunner.ts';

export const NO_HOOKS: HookRunner = {
  has: () => false,
  run: async (_operation, _phase, context) => ({ context }),
};
