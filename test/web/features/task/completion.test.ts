import { expect, test } from 'vitest';
import {
  completed,
  completions,
  isCommand,
  moveChoice,
} from '../../../../web/src/features/task/completion.ts';

const COMMANDS = ['status', 'model', 'effort', 'stop'].map((name) => ({
  instance: 'alpha',
  name,
  usage: `/${name}`,
  description: '',
}));

test.each([
  ['/', ['effort', 'model', 'status', 'stop']],
  ['/st', ['status', 'stop']],
  ['/ST', ['status', 'stop']],
  ['/status', []],
  ['/status now', []],
  ['/zzz', []],
  ['status', []],
  ['', []],
])('completions() of "%s"', (text, names) => {
  expect(completions(text, COMMANDS, 'alpha').map(({ name }) => name)).toEqual(names);
});

test('completions() offers the commands of the task’s own instance only', () => {
  const other = [{ instance: 'beta', name: 'stash', usage: '', description: '' }];
  expect(completions('/sta', [...COMMANDS, ...other], 'alpha').map(({ name }) => name)).toEqual(['status']);
});

test('completed() leaves room for arguments', () => {
  expect(completed({ name: 'model' })).toBe('/model ');
});

test('isCommand() goes by the first character', () => {
  expect([isCommand('/status'), isCommand(' /status'), isCommand('see /status')]).toEqual([
    true,
    false,
    false,
  ]);
});

test.each<[number, 1 | -1, number, number]>([
  [-1, 1, 3, 0],
  [-1, -1, 3, 2],
  [2, 1, 3, 0],
  [0, -1, 3, 2],
  [0, 1, 0, -1],
])('moveChoice(%i, %i, %i) is %i', (current, step, count, expected) => {
  expect(moveChoice(current, step, count)).toBe(expected);
});
