/** Reads of a member of the REST contract: each root field with its operation (spec/operations.json). */
import { FlotillaError, notSupported } from '../../../schema/errors.ts';
import type { TargetQuery } from '../formatTarget.ts';
import type { Row } from './RestCalls.ts';
import type { RestContext, RowFields } from './RestContext.ts';
import { readEvents } from './readEvents.ts';
import { readTasks } from './readTasks.ts';
import { found, rowsOf } from './rows.ts';
import { readTask } from './taskFields.ts';

/** Documents and answers that are one object of the contract, asked for with the arguments as they are. */
const OBJECTS: Readonly<Record<string, string>> = {
  standingSession: '/api/v1/standing-sessions/one',
  config: '/api/v1/config',
  configSchema: '/api/v1/config/schema',
  instance: '/api/v1/instance',
  health: '/api/v1/health',
  ticket: '/api/v1/work-items/ticket',
  pullRequestStatus: '/api/v1/pull-requests/status',
  pullRequestThreads: '/api/v1/pull-requests/threads',
  pullRequestChecks: '/api/v1/pull-requests/checks',
  processGraph: '/api/v1/graph',
  repoReviewPolicy: '/api/v1/repo/critics/policy',
};

/** Lists of the contract, and what the rows must have to be told apart. */
const LISTS: Readonly<Record<string, { readonly path: string; readonly key: string }>> = {
  sessions: { path: '/api/v1/sessions', key: 'ref' },
  standingSessions: { path: '/api/v1/standing-sessions', key: 'name' },
  attention: { path: '/api/v1/attention', key: 'kind' },
  daemons: { path: '/api/v1/daemons', key: 'daemon' },
};

/** The root type Query. */
export const queryFields: RowFields = {
  ...mapValues(
    OBJECTS,
    (path) =>
      (_root, args, { calls }) =>
        calls.readObject(path, toQuery(args)),
  ),
  ...mapValues(LISTS, ({ path, key }) => async (_root, args, { calls }) => {
    const rows = await calls.readList(path, toQuery(args));
    return rows.filter((row) => typeof row[key] === 'string' && isDeliveredBy(row, args.pullRequest));
  }),
  repoScenarios: (_root, { repo, globs }, { calls }) =>
    calls.readObject('/api/v1/repo/scenarios', toQuery({ repo, glob: globs })),
  repoInstructions: (_root, { repo, docs, onMissing }, { calls }) =>
    calls.readObject('/api/v1/repo/instructions', toQuery({ repo, doc: docs, onMissing })),
  repoCritics: (_root, args, { calls }) => calls.readList('/api/v1/repo/critics', toQuery(args)),
  transcript: async (_root, args, { calls }) => {
    try {
      return await calls.readObject('/api/v1/sessions/transcript', toQuery(args));
    } catch (error) {
      if (!(error instanceof FlotillaError) || error.code !== 'NOT_FOUND') throw error;
      // The session may well be there: only the member knows why there is nothing to read.
      throw new FlotillaError('NOT_FOUND', error.message, { details: { reason: 'session.no_transcript' } });
    }
  },
  tasks: (_root, args, context) => readTasks(args, context),
  task: async (_root, { ref, atVersion }, context) => {
    if (typeof atVersion === 'number')
      throw notSupported('task', 'the member keeps no versions of its tasks');
    return found(await readTask(String(ref), context), 'work item', ref);
  },
  session: async (_root, { ref }, { sessions }) => found(await sessions.load(String(ref)), 'session', ref),
  events: (_root, args, context) => readEvents(args, context),
  eventTypes: async (_root, _args, { calls }) =>
    Object.entries(await calls.readObject('/api/v1/events/types')).map(([name, meaning]) => ({
      name,
      meaning: String(meaning),
    })),
};

type Resolve = (row: Row, args: Row, context: RestContext) => unknown;

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  toResolve: (value: Value) => Resolve,
): RowFields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toResolve(value)]));
}

/** The contract has no such filter, but it has what to go by. */
function isDeliveredBy({ pullRequests }: Row, pullRequest: unknown): boolean {
  return !pullRequest || rowsOf(pullRequests).some(({ ref }) => ref === pullRequest);
}

/** The operation's own arguments, but for those that the contract does not have. The words of an enum are lower case in the contract. */
function toQuery({ instance: _instance, pullRequest: _pullRequest, status, ...args }: Row): TargetQuery {
  return { ...args, ...(typeof status === 'string' && { status: status.toLowerCase() }) } as TargetQuery;
}
