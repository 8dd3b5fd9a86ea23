import { expect, test } from 'vitest';
import { isLoopback } from '../../../schema/config/isLoopback.ts';
import { ownAddress, parseMemberUrl } from '../../../schema/config/memberUrl.ts';
import { parseWorkItemRef } from '../../../schema/config/workItemRef.ts';

test.each([
  ['http://h', 'http://h'],
  [' https://h:8443/ ', 'https://h:8443'],
  ['http://h/x', 'http://h/x'],
  ['http://h/x//', 'http://h/x'],
  ['http://h/a@b', 'http://h/a@b'],
  ['http://[::1]:4114', 'http://[::1]:4114'],
  ['', undefined],
  ['h:1', undefined],
  ['ftp://h', undefined],
  ['http://', undefined],
  ['http:///x', undefined],
  ['http://u@h', undefined],
  ['http://u:p@h', undefined],
  ['http://h?q', undefined],
  ['http://h/#f', undefined],
  ['http://h\\@other', undefined],
  ['http://h/a\tb', undefined],
  ['http://h:99999', undefined],
  ['http://h/..\\x', undefined],
])('parseMemberUrl(%j) is %j', (text, url) => {
  expect(parseMemberUrl(text)).toBe(url);
});

test.each([
  ['127.0.0.1', 4114, 'http://127.0.0.1:4114'],
  ['::1', 80, 'http://[::1]:80'],
  ['[::1]', 80, 'http://[::1]:80'],
])('ownAddress() of %s and %d is %s', (host, port, address) => {
  expect(ownAddress({ host, port })).toBe(address);
});

test.each([
  ['github:o/r#1', 'github:o/r#1'],
  [' github:git.example:8443/o/r#12 ', 'github:git.example:8443/o/r#12'],
  ['flotilla:desk/task#3', 'flotilla:desk/task#3'],
  ['https://github.com/o/r/issues/1', 'github:o/r#1'],
  ['https://github.com/o/r/pull/2/', 'github:o/r#2'],
  ['https://git.example/o/r/pull/2?x#y', 'github:git.example/o/r#2'],
  ['https://gitlab.com/o/r/-/merge_requests/3', 'gitlab:o/r#3'],
  ['https://git.example/o/r/-/issues/3', 'gitlab:git.example/o/r#3'],
  ['o/r#1', undefined],
  ['GitHub:o/r#1', undefined],
  ['github:o/r', undefined],
  ['github:o#1', undefined],
  ['github:a/b/o/r#1', undefined],
  ['https://github.com/o/r', undefined],
  ['https://github.com/o/r/issues/new', undefined],
  ['ftp://github.com/o/r/issues/1', undefined],
])('parseWorkItemRef(%j) is %j', (text, ref) => {
  expect(parseWorkItemRef(text)).toBe(ref);
});

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
])('isLoopback(%j) is %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
