/** `mcp.json` of a plugin or a skill (Agent Plugins 1.0.0 § 7.2; spec/worker.md § 8.4). */
import { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../../schema/config/isLoopback.ts';
import type { McpServerAddress, McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';
import { flaw, type Part, problemOf } from './Part.ts';
import { resolveWithin } from './resolveWithin.ts';

export const MCP_SCHEMA_ID = 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json';

const McpConfig = z.strictObject({
  $schema: z.literal(MCP_SCHEMA_ID),
  mcpServers: z.record(z.string().min(1), z.unknown()),
});

const Server = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('streamable-http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  z.strictObject({
    type: z.literal('sse'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
]);

/** Directories of a plugin; both exist. */
export interface PluginDirectories {
  /** `${PLUGIN_ROOT}`: what the plugin brings. */
  readonly root: string;
  /** `${PLUGIN_DATA}`: what it may write; survives updates. */
  readonly data: string;
  /** Where paths that begin with `./` start. @default the root */
  readonly base?: string;
}

export type McpConfigReading =
  | { readonly servers: readonly { readonly name: string; readonly part: Part<McpServerDefinition> }[] }
  /** The whole file is unusable. */
  | { readonly problem: string };

export function parseMcpConfig(text: string, directories: PluginDirectories): McpConfigReading {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'it is no JSON' };
  }
  const parsed = McpConfig.safeParse(json);
  if (!parsed.success) return { problem: problemOf(parsed.error) };
  return {
    servers: Object.entries(parsed.data.mcpServers).map(([name, value]) => {
      const address = toAddress(value, directories);
      return { name, part: 'flaw' in address ? address : { value: { name, ...address.value } } };
    }),
  };
}

function toAddress(value: unknown, directories: PluginDirectories): Part<McpServerAddress> {
  const parsed = Server.safeParse(value);
  if (!parsed.success) return flaw('plugin.component_skipped', problemOf(parsed.error));
  const server = parsed.data;
  switch (server.type) {
    case 'stdio':
      return toProcess(server, directories);
    case 'streamable-http':
      return toEndpoint(server);
    case 'sse':
      return flaw('plugin.component_skipped', 'servers of type sse are not supported');
  }
}

/** `${PLUGIN_ROOT}` and `${PLUGIN_DATA}` stand in `args`, values of `env` and `cwd`, and nothing else does anywhere. */
function toProcess(
  { command, args, env, cwd = './' }: z.output<typeof Server> & { type: 'stdio' },
  { root, data, base = root }: PluginDirectories,
): Part<McpServerAddress> {
  if (command.includes('${')) return flaw('plugin.invalid', 'the command has a variable, none is expected');
  const executable = command.startsWith('./') ? resolveWithin(root, resolve(base, command)) : command;
  if (executable === undefined || (/[\\/]/.test(command) && executable === command)) {
    return flaw('plugin.component_skipped', 'the command is neither a bare name nor a path below the plugin');
  }
  const expand = (text: string): string =>
    text.replaceAll(/\$\{PLUGIN_(ROOT|DATA)\}/g, (_match, which) => (which === 'ROOT' ? root : data));
  const directory = directoryOf(cwd, { root, data, base }, expand);
  if (directory === undefined) {
    return flaw(
      'plugin.component_skipped',
      'cwd begins with none of ./, PLUGIN_ROOT and PLUGIN_DATA, or leads elsewhere',
    );
  }
  return {
    value: {
      kind: 'stdio',
      // Absolute: a relative one would be looked for in the child's directory.
      command: executable,
      args: args.map(expand),
      env: {
        ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, expand(text)])),
        PLUGIN_ROOT: root,
        PLUGIN_DATA: data,
      },
      cwd: directory,
    },
  };
}

function directoryOf(
  cwd: string,
  { root, data, base }: Required<PluginDirectories>,
  expand: (text: string) => string,
): string | undefined {
  if (cwd.startsWith('./')) return resolveWithin(root, resolve(base, expand(cwd)));
  if (/^\$\{PLUGIN_ROOT\}(?:\/|$)/.test(cwd)) return resolveWithin(root, expand(cwd));
  if (/^\$\{PLUGIN_DATA\}(?:\/|$)/.test(cwd)) return resolveWithin(data, expand(cwd));
  return undefined;
}

function toEndpoint({
  url,
  headers,
}: {
  url: string;
  headers: Record<string, string>;
}): Part<McpServerAddress> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isHttp =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!parsed || !isHttp || parsed.username || parsed.password || parsed.hash) {
    return flaw(
      'plugin.component_skipped',
      'the URL is not https (or http on this machine), or has user information or a fragment',
    );
  }
  return { value: { kind: 'http', url, headers } };
}
