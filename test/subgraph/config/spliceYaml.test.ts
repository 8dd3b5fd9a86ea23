import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePatch } from '../../../subgraph/config/mergePatch.ts';
import { parseYaml } from '../../../subgraph/config/parseYaml.ts';
import { spliceYaml } from '../../../subgraph/config/spliceYaml.ts';

const TEXT = `# The box under the desk.
instance:
    name:   desk      # as its card says
    role: 'manager'

    # Who is asked.
    manager:
        instances:
            # the fast one
            - name: alpha
              url: "http://alpha:1"   # on the second floor
            # the slow one

            - { name: beta, url: 'http://beta:1' }
            # - { name: gamma, url: http://gamma:1 }
        timeoutSeconds: 5
service:
    # port: 80
openai: { model: gpt-6-luna, # small
          models: [] }
note: |
    two
    lines

log:
    level: "info" # enough
# The end.
`;

function splice(text: string, patch: Record<string, unknown>): string {
  return spliceYaml(text, parseYaml(text), patch);
}

/** What is different, as lines that went and lines that came. */
function difference(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
  ];
}

const ALPHA = { name: 'alpha', url: 'http://alpha:1' };
const BETA = { name: 'beta', url: 'http://beta:1' };
const GAMMA = { name: 'gamma', url: 'http://gamma:1' };
const members = (...instances: unknown[]) => ({ instance: { manager: { instances } } });

test.each<[string, Record<string, unknown>, string[]]>([
  [
    'keeps the place and the comment of a scalar',
    { instance: { name: 'shelf' } },
    ['-    name:   desk      # as its card says', '+    name:   shelf      # as its card says'],
  ],
  [
    'keeps the quotes of a text',
    { log: { level: 'debug' } },
    ['-    level: "info" # enough', '+    level: "debug" # enough'],
  ],
  [
    'adds a key after its last neighbour, with the indentation of the file',
    { log: { to: { file: 'x' } } },
    ['+    to:', '+        file: x'],
  ],
  ['adds a section at the end', { state: { directory: '/data' } }, ['+state:', '+    directory: /data']],
  ['removes a key with its line only', { instance: { role: null } }, ["-    role: 'manager'"]],
  [
    'appends a member and touches no other',
    members(ALPHA, BETA, GAMMA),
    ['+            - name: gamma', '+              url: http://gamma:1'],
  ],
  [
    'removes a member and leaves the comments beside it',
    members(BETA),
    ['-            - name: alpha', '-              url: "http://alpha:1"   # on the second floor'],
  ],
  [
    'inserts a member before the first',
    members(GAMMA, ALPHA, BETA),
    ['+            - name: gamma', '+              url: http://gamma:1'],
  ],
  [
    'replaces one member',
    members(ALPHA, GAMMA),
    [
      "-            - { name: beta, url: 'http://beta:1' }",
      '+            - name: gamma',
      '+              url: http://gamma:1',
    ],
  ],
  ['gives a section without a value its first key', { service: { port: 80 } }, ['+    port: 80']],
  [
    'writes a text of several lines on one',
    { instance: { name: 'a\nb' } },
    ['-    name:   desk      # as its card says', '+    name:   "a\\nb"      # as its card says'],
  ],
  ['changes nothing for what is there already', { log: { level: 'info' }, instance: { nobody: null } }, []],
])('spliceYaml() %s', (_title, patch, lines) => {
  expect(difference(TEXT, splice(TEXT, patch))).toEqual(lines);
});

test('spliceYaml() writes an emptied list and an emptied section in place', () => {
  const text = 'a: # one\n  - x\nb:\n  c: 1\nd: 1\n';
  expect(splice(text, { a: [], b: { c: null } })).toBe('a: [] # one\nb: {}\nd: 1\n');
});

test('spliceYaml() keeps the line ends of a file, and the lack of the last one', () => {
  expect(splice('a: 1\r\nb:\r\n  c: 1', { b: { d: [1] }, a: 2 })).toBe(
    'a: 2\r\nb:\r\n  c: 1\r\n  d:\r\n    - 1',
  );
});

test.each([
  ['an empty file', '', 'a:\n  b: 1\n'],
  ['a file of comments', '# nothing yet', '# nothing yet\na:\n  b: 1\n'],
  ['an empty mapping', '{}\n', '{"a":{"b":1}}\n'],
])('spliceYaml() fills %s', (_title, text, result) => {
  expect(splice(text, { a: { b: 1 } })).toBe(result);
});

const key = fc.constantFrom(
  'instance',
  'manager',
  'instances',
  'name',
  'role',
  'service',
  'openai',
  'model',
  'note',
  'log',
  'level',
  'odd: #',
  '1',
);
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(null),
    fc.integer(),
    fc.boolean(),
    fc.string(),
    fc.constantFrom(
      'line\nline, and so on, until it is longer than a library would leave on one',
      '# no',
      '- x',
      'yes',
      'null',
      '1',
      ' x ',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const someMembers = fc.shuffledSubarray([ALPHA, BETA, GAMMA, { ...BETA, tokenEnv: 'T' }]);
const patches = fc.oneof(
  fc.dictionary(key, anything, { maxKeys: 5 }),
  fc.record(
    {
      instance: fc.record(
        { manager: fc.record({ instances: someMembers }), role: anything, added: anything },
        { requiredKeys: [] },
      ),
      log: anything,
    },
    { requiredKeys: [] },
  ),
);

test.each([
  ['a commented file', TEXT],
  ['the same with the line ends of Windows', TEXT.replaceAll('\n', '\r\n')],
  ['the same without a last line end', TEXT.trimEnd()],
  ['an empty file', ''],
  ['a file on one line', '{ instance: { name: a }, log: [1] }'],
])('spliceYaml() reads back as the merged document: %s', (_title, text) => {
  fc.assert(
    fc.property(patches, (value) => {
      const patch = JSON.parse(JSON.stringify(value));
      const source = parseYaml(text);
      const result = parseYaml(spliceYaml(text, source, patch));
      expect(result.findings).toEqual([]);
      expect(result.document).toEqual(mergePatch(source.document, patch));
    }),
    { numRuns: 500 },
  );
});

test('spliceYaml() keeps every comment of what a patch does not replace', () => {
  const scalars = fc.record(
    {
      instance: fc.record({ name: fc.string(), extra: anything }, { requiredKeys: [] }),
      log: fc.record({ level: fc.string(), to: anything }, { requiredKeys: [] }),
      added: anything,
    },
    { requiredKeys: [] },
  );
  const comments = TEXT.match(/(?<=^|\s)#.*/gm) ?? [];
  fc.assert(
    fc.property(scalars, (value) => {
      const result = splice(TEXT, JSON.parse(JSON.stringify(value)));
      for (const comment of comments) expect(result).toContain(comment);
    }),
    { numRuns: 300 },
  );
  expect(comments).toHaveLength(11);
});
