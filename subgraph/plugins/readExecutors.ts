/** `hooks.json` and `commands.json` of a plugin (spec/worker.md §§ 4.2, 8.4). */
import { z } from 'zod';
import { isHttpUrl } from '../../schema/config/isHttpUrl.ts';
import { badUserInput } from '../../schema/errors.ts';
import type { CommandDefinition, CommandExecutor } from '../commands/CommandDefinition.ts';
import { COMMAND_NAME } from '../commands/CommandRegistry.ts';
import { createRemoteExecutor } from '../commands/createRemoteExecutor.ts';
import { DEFAULT_PRIORITY, type HookDefinition } from '../hooks/createHookRunner.ts';
import { createRemoteHook } from '../hooks/createRemoteHook.ts';
import { type HookPoint, isHookPoint } from '../hooks/HookPoint.ts';
import { createJsonRpcCall } from '../remote/createJsonRpcCall.ts';
import { importExport } from './importExport.ts';
import { flaw, type Part, problemOf } from './Part.ts';
import type { McpCommand, McpHook } from './Plugin.ts';

/** Longest time that an executor may set for itself, in seconds. */
const MAX_TIMEOUT_SECONDS = 600;

const transport = {
  import_path: z.string().optional(),
  url: z
    .string()
    .refine(isHttpUrl, 'expected an http(s) URL without user information, query and fragment')
    .optional(),
  mcp: z.string().min(1).optional(),
  timeout: z.number().positive().max(MAX_TIMEOUT_SECONDS).optional(),
};

const Hook = z
  .strictObject({
    name: z.string().min(1),
    priority: z.int().default(DEFAULT_PRIORITY),
    points: z.array(z.string()).min(1).optional(),
    ...transport,
  })
  .refine(hasOneTransport, 'expected exactly one of import_path, url and mcp');

const Command = z
  .strictObject({
    name: z.string().regex(COMMAND_NAME, 'expected lower-case letters, digits and hyphens'),
    description: z.string().min(1),
    usage: z.string().min(1).optional(),
    min_role: z.enum(['watcher', 'assignee', 'reporter', 'admin']).optional(),
    ...transport,
  })
  .refine(hasOneTransport, 'expected exactly one of import_path, url and mcp');

const HooksFile = z.strictObject({ hooks: z.array(z.unknown()) });
const CommandsFile = z.strictObject({ commands: z.array(z.unknown()) });

/** One entry of a file: its name, or its place when it has none, and what it comes to. */
export interface Entry<Value> {
  readonly id: string;
  readonly part: Part<Value>;
}

/** @throws {FlotillaError} BAD_USER_INPUT with reason `plugin.invalid` when the file is no list of hooks. */
export async function readHooks(
  text: string,
  root: string,
): Promise<readonly Entry<HookDefinition | McpHook>[]> {
  const { hooks } = parseFile('hooks.json', text, HooksFile);
  return await Promise.all(
    hooks.map(async (value, index) => ({ id: idOf(value, index), part: await toHook(value, root) })),
  );
}

/** @throws {FlotillaError} BAD_USER_INPUT with reason `plugin.invalid` when the file is no list of commands. */
export async function readCommands(
  text: string,
  root: string,
): Promise<readonly Entry<CommandDefinition | McpCommand>[]> {
  const { commands } = parseFile('commands.json', text, CommandsFile);
  return await Promise.all(
    commands.map(async (value, index) => ({ id: idOf(value, index), part: await toCommand(value, root) })),
  );
}

async function toHook(value: unknown, root: string): Promise<Part<HookDefinition | McpHook>> {
  const parsed = Hook.safeParse(value);
  if (!parsed.success) return flaw('plugin.component_skipped', problemOf(parsed.error));
  const { name, priority, points, import_path, url, mcp, timeout } = parsed.data;
  const unknown = points?.find((point) => !isHookPoint(point));
  if (unknown !== undefined) return flaw('plugin.component_skipped', `there is no hook point "${unknown}"`);
  const facts = {
    name,
    priority,
    ...(points && { points: points as HookPoint[] }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
  };
  if (mcp !== undefined) return { value: { ...facts, mcp } };
  if (url !== undefined) {
    const execute = createRemoteHook(createJsonRpcCall(url), (point) => point);
    return { value: { ...facts, isRemote: true, execute } };
  }
  const execute = await importExport(root, import_path!);
  return 'flaw' in execute
    ? execute
    : { value: { ...facts, execute: execute.value as HookDefinition['execute'] } };
}

async function toCommand(value: unknown, root: string): Promise<Part<CommandDefinition | McpCommand>> {
  const parsed = Command.safeParse(value);
  if (!parsed.success) return flaw('plugin.component_skipped', problemOf(parsed.error));
  const { name, description, usage = `/${name}`, min_role, import_path, url, mcp, timeout } = parsed.data;
  const facts = {
    name,
    description,
    usage,
    ...(min_role && { minRole: min_role.toUpperCase() as NonNullable<CommandDefinition['minRole']> }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
  };
  if (mcp !== undefined) return { value: { ...facts, mcp } };
  if (url !== undefined) {
    return { value: { ...facts, executor: createRemoteExecutor(name, createJsonRpcCall(url)) } };
  }
  const execute = await importExport(root, import_path!);
  if ('flaw' in execute) return execute;
  return {
    value: { ...facts, executor: { kind: 'plugin', execute: execute.value as CommandExecutor['execute'] } },
  };
}

function hasOneTransport({
  import_path,
  url,
  mcp,
}: {
  import_path?: string;
  url?: string;
  mcp?: string;
}): boolean {
  return [import_path, url, mcp].filter((each) => each !== undefined).length === 1;
}

function parseFile<Schema extends z.ZodType>(name: string, text: string, schema: Schema): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(name, 'it is no JSON');
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw invalid(name, problemOf(parsed.error));
  return parsed.data;
}

function invalid(name: string, problem: string) {
  return badUserInput(`Cannot read ${name}: ${problem}`, { reason: 'plugin.invalid' });
}

function idOf(value: unknown, index: number): string {
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
  return typeof name === 'string' ? name : `#${index + 1}`;
}
