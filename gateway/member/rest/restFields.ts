/**
 * What of the graph a member of the REST contract answers, type by type. Whatever is not here the member does not have.
 *
 * A field of the SDL that is new is one that such members lack, until it has a line here.
 */
import { asRecord } from '../parseMemberJson.ts';
import { mutationFields } from './mutationFields.ts';
import { queryFields } from './queryFields.ts';
import { type RowFields, sameNamed, textFields } from './RestContext.ts';
import { toInstant } from './readFrame.ts';
import { rowsOf } from './rows.ts';
import { SESSION_TYPES } from './sessionFields.ts';
import { readTask, taskFields, taskState } from './taskFields.ts';

/** By type. Types that are not here are the graph's own shapes, which the resolvers fill whole. */
export const REST_FIELDS: Readonly<Record<string, RowFields>> = {
  Query: queryFields,
  Mutation: mutationFields,
  Subscription: {},
  Task: taskFields,
  ...SESSION_TYPES,
  MessageReceipt: {
    ...sameNamed('ref', 'messageId'),
    instance: (_row, _args, { name }) => name,
    accepted: ({ delivered }) => delivered === true,
    duplicate: ({ isDuplicate }) => isDuplicate,
    state: async ({ ref }, _args, context) => taskState((await readTask(String(ref), context)) ?? {}),
    cursor: ({ position }) => String(position),
  },
  Instance: sameNamed('name'),
  AttentionItem: {
    ...textFields('kind', 'detail'),
    instance: (_row, _args, { name }) => name,
    ref: ({ workItem }) => workItem ?? '',
    at: ({ at }) => toInstant(at) ?? null,
    record: (row) => row,
  },
  Daemon: {
    __resolveReference: async ({ instance, name: key }, _args, { name, calls }) => {
      const rows = instance === name ? await calls.readList('/api/v1/daemons') : [];
      return rows.find(({ daemon }) => daemon === key) ?? null;
    },
    instance: (_row, _args, { name }) => name,
    name: ({ daemon }) => daemon,
    running: ({ running }) => running === true,
    pid: ({ pid }) => pid ?? 0,
    startedAt: ({ startedAt }) => toInstant(startedAt) ?? null,
    lastCycleAt: ({ lastCycleAt }) => toInstant(lastCycleAt) ?? null,
    record: (row) => row,
  },
  DaemonControl: {
    ...sameNamed('verb', 'running', 'pid', 'exitCode'),
    ...textFields('output'),
    instance: (_row, _args, { name }) => name,
    name: ({ daemon }) => daemon,
    record: (row) => row,
  },
  RestartReceipt: {
    ...sameNamed('scheduled', 'pid'),
    ...textFields('logfile'),
    instance: () => null,
    withUpgrade: ({ withUpgrade }) => withUpgrade === true,
    record: (row) => row,
  },
  TrackerAnswer: { instance: () => null, answer: (row) => row },
  CheckoutAnswer: { instance: () => null, answer: (row) => row },
  EventRecord: {
    ...sameNamed('offset', 'type', 'at', 'level', 'ref', 'source', 'pid', 'data'),
    cursor: ({ offset }) => String(offset),
    instance: (_event, _args, { name }) => name,
  },
  ConfigDocument: {
    ...sameNamed('path', 'exists', 'config'),
    instance: () => null,
    version: ({ version }) => version ?? '',
    record: (row) => row,
  },
  ConfigUpdate: {
    ...sameNamed('path', 'exists', 'changed', 'restartRequired', 'written', 'config'),
    instance: () => null,
    record: (row) => row,
  },
  InstanceDocument: {
    ...sameNamed('name'),
    role: () => 'WORKER',
    // Only the health document tells it; the probe has read that one.
    version: ({ version }) => version ?? '',
    scope: ({ scope }) => {
      const { mode, workItems } = asRecord(scope) ?? {};
      return { mode: mode ?? '', workItems: Array.isArray(workItems) ? workItems : [] };
    },
    managed: ({ managed }) => rowsOf(managed).map(({ ref, sources }) => ({ ref, sources: sources ?? [] })),
    sessionCount: ({ sessionCount }) => sessionCount ?? 0,
    instance: () => null,
    record: (row) => row,
  },
  Health: {
    ...sameNamed('status'),
    version: ({ version }) => version ?? '',
    role: () => 'WORKER',
    configPath: ({ configPath }) => configPath ?? '',
    stateRoot: ({ stateRoot }) => stateRoot ?? '',
    ingresses: ({ ingresses }) => rowsOf(ingresses),
    instances: () => [],
    instance: () => null,
    record: (row) => row,
  },
};
