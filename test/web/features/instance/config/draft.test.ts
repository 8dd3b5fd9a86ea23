import { expect, test } from 'vitest';
import {
  authoredText,
  defaultText,
  matchesSearch,
  parseText,
  planDraft,
  withoutWritten,
} from '../../../../../web/src/features/instance/config/draft.ts';
import { configGroups } from '../../../../../web/src/features/instance/config/fields.ts';

const FIELDS = configGroups({
  properties: {
    level: { enum: ['debug', 'info'], default: 'info' },
    on: { type: 'boolean', default: false },
    port: { type: 'integer', minimum: 0, maximum: 9, default: 4 },
    name: { type: 'string', description: 'Who it is' },
    section: { properties: { refs: { type: 'array', items: { type: 'string' }, default: [] } } },
    servers: { type: 'object', default: {} },
  },
}).flatMap(({ fields }) => fields);

const CONFIG = { on: true, section: { refs: ['a', 'b'] }, servers: { one: { port: 1 } } };

function field(key: string) {
  return FIELDS.find((candidate) => candidate.key === key)!;
}

function plan(texts: Record<string, string>) {
  return planDraft(FIELDS, CONFIG, new Map(Object.entries(texts)));
}

test('authoredText() is what the file says, and empty where it says nothing', () => {
  expect(FIELDS.map((each) => authoredText(each, CONFIG))).toEqual([
    '',
    'true',
    '',
    '',
    'a\nb',
    JSON.stringify(CONFIG.servers, null, 2),
  ]);
});

test('defaultText() is the default in one line', () => {
  expect(FIELDS.map(defaultText)).toEqual(['info', 'false', '4', undefined, 'empty', '{}']);
});

test.each<[string, string, object]>([
  ['level', 'debug', { value: 'debug' }],
  ['level', 'loud', { problem: expect.any(String) }],
  ['on', 'false', { value: false }],
  ['port', '0', { value: 0 }],
  ['port', '10', { problem: 'At most 9 is expected.' }],
  ['port', '-1', { problem: 'At least 0 is expected.' }],
  ['port', '1.5', { problem: 'A whole number is expected.' }],
  ['port', 'many', { problem: 'This is not a number.' }],
  ['section.refs', ' a \n\n b', { value: ['a', 'b'] }],
  ['servers', '{}', { value: {} }],
  ['servers', '{', { problem: expect.stringContaining('not JSON') }],
  ['name', '  ', { value: undefined }],
])('parseText() of %s takes "%s" as it is meant', (key, text, parsed) => {
  expect(parseText(field(key), text)).toEqual(parsed);
});

test('planDraft() writes what was changed and nothing else', () => {
  const { patch, changed, problems } = plan({ port: '7', on: 'true', 'section.refs': 'b' });
  expect(patch).toEqual({ port: 7, section: { refs: ['b'] } });
  expect(changed).toEqual(['port', 'section.refs']);
  expect(problems.size).toBe(0);
});

test('planDraft() takes an emptied key out of the file, and what is missing from a map out of the map', () => {
  expect(plan({ on: '', servers: '{"two":{}}' }).patch).toEqual({
    on: null,
    servers: { one: null, two: {} },
  });
});

test('planDraft() names what cannot be written', () => {
  const { patch, problems } = plan({ port: 'x', name: 'n' });
  expect([...problems.keys()]).toEqual(['port']);
  expect(patch).toEqual({ name: 'n' });
});

test('planDraft() of another spelling of the same JSON changes nothing', () => {
  expect(plan({ servers: '{ "one": {"port":1} }' }).patch).toEqual({});
});

test('withoutWritten() keeps what was typed while the rest was on its way', () => {
  const written = new Map([
    ['port', '7'],
    ['name', 'n'],
  ]);
  const now = new Map([...written, ['name', 'next'], ['level', 'debug']] as [string, string][]);
  expect(withoutWritten(now, written)).toEqual(
    new Map([
      ['name', 'next'],
      ['level', 'debug'],
    ]),
  );
});

test.each([
  ['port', ['port', 'servers']],
  ['WHO', ['name']],
  ['', FIELDS.map(({ key }) => key)],
])('matchesSearch() for "%s"', (text, keys) => {
  expect(FIELDS.filter((each) => matchesSearch(each, CONFIG, text)).map(({ key }) => key)).toEqual(keys);
});
