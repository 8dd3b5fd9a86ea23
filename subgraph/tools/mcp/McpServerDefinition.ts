/** One MCP server as configuration, a plugin or a skill names it (spec/worker.md § 8.3). */

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
    };
