import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSkill } from '../../../subgraph/skills/readSkill.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const GOOD = 'name: sum-up\ndescription: Sums up.';

test('a skill has its body, and the files of its three folders as resources', async () => {
  using folder = writeSkill(
    `---\n${GOOD}\nlicense: MIT\nallowed-tools: a b\nmetadata: {team: desk}\n---\n\n# How\nSo.\n`,
    {
      'references/style.md': 'Briefly.\n',
      'scripts/run.sh': 'true',
      'assets/picture.bin': Buffer.from([0xff, 0xfe]),
    },
  );
  mkdirSync(join(folder.skill, 'references/deep'));
  writeFileSync(join(folder.path, 'secret'), 'secret');
  symlinkSync(join(folder.path, 'secret'), join(folder.skill, 'references/leak'));
  const { skill, notes } = read(folder);
  expect(skill).toMatchObject({
    name: 'sum-up',
    description: 'Sums up.',
    version: '1.0.0',
    body: '# How\nSo.',
    servers: [],
    resources: { scripts: ['run.sh'], references: ['style.md'], assets: ['picture.bin'] },
  });
  expect(notes).toEqual([]);
  expect(await skill.readResource('references', 'style.md')).toBe('Briefly.\n');
  expect(await skill.readResource('assets', 'picture.bin')).toBeUndefined();
  expect(await skill.readResource('references', 'leak')).toBeUndefined();
  expect(await skill.readResource('references', '../SKILL.md')).toBeUndefined();
  expect(await skill.readResource('scripts', 'style.md')).toBeUndefined();
});

test.each([
  ['no front matter', '# How'],
  ['a front matter that is no YAML', '---\n{\n---\n'],
  ['no description', '---\nname: sum-up\n---\n'],
  ['an empty description', '---\nname: sum-up\ndescription: " "\n---\n'],
  ['a description of 1,025 characters', `---\nname: sum-up\ndescription: ${'x'.repeat(1_025)}\n---\n`],
  ['the name of another directory', '---\nname: other\ndescription: X.\n---\n'],
  ['a name with capitals', '---\nname: Sum-up\ndescription: X.\n---\n'],
  ['an unknown key', `---\n${GOOD}\ncolor: green\n---\n`],
  ['metadata that are no texts', `---\n${GOOD}\nmetadata: {size: 1}\n---\n`],
  ['a compatibility of 501 characters', `---\n${GOOD}\ncompatibility: ${'x'.repeat(501)}\n---\n`],
])('a skill with %s is none', (_title, text) => {
  using folder = writeSkill(text);
  expect(readSkill(folder.skill, { directories: folder.directories })).toMatchObject({
    flaw: { code: 'skill.invalid' },
  });
});

test('a server of a skill starts in its directory; one that cannot be used is noted', () => {
  using folder = writeSkill(`---\n${GOOD}\n---\n`, {
    'mcp.json': JSON.stringify({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
      mcpServers: {
        orders: { type: 'stdio', command: './run', env: { ROOT: ['$', '{PLUGIN_ROOT}'].join('') } },
        legacy: { type: 'sse', url: 'https://shop.example/sse' },
      },
    }),
  });
  const { skill, notes } = read(folder);
  expect(skill.servers).toMatchObject([
    {
      name: 'orders',
      command: join(folder.skill, 'run'),
      cwd: folder.skill,
      env: { ROOT: folder.directories.root },
    },
  ]);
  expect(notes).toEqual(['skill sum-up: mcp.json: legacy: servers of type sse are not supported']);
});

test('an mcp.json of more than 256 KiB costs the servers and nothing else', () => {
  using folder = writeSkill(`---\n${GOOD}\n---\n`, { 'mcp.json': ' '.repeat(256 * 1024 + 1) });
  const { skill, notes } = read(folder);
  expect(skill).toMatchObject({ name: 'sum-up', servers: [] });
  expect(notes).toEqual(['skill sum-up: mcp.json: it has more than 262144 bytes']);
});

function read(folder: ReturnType<typeof writeSkill>) {
  const part = readSkill(folder.skill, { directories: folder.directories, version: '1.0.0' });
  if ('flaw' in part) throw new Error(part.flaw.reason);
  return part.value;
}

function writeSkill(text: string, files: Readonly<Record<string, string | Buffer>> = {}) {
  const directory = temporaryDirectory();
  const root = join(directory.path, 'plugin');
  const skill = join(root, 'skills/sum-up');
  for (const folder of ['scripts', 'references', 'assets'])
    mkdirSync(join(skill, folder), { recursive: true });
  for (const [name, content] of Object.entries({ 'SKILL.md': text, ...files })) {
    writeFileSync(join(skill, name), content);
  }
  return {
    path: directory.path,
    skill,
    directories: { root, data: directory.path },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}
