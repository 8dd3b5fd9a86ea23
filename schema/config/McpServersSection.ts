/** `mcpServers`: servers whose tools every task has (spec/worker.md § 8.3). */
import { z } from 'zod';
import { envName } from './fields.ts';
import { isHttpUrl } from './isHttpUrl.ts';

/** Begins the names of the tools: `<server>.<tool>`. */
const SERVER_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

const StdioServer = z
  .strictObject({
    command: z.string().min(1).describe('Executable that is started, without a shell.'),
    args: z.array(z.string()).default([]).describe('Arguments of the command.'),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Environment of the process beside a minimal one; values are not secrets.'),
    secretsEnv: z
      .record(z.string(), envName())
      .default({})
      .describe(
        'Variables of the process with a secret: the environment variable of the instance that holds the value of each.',
      ),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Working directory; a relative path starts at the directory of this file, where it is by default.',
      ),
  })
  .describe('A server that runs as a child of the instance.');

const HttpServer = z
  .strictObject({
    url: z
      .string()
      .refine(isHttpUrl, 'expected an http(s) URL without user information, query and fragment')
      .describe('Endpoint of a server that speaks streamable HTTP.'),
    headersEnv: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header'), envName())
      .default({})
      .describe('Headers of every request: the environment variable that holds the value of each.'),
  })
  .describe('A server that is reached over HTTP.');

export const McpServersSection = z
  .record(
    z.string().regex(SERVER_NAME, 'expected 1 to 40 of a-z, 0-9, "_" and "-", the first no sign'),
    z.union([StdioServer, HttpServer], 'expected a mapping with either "command" or "url"'),
  )
  .prefault({})
  .describe('MCP servers by name; their tools are called `<name>.<tool>`.');
