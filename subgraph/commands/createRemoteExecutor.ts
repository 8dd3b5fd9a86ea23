/** A command whose body is another process (spec/worker.md § 4.4). */
import { type RemoteCall, RemoteCallError } from '../remote/RemoteCall.ts';
import { toWireNames } from '../remote/wireNames.ts';
import { type CommandExecutor, type CommandResult, CommandTransportError } from './CommandDefinition.ts';

/** Asks `commands.<name>` with `{invocation}` in the wire's names. The name is the registered one, whatever was typed. */
export function createRemoteExecutor(name: string, call: RemoteCall): CommandExecutor {
  return {
    kind: 'remote',
    async execute(invocation, { signal }) {
      try {
        const params = { invocation: toWireNames(invocation) };
        return (await call(`commands.${name}`, params, { signal })) as CommandResult;
      } catch (error) {
        if (!(error instanceof RemoteCallError)) throw error;
        throw new CommandTransportError(error.message, { cause: error });
      }
    },
  };
}
