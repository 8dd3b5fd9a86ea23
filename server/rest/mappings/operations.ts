/** What an operator looks at and does to an instance (spec/rest-shapes.md §§ 4, 5, 10, 11). */
import { wholeSeconds } from '../../../lib/wholeSeconds.ts';
import type {
  ControlDaemonMutation,
  GetConfigQuery,
  GetConfigSchemaQuery,
  ListAttentionQuery,
  ListDaemonsQuery,
  RestartMutation,
  UpdateConfigMutation,
} from '../../../schema/generated/restOperations.ts';
import type { RestFacts } from '../bind.ts';
import { isRow, namedInstance, type Row, stamped } from '../rows.ts';

export function listAttention({ attention }: ListAttentionQuery, facts: RestFacts): readonly Row[] {
  return attention.map(({ instance, ref, kind, detail, at, record }) => {
    const own = { workItem: ref, kind, detail, ...(at !== null && { at }) };
    return stamped(isRow(record) ? record : own, instance, facts);
  });
}

export function listDaemons({ daemons }: ListDaemonsQuery, facts: RestFacts): readonly Row[] {
  return daemons.map(({ instance, name, running, pid, startedAt, lastCycleAt, record }) => {
    const own = {
      daemon: name,
      running,
      pid,
      pidfile: '',
      logfile: '',
      startedAt: startedAt === null ? '' : wholeSeconds(startedAt),
      lastCycleAt: lastCycleAt === null ? '' : wholeSeconds(lastCycleAt),
    };
    return stamped(isRow(record) ? record : own, instance, facts);
  });
}

export function controlDaemon({ controlDaemon: control }: ControlDaemonMutation, facts: RestFacts): Row {
  const { instance, name, verb, running, pid, exitCode, output } = control;
  return stamped({ daemon: name, verb, running, pid, exitCode, output }, instance, facts);
}

export function restart({ restart: receipt }: RestartMutation): Row {
  const { instance, scheduled, pid, withUpgrade, logfile } = receipt;
  return { scheduled, pid, withUpgrade, logfile, ...namedInstance(instance) };
}

export function getConfig({ config: document }: GetConfigQuery): Row {
  const { instance, path, exists, version, config } = document;
  return { path, exists, version, config, ...namedInstance(instance) };
}

export function updateConfig({ updateConfig: update }: UpdateConfigMutation): Row {
  const { instance, path, exists, changed, restartRequired, written, config } = update;
  return { path, exists, changed, restartRequired, written, config, ...namedInstance(instance) };
}

export function getConfigSchema({ configSchema }: GetConfigSchemaQuery): unknown {
  return configSchema;
}
