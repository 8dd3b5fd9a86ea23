/** A command whose body is another process (spec/worker.md § 4.4). */
import type { RemoteCall } from '../remote/RemoteCall.ts';
import { toWireNames } from '../remote/wireNames.ts';
import type { CommandExecutor, CommandResult } from './CommandDefinition.ts';

/** Asks `commands.<name>` with `{invocation}` in the wire's names. The name is the registered one, whatever was typed. */
export function createRemoteExecutor(name: string, call: RemoteCall): CommandExecutor {
  return {
    kind: 'remote',
    execute: async (invocation, { signal }) =>
      (await call(`commands.${name}`, { invocation: toWireNames(invocation) }, { signal })) as CommandResult,
  };
}
