import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBootOnly } from '../../../../../schema/config/bootOnlyKeys.ts';
import { configGroups } from '../../../../../web/src/features/instance/config/fields.ts';

const OWN_SCHEMA: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../schema/generated/config.schema.json'), 'utf8'),
);

/** The one field of a document with the setting `key` of this schema. */
function fieldOf(schema: object, definitions: object = {}) {
  const [group] = configGroups({ type: 'object', properties: { key: schema }, $defs: definitions });
  return group!.fields[0]!;
}

test('configGroups() of our own schema knows what takes a restart', () => {
  const fields = configGroups(OWN_SCHEMA).flatMap((group) => group.fields);
  const late = fields.filter(({ takesRestart }) => takesRestart).map(({ key }) => key);
  expect(late).toEqual(fields.map(({ key }) => key).filter(isBootOnly));
  expect(late).toContain('log.level');
  expect(late).not.toContain('tasks.maxTurns');
});

test('configGroups() of our own schema has a field for every kind of setting', () => {
  const groups = configGroups(OWN_SCHEMA);
  const kinds = Object.fromEntries(
    groups.flatMap(({ fields }) => fields).map(({ key, kind }) => [key, kind]),
  );
  expect(kinds).toMatchObject({
    'instance.role': 'choice',
    'service.unauthenticated': 'choice',
    'service.port': 'number',
    'state.directory': 'text',
    'instance.scope.workItems': 'texts',
    'instance.manager.instances': 'json',
    mcpServers: 'json',
    engine: 'choice',
  });
  expect(groups.flatMap(({ fields }) => fields).every(({ description }) => description !== '')).toBe(true);
});

test.each<[string, object, object]>([
  ['an enum', { type: 'string', enum: ['a', 'b'] }, { kind: 'choice' }],
  ['a boolean', { type: 'boolean', default: false }, { kind: 'choice', default: false }],
  [
    'a whole number',
    { type: 'integer', minimum: 1, maximum: 9 },
    { kind: 'number', isInteger: true, minimum: 1, maximum: 9 },
  ],
  ['a list of texts', { type: 'array', items: { type: 'string' } }, { kind: 'texts' }],
  ['a list of objects', { type: 'array', items: { type: 'object' } }, { kind: 'json' }],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, { kind: 'json' }],
  [
    'a text or null',
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Whose' },
    { kind: 'text', description: 'Whose' },
  ],
  ['a text or null, as types', { type: ['string', 'null'] }, { kind: 'text' }],
  ['one of several types', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }],
  ['nothing that is known', { type: 42 }, { kind: 'json' }],
])('configGroups() reads %s', (_case, schema, field) => {
  expect(fieldOf(schema)).toMatchObject(field);
});

test('configGroups() follows references within the document', () => {
  const definitions = { Port: { type: 'integer', description: 'A port' } };
  expect(fieldOf({ $ref: '#/$defs/Port' }, definitions)).toMatchObject({
    kind: 'number',
    description: 'A port',
  });
  expect(fieldOf({ $ref: 'https://elsewhere/schema' })).toMatchObject({ kind: 'json' });
});

test('configGroups() ends in a schema that refers to itself', () => {
  const loop = { type: 'object', properties: { inner: { $ref: '#/$defs/Loop' } } };
  const fields = configGroups({ properties: { key: { $ref: '#/$defs/Loop' } }, $defs: { Loop: loop } });
  expect(fields[0]!.fields).toMatchObject([{ kind: 'json', key: 'key.inner.inner.inner.inner.inner' }]);
  expect(fieldOf({ $ref: '#/$defs/A' }, { A: { $ref: '#/$defs/A' } })).toMatchObject({ kind: 'json' });
});

test.each([[undefined], [null], ['text'], [{ type: 'object' }]])(
  'configGroups() of %j is the whole document as JSON',
  (schema) => {
    expect(configGroups(schema)).toMatchObject([{ fields: [{ path: [], kind: 'json' }] }]);
  },
);
