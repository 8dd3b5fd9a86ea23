import { expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import { createHookRunner, type HookDefinition } from '../../../subgraph/hooks/createHookRunner.ts';
import { EntityRegistry } from '../../../subgraph/plugins/EntityRegistry.ts';
import { createSkillTools } from '../../../subgraph/skills/createSkillTools.ts';
import type { Skill } from '../../../subgraph/skills/Skill.ts';
import type { SkillServers } from '../../../subgraph/skills/SkillServers.ts';
import type { JsonObject } from '../../../subgraph/task/index.ts';
import { type ToolDefinition, ToolError } from '../../../subgraph/tools/ToolDefinition.ts';
import { createToolRegistry } from '../../../subgraph/tools/ToolRegistry.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const SKILL: Skill = {
  name: 'sum-up',
  description: 'Sums up.',
  body: 'Briefly.',
  servers: [],
  resources: { scripts: [], references: ['style.md'], assets: ['picture.bin'] },
  readResource: async (_kind, name) => (name === 'style.md' ? 'In verse.' : undefined),
};
const TOOL = { name: 'sum-up.count.words' } as ToolDefinition;

test('load_skill shows the body and the tools, and tells the core', async () => {
  const { run } = open();
  expect(await run('load_skill', { name: 'sum-up' })).toEqual({
    text: 'Briefly.\n\nTools: sum-up.count.words',
    isError: false,
    command: { kind: 'skillLoaded', name: 'sum-up', body: 'Briefly.', tools: ['sum-up.count.words'] },
  });
});

test('load_skill of a loaded skill does nothing but show it again', async () => {
  const { run, registered } = open();
  expect(await run('load_skill', { name: 'sum-up' }, ['sum-up'])).toEqual({
    text: 'Briefly.',
    isError: false,
  });
  expect(registered).toEqual([]);
});

test('load_skill fails when a server of the skill cannot be reached', async () => {
  const { run } = open({ register: () => Promise.reject(new ToolError('provider.retryable', 'away')) });
  await expect(run('load_skill', { name: 'sum-up' })).rejects.toMatchObject({ code: 'provider.retryable' });
});

test('unload_skill tells the core, and refuses a skill that is not loaded', async () => {
  const { run } = open();
  expect(await run('unload_skill', { name: 'sum-up' }, ['sum-up'])).toMatchObject({
    isError: false,
    command: { kind: 'skillUnloaded', name: 'sum-up' },
  });
  expect(await run('unload_skill', { name: 'sum-up' })).toEqual({
    text: 'skill.invalid: the skill "sum-up" is not loaded',
    isError: true,
  });
});

test.each([
  ['load_skill', { name: 'sing' }, /^skill\.invalid: no skill has the name "sing"$/],
  ['list_skill_resources', { name: 'sing' }, /^skill\.invalid: /],
  ['load_skill_resource', { name: 'sing', kind: 'assets', resource: 'x' }, /^skill\.invalid: /],
  [
    'load_skill_resource',
    { name: 'sum-up', kind: 'assets', resource: 'picture.bin' },
    /^skill\.invalid: .*no text/,
  ],
  ['load_skill_resource', { name: 'sum-up', kind: 'secrets', resource: 'x' }, /^tool\.invalid_arguments: /],
  ['load_skill', {}, /^tool\.invalid_arguments: /],
])('%s with %j is an error result', async (tool, args, expected) => {
  const { run } = open();
  expect(await run(tool, args)).toMatchObject({ isError: true, text: expect.stringMatching(expected) });
});

test('resources are listed by kind, and shown as they are', async () => {
  const { run } = open();
  expect(await run('list_skill_resources', { name: 'sum-up' })).toMatchObject({
    text: 'references/style.md\nassets/picture.bin',
  });
  const resource = { name: 'sum-up', kind: 'references', resource: 'style.md' };
  expect(await run('load_skill_resource', resource)).toMatchObject({ text: 'In verse.', isError: false });
});

test('hooks see what is loaded and unloaded, and may refuse it', async () => {
  const seen: string[] = [];
  const watch: HookDefinition = {
    name: 'watch',
    execute: (context, { point }) => {
      const { name, taskId } = context as { readonly name: string; readonly taskId: string };
      seen.push(`${point} ${taskId} ${name}`);
      return point === 'skill.unloaded.pre'
        ? { abort: { reason: 'refused', message: 'keep it' } }
        : undefined;
    },
  };
  const { run } = open({ hooks: [watch] });
  await run('load_skill', { name: 'sum-up' });
  expect(await run('unload_skill', { name: 'sum-up' }, ['sum-up'])).toEqual({
    text: 'hook.abort: keep it',
    isError: true,
  });
  expect(seen).toEqual([
    'skill.loaded.pre t sum-up',
    'skill.loaded.post t sum-up',
    'skill.unloaded.pre t sum-up',
  ]);
});

interface Parts {
  readonly register?: SkillServers['register'];
  readonly hooks?: readonly HookDefinition[];
}

function open({ register = async () => [TOOL], hooks = [] }: Parts = {}) {
  const registered: string[] = [];
  const skills = new EntityRegistry<Skill>('skill');
  skills.register(SKILL.name, SKILL);
  const servers: SkillServers = {
    tools: async () => [],
    register(skill, signal) {
      registered.push(skill.name);
      return register(skill, signal);
    },
  };
  const runner = createHookRunner(hooks, { clock: new FakeClock(), redact: createRedactor() });
  const registry = createToolRegistry(createSkillTools({ skills, servers, hooks: runner }));
  const signal = new AbortController().signal;
  const run = (tool: string, args: JsonObject, loadedSkills: readonly string[] = []) =>
    registry.call(
      { callId: 'c', tool, arguments: args },
      { ref: 'o/r#1', taskId: 't', effectKey: 'k', turn: 1, loadedSkills, signal },
    );
  return { run, registered };
}
