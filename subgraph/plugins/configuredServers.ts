/** The servers of the configuration, with what it takes from the environment (spec/worker.md § 8.3). Pure. */
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { McpServerDefinition } from '../tools/mcp/McpServerDefinition.ts';

export function configuredServers({
  config,
  env,
}: {
  readonly config: Pick<Config, 'mcpServers'>;
  readonly env: Readonly<Record<string, string | undefined>>;
}): readonly McpServerDefinition[] {
  return Object.entries(config.mcpServers).map(([name, server]) => {
    if ('url' in server) {
      return { name, kind: 'http', url: server.url, headers: valuesOf(server.headersEnv, env) };
    }
    const { command, args, env: own, secretsEnv, cwd } = server;
    return {
      name,
      kind: 'stdio',
      command,
      args,
      env: { ...own, ...valuesOf(secretsEnv, env) },
      ...(cwd !== undefined && { cwd }),
    };
  });
}

/** A reference to a variable that is not set gives nothing; the reader of the configuration has refused it before. */
function valuesOf(
  references: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(references).flatMap(([name, variable]) => {
      const value = env[variable];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
