import { describe, expect, test } from 'vitest';
import type { CommandDefinition } from '../../../subgraph/commands/CommandDefinition.ts';
import { createCommandRegistry } from '../../../subgraph/commands/CommandRegistry.ts';
import { nearestNames } from '../../../subgraph/commands/nearestNames.ts';

describe('createCommandRegistry()', () => {
  test('sorts by name and finds by name', () => {
    const registry = createCommandRegistry();
    registry.register(named('book'));
    expect(registry.definitions.map(({ name }) => name)).toEqual([
      'book',
      'effort',
      'help',
      'model',
      'status',
      'sub-task',
    ]);
    expect(registry.get('book')?.name).toBe('book');
    expect(registry.get('Book')).toBeUndefined();
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.nearest('modle')).toEqual(['model']);
  });

  test('refuses a name that is taken, and replaces it where an override is declared', () => {
    const registry = createCommandRegistry();
    const builtin = registry.get('status');
    expect(() => registry.register(named('status'))).toThrow(
      expect.objectContaining({ code: 'CONFLICT', details: { reason: 'entity.conflict' } }),
    );
    expect(registry.get('status')).toBe(builtin);
    const own = named('status');
    registry.register(own, { override: true });
    expect(registry.get('status')).toBe(own);
    expect(registry.definitions.filter(({ name }) => name === 'status')).toEqual([own]);
  });

  test.each([['Status'], ['a b'], [''], ['1st'], ['a'.repeat(33)]])('refuses the name %j', (name) => {
    expect(() => createCommandRegistry().register(named(name))).toThrow('Cannot register command');
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
  const execute = () => ({ intents: [] });
  return { name, description: '', usage: '', executor: { kind: 'builtin', execute } };
}
