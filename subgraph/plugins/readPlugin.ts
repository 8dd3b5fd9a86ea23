/** A plugin from its directory (spec/worker.md § 8.4). */
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { badUserInput } from '../../schema/errors.ts';
import { type Prompt, parsePrompt } from '../prompts/Prompt.ts';
import { readSkill } from '../skills/readSkill.ts';
import type { Skill } from '../skills/Skill.ts';
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';
import { type Flaw, flaw, type Part } from './Part.ts';
import type { Plugin } from './Plugin.ts';
import type { ComponentKind, SkippedComponent } from './PluginReport.ts';
import { parseManifest } from './parseManifest.ts';
import { type PluginDirectories, parseMcpConfig } from './parseMcpConfig.ts';
import { type Entry, readCommands, readHooks } from './readExecutors.ts';
import { resolveWithin } from './resolveWithin.ts';

/** Directory of our own parts within a plugin; those of other clients are not looked at. */
const CLIENT_DIRECTORY = 'dev.flotilla';

/** Largest file of a plugin that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** What was read: the components that can be used, and why the others cannot. */
export interface PluginReading {
  readonly plugin: Plugin;
  readonly skipped: readonly SkippedComponent[];
  readonly notes: readonly string[];
}

/**
 * One bad component costs itself and nothing else.
 *
 * @param path directory of the plugin.
 * @param dataRoot the plugin may write in `<dataRoot>/<name of the plugin>`, which is made.
 * @throws {FlotillaError} BAD_USER_INPUT with reason `plugin.invalid` when there is no valid manifest, or `hooks.json` or
 *   `commands.json` is no list of entries, or one of these has more than 1 MiB; nothing is loaded: a policy that is written down is never silently missing.
 */
export async function readPlugin(
  path: string,
  { dataRoot }: { readonly dataRoot: string },
): Promise<PluginReading> {
  const root = realDirectory(path);
  const text = readOwnText(root, 'plugin.json');
  const parsed = text === undefined ? { problem: 'there is no such file' } : parseManifest(text);
  if ('problem' in parsed) throw invalid(path, `plugin.json: ${parsed.problem}`);
  const { name, version } = parsed.manifest;
  const data = join(dataRoot, name);
  mkdirSync(data, { recursive: true, mode: 0o700 });

  const reader = createReader([...parsed.notes]);
  const directories: PluginDirectories = { root, data };
  const systemPrompt = readSystemPrompt(root, { reader, version });
  const plugin: Plugin = {
    name,
    ...(version !== undefined && { version }),
    skills: readSkills(directories, { reader, version }),
    servers: readServers(directories, reader),
    hooks: reader.keep('hook', await readList(root, 'hooks.json', readHooks)),
    commands: reader.keep('command', await readList(root, 'commands.json', readCommands)),
    prompts: readPrompts(root, { reader, version }),
    ...(systemPrompt && { systemPrompt }),
  };
  return { plugin, skipped: reader.skipped, notes: reader.notes };
}

type Reader = ReturnType<typeof createReader>;

interface Context {
  readonly reader: Reader;
  readonly version: string | undefined;
}

/** Collects what cannot be used. */
function createReader(notes: string[]) {
  const skipped: SkippedComponent[] = [];
  const skip = (kind: ComponentKind, id: string, { code, reason }: Flaw): void => {
    skipped.push({ kind, id, code, reason });
  };
  return {
    skipped,
    notes,
    skip,
    keep<Value>(kind: ComponentKind, entries: readonly Entry<Value>[]): Value[] {
      return entries.flatMap(({ id, part }) => {
        if ('value' in part) return [part.value];
        skip(kind, id, part.flaw);
        return [];
      });
    },
  };
}

function readSkills({ root, data }: PluginDirectories, { reader, version }: Context): Skill[] {
  const names = listNames(root, 'skills').filter((name) => isFile(join(root, 'skills', name, 'SKILL.md')));
  return names.flatMap((name) => {
    const directory = resolveWithin(root, join('skills', name));
    if (directory === undefined) {
      reader.skip('skill', name, { code: 'skill.invalid', reason: 'the directory lies outside the plugin' });
      return [];
    }
    const options = { directories: { root, data }, ...(version !== undefined && { version }) };
    const part = readSkill(directory, options);
    if ('flaw' in part) {
      reader.skip('skill', name, part.flaw);
      return [];
    }
    reader.notes.push(...part.value.notes);
    return [part.value.skill];
  });
}

function readServers(directories: PluginDirectories, reader: Reader): McpServerDefinition[] {
  const text = readText(directories.root, 'mcp.json');
  if (text === undefined) return [];
  const reading = 'flaw' in text ? { problem: text.flaw.reason } : parseMcpConfig(text.value, directories);
  if ('problem' in reading) {
    reader.notes.push(`mcp.json: ${reading.problem}; no MCP server of the plugin is used`);
    return [];
  }
  return reader.keep(
    'mcp_server',
    reading.servers.map(({ name, part }) => ({ id: name, part })),
  );
}

async function readList<Value>(
  root: string,
  name: string,
  read: (text: string, root: string) => Promise<readonly Entry<Value>[]>,
): Promise<readonly Entry<Value>[]> {
  const text = readOwnText(root, join(CLIENT_DIRECTORY, name));
  return text === undefined ? [] : await read(text, root);
}

function readPrompts(root: string, { reader, version }: Context): Prompt[] {
  const folder = join(CLIENT_DIRECTORY, 'prompts');
  const files = listNames(root, folder).filter((name) => extname(name) === '.md');
  return reader.keep(
    'prompt',
    files.flatMap((file) => readPrompt(root, join(folder, file), { id: basename(file, '.md'), version })),
  );
}

function readSystemPrompt(root: string, { reader, version }: Context): Prompt | undefined {
  const entries = readPrompt(root, join(CLIENT_DIRECTORY, 'systemprompt.md'), { id: 'system', version });
  return reader.keep('system_prompt', entries)[0];
}

/** None when there is no such file. */
function readPrompt(
  root: string,
  file: string,
  { id, version }: { readonly id: string; readonly version: string | undefined },
): Entry<Prompt>[] {
  const text = readText(root, file);
  if (text === undefined) return [];
  if ('flaw' in text) return [{ id, part: text }];
  return [{ id, part: parsePrompt(text.value, { id, ...(version !== undefined && { version }) }) }];
}

function realDirectory(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw invalid(path, 'there is no such directory');
  return realpathSync(path);
}

/** The text of a file that the plugin is nothing without. */
function readOwnText(root: string, name: string): string | undefined {
  const text = readText(root, name);
  if (text && 'flaw' in text) throw invalid(root, `${name}: ${text.flaw.reason}`);
  return text?.value;
}

/** The text of a file inside the plugin; undefined when there is none. */
function readText(root: string, name: string): Part<string> | undefined {
  const path = resolveWithin(root, name);
  if (path === undefined || !isFile(path)) return undefined;
  if (statSync(path).size > MAX_BYTES) {
    return flaw('plugin.component_skipped', `it has more than ${MAX_BYTES} bytes`);
  }
  return { value: readFileSync(path, 'utf8') };
}

function listNames(root: string, folder: string): string[] {
  const path = resolveWithin(root, folder);
  if (path === undefined || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(path).sort();
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function invalid(path: string, problem: string) {
  return badUserInput(`Cannot load the plugin in "${path}": ${problem}`, { reason: 'plugin.invalid' });
}
