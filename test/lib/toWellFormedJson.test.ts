import { expect, test } from 'vitest';
import { toWellFormedJson } from '../../lib/toWellFormedJson.ts';

test.each([
  ['a first half', String.raw`{"a":"x\ud83dy"}`, 'x\ufffdy'],
  ['a second half in capitals', String.raw`{"a":"\uDE00"}`, '\ufffd'],
  ['a half before a pair', String.raw`{"a":"\ud83d\ud83d\ude00"}`, '\ufffd\u{1f600}'],
  ['two second halves', String.raw`{"a":"\ude00\ude00"}`, '\ufffd\ufffd'],
  ['a half behind a backslash', String.raw`{"a":"\\\ud83d"}`, '\\\ufffd'],
])('toWellFormedJson() replaces %s', (_, json, text) => {
  expect(JSON.parse(toWellFormedJson(json))).toEqual({ a: text });
});

test.each([
  ['a pair', String.raw`{"a":"\ud83d\uDE00"}`],
  ['a backslash before what looks like a half', String.raw`{"a":"\\ud83d"}`],
  ['what is no JSON', String.raw`{"a":"\UD83D \ud8"}`],
  ['a text without escapes', '{"a":"\u{1f600}"}'],
])('toWellFormedJson() leaves %s alone', (_, json) => {
  expect(toWellFormedJson(json)).toBe(json);
});

test('toWellFormedJson() mends names, too, and what a serializer has written', () => {
  const written = JSON.stringify({ 'k\ud800': ['\udc00', { deep: 'a\ud800b' }] });
  expect(JSON.parse(toWellFormedJson(written))).toEqual({ 'k\ufffd': ['\ufffd', { deep: 'a\ufffdb' }] });
});
