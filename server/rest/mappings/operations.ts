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
import { isRow, type Row, stamped, stampedDocument, wholeOr } from '../rows.ts';

export function listAttention({ attention }: ListAttentionQuery, facts: RestFacts): readonly Row[] {
  return attention.map(({ instance, ref, kind, detail, at, record }) => {
    const own = { workItem: ref, kind, detail, ...(at !== null && { at }) };
    return stamped(wholeOr(record, own), instance, facts);
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
    return stamped(wholeOr(record, own), instance, facts);
  });
}

export function controlDaemon({ controlDaemon: control }: ControlDaemonMutation, facts: RestFacts): Row {
  const { instance, name, verb, running, pid, exitCode, output, record } = control;
  const own = { daemon: name, verb, running, pid, exitCode, output };
  return stamped(wholeOr(record, own), instance, facts);
}

export function restart({ restart: receipt }: RestartMutation): Row {
  const { instance, scheduled, pid, withUpgrade, logfile, record } = receipt;
  return stampedDocument(wholeOr(record, { scheduled, pid, withUpgrade, logfile }), instance);
}

export function getConfig({ config: document }: GetConfigQuery): Row {
  const { instance, path, exists, version, config, record } = document;
  return stampedDocument(wholeOr(record, { path, exists, version, config }), instance);
}

export function updateConfig({ updateConfig: update }: UpdateConfigMutation): Row {
  const { instance, path, exists, changed, restartRequired, written, config, record } = update;
  const own = { path, exists, changed, restartRequired, written, config };
  return stampedDocument(wholeOr(record, own), instance);
}

export function getConfigSchema({ configSchema, config }: GetConfigSchemaQuery): unknown {
  return isRow(configSchema) ? stampedDocument(configSchema, config.instance) : configSchema;
}
