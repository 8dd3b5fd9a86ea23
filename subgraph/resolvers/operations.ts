/** What an operator sees of an instance and does to its process. */
import { toIsoTime } from '../../lib/Clock.ts';
import { badUserInput, notSupported } from '../../schema/errors.ts';
import type {
  Daemon as DaemonRow,
  MutationResolvers,
  QueryResolvers,
} from '../../schema/generated/resolvers.ts';
import { listAttention } from '../attention/listAttention.ts';
import type { Daemon } from '../daemons/createDaemons.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function operationQueries(parts: WorkerParts): Pick<QueryResolvers<unknown>, 'attention' | 'daemons'> {
  const { config, engine, log, daemons } = parts;
  return {
    async attention() {
      const declaredRefs = config.current().instance.scope.workItems;
      const items = await listAttention({ engine, log, declaredRefs });
      return items.map(({ ref, kind, detail, atMs }) => ({
        instance: nameOf(parts),
        ref,
        kind,
        detail,
        at: atMs === undefined ? null : toIsoTime(atMs),
      }));
    },
    daemons: async () => (await daemons.list()).map((daemon) => toRow(daemon, nameOf(parts))),
  };
}

export function operationMutations(
  parts: WorkerParts,
): Pick<MutationResolvers<unknown>, 'controlDaemon' | 'restart'> {
  const { daemons, log, restart } = parts;
  return {
    async controlDaemon(_root, { daemon: name, verb, instance }) {
      assertSelf(parts, instance);
      if (verb !== 'start' && verb !== 'stop') {
        throw badUserInput(`Cannot control daemon: "verb" is "${verb}", start or stop is expected`);
      }
      const outcome = await daemons.control(name, verb);
      if (!outcome) {
        const known = (await daemons.list()).map((daemon) => daemon.name).join(', ');
        throw badUserInput(`Cannot control daemon: "daemon" is "${name}", one of ${known} is expected`);
      }
      const { daemon, refusal } = outcome;
      const { running, pid } = toRow(daemon, nameOf(parts));
      return {
        instance: nameOf(parts),
        name,
        verb,
        running,
        pid,
        exitCode: refusal === undefined ? 0 : 1,
        output: refusal ?? `${name} is ${running ? 'running' : 'stopped'}`,
      };
    },

    restart(_root, { withUpgrade, instance }) {
      assertSelf(parts, instance);
      if (withUpgrade) throw notSupported('restart', 'this instance does not upgrade itself');
      if (!restart) throw notSupported('restart', 'nobody would start this process again');
      const { pid, logfile } = restart();
      const data = { pid, logfile };
      log.append([{ type: 'restart.scheduled', level: 'INFO', source: 'service', data }]);
      return { scheduled: true, pid, withUpgrade: false, logfile };
    },
  };
}

function toRow({ name, running, startedAtMs, lastCycleAtMs }: Daemon, instance: string): DaemonRow {
  return {
    __typename: 'Daemon',
    instance,
    name,
    running,
    pid: running ? process.pid : 0,
    startedAt: startedAtMs === undefined ? null : toIsoTime(startedAtMs),
    lastCycleAt: lastCycleAtMs === undefined ? null : toIsoTime(lastCycleAtMs),
  };
}
