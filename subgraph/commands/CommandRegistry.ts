/** The slash commands of an instance, by name (spec/worker.md § 4.2). */
import { badUserInput, conflict } from '../../schema/errors.ts';
import type { CommandDefinition } from './CommandDefinition.ts';
import { buildBuiltinCommands } from './index.ts';
import { nearestNames } from './nearestNames.ts';

/** What can be typed behind the slash. */
export const COMMAND_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export interface CommandRegistry {
  /** Sorted by name. */
  readonly definitions: readonly CommandDefinition[];
  /** The definition with exactly this name. */
  get(name: string): CommandDefinition | undefined;
  /** Registered names like this one, nearest first; at most 3. */
  nearest(name: string): readonly string[];
  /**
   * Adds a command behind those that are there.
   *
   * @param options.override whether it may take the place of an earlier one, built-in or not.
   * @throws {FlotillaError} CONFLICT with reason `entity.conflict` when the name is taken and `override` is not declared;
   *   BAD_USER_INPUT when the name could never be typed.
   */
  register(definition: CommandDefinition, options?: { readonly override?: boolean }): void;
}

/** A registry that holds the built-in commands. */
export function createCommandRegistry(): CommandRegistry {
  const byName = new Map<string, CommandDefinition>();
  const names = () => [...byName.keys()].sort();
  const registry: CommandRegistry = {
    get definitions() {
      return names().map((name) => byName.get(name)!);
    },
    get: (name) => byName.get(name),
    nearest: (name) => nearestNames(name, names()),
    register(definition, { override = false } = {}) {
      const { name } = definition;
      if (!COMMAND_NAME.test(name)) {
        throw badUserInput(
          `Cannot register command: name is "${name}", lower-case letters, digits and hyphens are expected`,
        );
      }
      if (byName.has(name) && !override) {
        throw conflict(`Cannot register command: the name "${name}" is taken`, { reason: 'entity.conflict' });
      }
      byName.set(name, definition);
    },
  };
  for (const definition of buildBuiltinCommands(() => registry.definitions)) registry.register(definition);
  return registry;
}
