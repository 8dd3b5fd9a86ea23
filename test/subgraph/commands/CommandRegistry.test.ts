import { describe, expect, test } from 'vitest';
import type { CommandDefinition } from '../../../subgraph/commands/CommandDefinition.ts';
import { createCommandRegistry } from '../../../subgraph/commands/CommandRegistry.ts';
import { COMMANDS } from '../../../subgraph/commands/index.ts';
import { nearestNames } from '../../../subgraph/commands/nearestNames.ts';

describe('createCommandRegistry()', () => {
  test('sorts by name and finds by name', () => {
    const registry = createCommandRegistry([...COMMANDS, named('book')]);
    expect(registry.definitions.map(({ name }) => name)).toEqual([
      'book',
      'effort',
      'help',
      'model',
      'status',
    ]);
    expect(registry.get('book')?.name).toBe('book');
    expect(registry.get('Book')).toBeUndefined();
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.nearest('modle')).toEqual(['model']);
  });

  test('refuses a name twice', () => {
    expect(() => createCommandRegistry([...COMMANDS, named('status')])).toThrow(
      expect.objectContaining({ code: 'CONFLICT', details: { reason: 'entity.conflict' } }),
    );
  });

  test.each([['Status'], ['a b'], [''], ['1st'], ['a'.repeat(33)]])('refuses the name %j', (name) => {
    expect(() => createCommandRegistry([named(name)])).toThrow('Cannot register command');
  });
});

describe('nearestNames()', () => {
  const known = ['effort', 'help', 'model', 'status', 'sub-task'];

  test.each([
    ['modle', ['model']],
    ['m', ['model']],
    ['stat', ['status']],
    ['s', ['status', 'sub-task']],
    ['halp', ['help']],
    ['efforts', ['effort']],
    ['completely-else', []],
  ])('of %j are %j', (name, expected) => {
    expect(nearestNames(name, known)).toEqual(expected);
  });

  test('are at most three', () => {
    expect(nearestNames('a', ['a1', 'a2', 'a3', 'a4'])).toEqual(['a1', 'a2', 'a3']);
  });
});

function named(name: string): CommandDefinition {
  return { name, description: '', usage: '', execute: () => ({ kind: 'intents', intents: [] }) };
}
