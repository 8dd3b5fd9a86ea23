/** The slash commands of an instance, by name (spec/worker.md § 4.2). */
import { badUserInput, conflict } from '../../schema/errors.ts';
import type { CommandDefinition } from './CommandDefinition.ts';
import { nearestNames } from './nearestNames.ts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

export interface CommandRegistry {
  /** Sorted by name. */
  readonly definitions: readonly CommandDefinition[];
  /** The definition with exactly this name. */
  get(name: string): CommandDefinition | undefined;
  /** Registered names like this one, nearest first; at most 3. */
  nearest(name: string): readonly string[];
}

/**
 * @throws {FlotillaError} CONFLICT with reason `entity.conflict` when two definitions share a name; BAD_USER_INPUT when a
 *   name could never be typed.
 */
export function createCommandRegistry(definitions: readonly CommandDefinition[]): CommandRegistry {
  const byName = new Map<string, CommandDefinition>();
  for (const definition of definitions) {
    const { name } = definition;
    if (!NAME.test(name)) {
      throw badUserInput(
        `Cannot register command: name is "${name}", lower-case letters, digits and hyphens are expected`,
      );
    }
    if (byName.has(name)) {
      throw conflict(`Cannot register command: "${name}" is registered twice`, { reason: 'entity.conflict' });
    }
    byName.set(name, definition);
  }
  const names = [...byName.keys()].sort();
  return {
    definitions: names.map((name) => byName.get(name)!),
    get: (name) => byName.get(name),
    nearest: (name) => nearestNames(name, names),
  };
}
