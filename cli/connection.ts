/** Options that say which instance a command talks to. */
import type { Command } from 'commander';
import { FlotillaClient } from './FlotillaClient.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly tokenEnv: string;
}

export function withConnection(command: Command): Command {
  return command
    .option('--url <url>', 'address of the instance', process.env.FLOTILLA_URL ?? 'http://127.0.0.1:4114')
    .option('--token-env <name>', 'environment variable that holds the bearer token', 'FLOTILLA_TOKEN');
}

export function createClient({ url, tokenEnv }: ConnectionOptions): FlotillaClient {
  return new FlotillaClient({ url, token: process.env[tokenEnv] });
}
