import { expect, test } from 'vitest';
import {
  authoredText,
  basedOn,
  type Draft,
  defaultText,
  matchesSearch,
  NO_EDITS,
  parseText,
  planDraft,
  withoutWritten,
  withText,
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

/** What is typed over `config`. */
function typed(texts: Record<string, string>, config: unknown = CONFIG): Draft {
  return Object.entries(texts).reduce(
    (draft, [key, text]) => withText(draft, key, { text, authored: authoredText(field(key), config) }),
    NO_EDITS,
  );
}

function plan(texts: Record<string, string>) {
  return planDraft(FIELDS, CONFIG, typed(texts));
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

test('withText() keeps what the file said at first, and forgets what it says anyway', () => {
  const draft = withText(typed({ port: '7' }), 'port', { text: '8', authored: '5' });
  expect(draft.get('port')).toEqual({ text: '8', base: '' });
  expect(withText(draft, 'port', { text: '', authored: '' }).size).toBe(0);
});

test('planDraft() names what was changed in the file meanwhile, unless it says the same now', () => {
  const draft = typed({ port: '7', name: 'n', level: 'debug' });
  const { overtaken, changed, patch } = planDraft(FIELDS, { ...CONFIG, port: 8, name: 'n' }, draft);
  expect({ overtaken, changed, patch }).toEqual({
    overtaken: ['port'],
    changed: ['level', 'port'],
    patch: { level: 'debug', port: 7 },
  });
});

test('basedOn() takes what was seen in the file as known', () => {
  const meanwhile = { ...CONFIG, port: 8 };
  const draft = basedOn(typed({ port: '7' }), FIELDS, meanwhile);
  expect(planDraft(FIELDS, meanwhile, draft).overtaken).toEqual([]);
  expect(planDraft(FIELDS, { ...CONFIG, port: 9 }, draft).overtaken).toEqual(['port']);
});

test('withoutWritten() keeps what was typed while the rest was on its way', () => {
  const written = typed({ port: '7', name: 'n' });
  const now = typed({ port: '7', name: 'next', level: 'debug' });
  expect(withoutWritten(now, written)).toEqual(typed({ name: 'next', level: 'debug' }));
});

test.each([
  ['port', ['port', 'servers']],
  ['WHO', ['name']],
  ['', FIELDS.map(({ key }) => key)],
])('matchesSearch() for "%s"', (text, keys) => {
  expect(FIELDS.filter((each) => matchesSearch(each, CONFIG, text)).map(({ key }) => key)).toEqual(keys);
});
