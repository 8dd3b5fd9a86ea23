/** `docs/guides/a2a.md` says what the face does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { A2AError, type A2AReason, toWireError } from '../../../server/a2a/A2AError.ts';
import { METADATA, mediaTypeOf, partKindOf } from '../../../server/a2a/extensions.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/a2a.md'), 'utf8');

test('the guide has every key of the metadata, and no other', () => {
  const named = [...GUIDE.matchAll(/^\| `(dev\.flotilla\/[a-z]+)` \|/gm)].map(([, key]) => key);
  expect(named).toEqual(Object.values(METADATA));
});

test('the guide has the data parts that are taken', () => {
  const table = GUIDE.slice(GUIDE.indexOf('| kind | data |'), GUIDE.indexOf('## Tasks'));
  const kinds = new Set([...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, kind = '']) => kind));
  expect([...kinds].sort()).toEqual(['channel', 'command', 'event', 'status']);
  for (const kind of kinds) {
    expect(partKindOf(`application/vnd.flotilla.${kind}+json`)).toBe(kind);
    expect(mediaTypeOf(kind as 'event')).toBe(`application/vnd.flotilla.${kind}+json`);
  }
  expect(partKindOf('application/vnd.flotilla.order+json')).toBeUndefined();
});

test.each<[A2AReason, string]>([
  ['TASK_NOT_FOUND', 'TaskNotFound'],
  ['TASK_NOT_CANCELABLE', 'TaskNotCancelable'],
  ['UNSUPPORTED_OPERATION', 'UnsupportedOperation'],
  ['INVALID_PARAMS', 'invalid params'],
  ['CONTENT_TYPE_NOT_SUPPORTED', 'ContentTypeNotSupported'],
  ['VERSION_NOT_SUPPORTED', 'VersionNotSupported'],
])('the guide names %s with its code', (reason, name) => {
  const code = toWireError(new A2AError(reason, 'x'))?.jsonRpc.code;
  expect(GUIDE).toContain(`| ${name} (${code}) |`);
});
