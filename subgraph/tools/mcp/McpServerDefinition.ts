/** One MCP server as configuration, a plugin or a skill names it (spec/worker.md § 8.3). */
import type { Transport } from '@modelcontextprotocol/client';

export type McpServerDefinition = {
  /** Begins the names of its tools: `<name>.<tool>`. */
  readonly name: string;
} & McpServerAddress;

export type McpServerAddress =
  | {
      readonly kind: 'stdio';
      /** Executable; started directly, never by a shell. */
      readonly command: string;
      readonly args: readonly string[];
      /** The whole environment of the process beside a minimal base (`PATH` and the like); nothing of ours is passed on. */
      readonly env: Readonly<Record<string, string>>;
      /** @default that of the instance's process */
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http';
      /** Streamable HTTP endpoint. */
      readonly url: string;
      /** Sent with every request; values may be secrets. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      /** Of the program's own process, in a plugin or a skill that is built in code. */
      readonly kind: 'inProcess';
      /** Makes a way to the server, one for each connection; closing it is the end of that connection. */
      readonly open: () => Transport;
    };
