import { expect, test } from 'vitest';
import { parseCommand } from '../../../subgraph/commands/parseCommand.ts';

test.each([
  ['/status', 'status', ''],
  ['  \n/status', 'status', ''],
  ['/Model GPT', 'model', 'GPT'],
  ['/model  m2  ', 'model', 'm2'],
  ['/book\ta\nb', 'book', 'a\nb'],
  ['/sub-task Check the ledger', 'sub-task', 'Check the ledger'],
  ['/a1', 'a1', ''],
  [`/${'a'.repeat(32)}`, 'a'.repeat(32), ''],
  ['/unheard-of x', 'unheard-of', 'x'],
])('parseCommand() reads %j as a command', (text, name, args) => {
  expect(parseCommand(text)).toEqual({ kind: 'command', name, args });
});

test.each([
  ['hello', 'hello'],
  ['', ''],
  ['/', '/'],
  ['/ 3', '/ 3'],
  ['/etc/hosts is gone', '/etc/hosts is gone'],
  ['/1st', '/1st'],
  ['/-x', '/-x'],
  ['/status,', '/status,'],
  ['/über', '/über'],
  [`/${'a'.repeat(33)}`, `/${'a'.repeat(33)}`],
  ['see /status', 'see /status'],
  ['  hello  ', '  hello  '],
  ['//x', '/x'],
  ['//status now', '/status now'],
  [' //', '/'],
  ['///x', '//x'],
])('parseCommand() reads %j as the message %j', (text, message) => {
  expect(parseCommand(text)).toEqual({ kind: 'message', text: message });
});
