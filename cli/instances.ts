/** `flotilla instances …`: the fleet, and who belongs to it, through the running service (spec/manager.md § 16). */
import { Command } from 'commander';
import { toFleetDocument } from '../schema/fleetDocument.ts';
import {
  CliInstancesDocument,
  CliRegisterInstanceDocument,
  CliUnregisterInstanceDocument,
} from '../schema/generated/cliOperations.ts';
import { CliError } from './CliError.ts';
import { type ConnectionOptions, createClient, withConnection } from './connection.ts';
import { type FormatOptions, withFormat } from './format.ts';
import { print, printJson } from './output.ts';
import { formatInstances } from './status.ts';

export function instancesCommand(): Command {
  const instances = new Command('instances')
    .description('list the fleet, add a member to it, remove one')
    .usage('list|register|unregister')
    .helpCommand(true)
    .argument('[action]')
    .action(refuseAction);
  instances.addCommand(
    withFormat(withConnection(new Command('list')))
      .description('list the instances of the fleet, the one that is asked first')
      .action(listInstances),
  );
  instances.addCommand(
    withConnection(new Command('register'))
      .description("add a member to the manager's configuration; it need not run yet")
      .argument('<name>', 'the name that the member answers to')
      .argument('<url>', 'its address')
      .action(registerInstance),
  );
  instances.addCommand(
    withConnection(new Command('unregister'))
      .description("remove a member from the manager's configuration")
      .argument('<name>', 'the name that it is registered under')
      .action(unregisterInstance),
  );
  return instances;
}

function refuseAction(action: string | undefined): never {
  const what = action === undefined ? 'no action is named' : `"${action}" is no action`;
  throw new CliError(2, `Cannot run instances: ${what}, list, register or unregister is expected`);
}

async function listInstances(options: ConnectionOptions & FormatOptions): Promise<void> {
  const { data } = await createClient(options).request(CliInstancesDocument, {});
  const fleet = toFleetDocument(data);
  if (options.format === 'json') return printJson(fleet);
  print(formatInstances(fleet.instances));
}

async function registerInstance(name: string, url: string, options: ConnectionOptions): Promise<void> {
  const { data } = await createClient(options).request(CliRegisterInstanceDocument, { name, url });
  print(`registered ${name} in ${data.registerInstance.path}`);
}

async function unregisterInstance(name: string, options: ConnectionOptions): Promise<void> {
  const { data } = await createClient(options).request(CliUnregisterInstanceDocument, { name });
  print(`unregistered ${name} in ${data.unregisterInstance.path}`);
}
