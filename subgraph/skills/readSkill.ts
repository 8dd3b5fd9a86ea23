/** A skill from its directory (Agent Skills; spec/worker.md § 8.5). */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { splitFrontMatter } from '../../lib/splitFrontMatter.ts';
import { flaw, type Part, problemOf } from '../plugins/Part.ts';
import { type PluginDirectories, parseMcpConfig } from '../plugins/parseMcpConfig.ts';
import { resolveWithin } from '../plugins/resolveWithin.ts';
import { RESOURCE_KINDS, type ResourceKind, type Skill } from './Skill.ts';

/** Largest `SKILL.md`, `mcp.json` and resource that is read, in bytes. */
const MAX_BYTES = 256 * 1024;

const FrontMatter = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters and digits, with single hyphens between'),
  description: z.string().trim().min(1).max(1_024),
  license: z.string().optional(),
  compatibility: z.string().max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  'allowed-tools': z.string().optional(),
});

export interface SkillReading {
  readonly skill: Skill;
  /** Servers of the skill that cannot be used. */
  readonly notes: readonly string[];
}

/**
 * @param directory inside the plugin's root.
 * @param options.version of the plugin.
 */
export function readSkill(
  directory: string,
  { directories, version }: { readonly directories: PluginDirectories; readonly version?: string },
): Part<SkillReading> {
  const path = resolveWithin(directory, 'SKILL.md');
  if (path === undefined) return invalid('SKILL.md is a link that leads elsewhere');
  if (statSync(path).size > MAX_BYTES) return invalid(`SKILL.md has more than ${MAX_BYTES} bytes`);
  const { yaml, body } = splitFrontMatter(readFileSync(path, 'utf8'));
  if (yaml === undefined) return invalid('SKILL.md has no front matter');
  const matter = parseYaml(yaml);
  if (!matter.success) return invalid(problemOf(matter.error));
  const { name, description } = matter.data;
  if (name !== basename(directory))
    return invalid(`the name is "${name}", that of its directory is expected`);
  const { servers, notes } = readServers(directory, directories);
  const resources = Object.fromEntries(
    RESOURCE_KINDS.map((kind) => [kind, listResources(directory, kind)]),
  ) as unknown as Skill['resources'];
  const skill: Skill = {
    name,
    description,
    ...(version !== undefined && { version }),
    body: body.trim(),
    servers,
    resources,
    async readResource(kind, resource) {
      if (!resources[kind].includes(resource)) return undefined;
      return await readText(directory, join(kind, resource));
    },
  };
  return { value: { skill, notes: notes.map((note) => `skill ${name}: ${note}`) } };
}

function invalid(reason: string): Part<never> {
  return flaw('skill.invalid', reason);
}

function parseYaml(yaml: string) {
  try {
    return FrontMatter.safeParse(parse(yaml));
  } catch {
    return {
      success: false,
      error: { issues: [{ path: [], message: 'the front matter is no YAML' }] },
    } as const;
  }
}

function readServers(
  directory: string,
  directories: PluginDirectories,
): { readonly servers: Skill['servers']; readonly notes: readonly string[] } {
  const path = resolveWithin(directory, 'mcp.json');
  if (path === undefined || !isFile(path)) return { servers: [], notes: [] };
  if (statSync(path).size > MAX_BYTES) {
    return { servers: [], notes: [`mcp.json: it has more than ${MAX_BYTES} bytes`] };
  }
  const reading = parseMcpConfig(readFileSync(path, 'utf8'), { ...directories, base: directory });
  if ('problem' in reading) return { servers: [], notes: [`mcp.json: ${reading.problem}`] };
  return {
    servers: reading.servers.flatMap(({ part }) => ('value' in part ? [part.value] : [])),
    notes: reading.servers.flatMap(({ name, part }) =>
      'flaw' in part ? [`mcp.json: ${name}: ${part.flaw.reason}`] : [],
    ),
  };
}

/** Files directly in the directory of the kind that resolve inside the skill, sorted. */
function listResources(directory: string, kind: ResourceKind): string[] {
  const folder = join(directory, kind);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => {
      const path = resolveWithin(directory, join(kind, name));
      return path !== undefined && isFile(path);
    })
    .sort();
}

async function readText(directory: string, path: string): Promise<string | undefined> {
  const real = resolveWithin(directory, path);
  if (real === undefined || !isFile(real) || statSync(real).size > MAX_BYTES) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(real));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
