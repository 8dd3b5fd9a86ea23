/** The tools by which an agent finds, loads and reads skills (spec/worker.md §§ 3.8, 8.5). */
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { EntityRegistry } from '../plugins/EntityRegistry.ts';
import type { JsonObject } from '../task/index.ts';
import type { ToolDefinition, ToolOutput, ToolRun } from '../tools/ToolDefinition.ts';
import { RESOURCE_KINDS, type ResourceKind, type Skill } from './Skill.ts';
import type { SkillServers } from './SkillServers.ts';

export interface SkillToolsOptions {
  readonly skills: EntityRegistry<Skill>;
  readonly servers: SkillServers;
  readonly hooks: HookRunner;
}

/** Repeating any of them is safe. A skill or a resource that is not there is an error result, `skill.invalid`. */
export function createSkillTools(options: SkillToolsOptions): readonly ToolDefinition[] {
  const { skills } = options;
  return [
    tool('list_skills', 'Lists the skills that can be loaded.', {}, async () =>
      text(
        skills
          .list()
          .map(({ name, description }) => `${name}: ${description}`)
          .join('\n'),
      ),
    ),
    tool('load_skill', 'Loads a skill: shows its instructions and adds its tools.', NAME, (call) =>
      load(call, options),
    ),
    tool('unload_skill', 'Forgets a loaded skill and takes its tools away.', NAME, (call) =>
      unload(call, options),
    ),
    tool('list_skill_resources', 'Lists the files of a skill.', NAME, async (call) => {
      const skill = skills.find(nameOf(call));
      if (!skill) return unknownSkill(call);
      return text(
        RESOURCE_KINDS.flatMap((kind) => skill.resources[kind].map((name) => `${kind}/${name}`)).join('\n'),
      );
    }),
    tool('load_skill_resource', 'Shows a text file of a skill.', RESOURCE, async (call) => {
      const skill = skills.find(nameOf(call));
      if (!skill) return unknownSkill(call);
      const { kind, resource } = call.arguments as { kind: ResourceKind; resource: string };
      const content = await skill.readResource(kind, resource);
      return content === undefined
        ? invalid(`the skill "${skill.name}" has no text ${kind}/${resource}`)
        : text(content);
    }),
  ];
}

const NAME: JsonObject = { name: { type: 'string', description: 'Name of the skill.' } };

const RESOURCE: JsonObject = {
  ...NAME,
  kind: { enum: [...RESOURCE_KINDS] },
  resource: { type: 'string', description: 'Name of the file.' },
};

async function load(call: ToolRun, { skills, servers, hooks }: SkillToolsOptions): Promise<ToolOutput> {
  const { taskId, loadedSkills = [], signal } = call;
  const skill = skills.find(nameOf(call));
  if (!skill) return unknownSkill(call);
  const { name, body } = skill;
  if (loadedSkills.includes(name)) return text(body);
  const context = { ...(taskId !== undefined && { taskId, correlationId: taskId }), attempt: 1, name };
  const before = await hooks.run('skill.loaded', 'pre', context, { signal });
  if ('abort' in before) return aborted(before.abort.message);
  const tools = await servers.register(skill, signal);
  await hooks.run('skill.loaded', 'post', context, { signal });
  const names = tools.map((each) => each.name).sort();
  const added = names.length > 0 ? `\n\nTools: ${names.join(', ')}` : '';
  return { ...text(`${body}${added}`), command: { kind: 'skillLoaded', name, body, tools: names } };
}

async function unload(call: ToolRun, { hooks }: SkillToolsOptions): Promise<ToolOutput> {
  const { taskId, loadedSkills = [], signal } = call;
  const name = nameOf(call);
  if (!loadedSkills.includes(name)) return invalid(`the skill "${name}" is not loaded`);
  const context = { ...(taskId !== undefined && { taskId, correlationId: taskId }), attempt: 1, name };
  const before = await hooks.run('skill.unloaded', 'pre', context, { signal });
  if ('abort' in before) return aborted(before.abort.message);
  await hooks.run('skill.unloaded', 'post', context, { signal });
  return { ...text(`The skill "${name}" is unloaded`), command: { kind: 'skillUnloaded', name } };
}

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  run: ToolDefinition['run'],
): ToolDefinition {
  const required = Object.keys(properties);
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return { name, description, inputSchema, isIdempotent: true, run };
}

function nameOf({ arguments: { name } }: ToolRun): string {
  return String(name);
}

function text(content: string): ToolOutput {
  return { text: content, isError: false };
}

function unknownSkill(call: ToolRun): ToolOutput {
  return invalid(`no skill has the name "${nameOf(call)}"`);
}

function invalid(problem: string): ToolOutput {
  return { text: `skill.invalid: ${problem}`, isError: true };
}

function aborted(message: string): ToolOutput {
  return { text: `hook.abort: ${message}`, isError: true };
}
