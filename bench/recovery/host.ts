/**
 * An embedded host in a process of its own: `node host.ts <mode> <directory> <count>`. Each mode ends with one line of
 * JSON on stdout.
 *
 * `run`: starts tasks whose model never answers, and waits to be killed. `resume`: goes on with what is there and tells
 * how long it took until every task was answered. `park`: answers tasks and ends. `hold`: opens what is there, looks at
 * it as an instance does, and tells how much memory that takes.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { openStateDatabase } from '../../lib/StateDatabase.ts';
import type { EffectPerformer } from '../../subgraph/effects/EffectPerformer.ts';
import { createEmbeddedEngine } from '../../subgraph/engine/embedded/EmbeddedEngine.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import type { NewTask, TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import { createEventLog } from '../../subgraph/log/createEventLog.ts';
import type { EventLog } from '../../subgraph/log/EventLog.ts';

/** Tasks that are started at once. */
const BATCH = 1_000;

/** How long the host rests before its memory is looked at, in milliseconds. */
const REST_MS = 1_000;

const [, , mode, directory = '', countText = ''] = process.argv;
const count = Number(countText);

const SILENT: EffectPerformer = { perform: () => new Promise(() => {}), isIdempotent: () => true };

const INSTANT: EffectPerformer = {
  perform: async ({ key }) => ({
    kind: 'completed',
    input: {
      kind: 'modelReplied',
      effectKey: key,
      text: 'It was shipped on Monday and will arrive within three days.',
      toolCalls: [],
      usage: { inputTokens: 900, cachedTokens: 800, outputTokens: 60 },
      model: 'instant',
      finish: 'stop',
    },
  }),
  isIdempotent: () => true,
};

const startedMs = performance.now();
const database = openStateDatabase(join(directory, 'state.db'), { migrations: STATE_MIGRATIONS });
const log = createEventLog({ database, clock: systemClock, pid: process.pid });
const before = log.end();
const engine = await createEmbeddedEngine({
  database,
  log,
  performer: mode === 'run' ? SILENT : INSTANT,
  clock: systemClock,
  ids: systemIds,
  logger: silentLogger,
  instanceName: () => 'bench',
  retries: () => ({
    default: {
      initialIntervalSeconds: 1,
      backoffCoefficient: 2,
      maximumIntervalSeconds: 60,
      maximumAttempts: 5,
    },
    perActivity: {},
  }),
});

switch (mode) {
  case 'run':
    await startTasks(engine);
    tell({ tasks: count });
    await new Promise((resolve) => setInterval(resolve, 2 ** 30));
    break;
  case 'resume':
    await parked(log, before);
    tell({ tookMs: Math.round(performance.now() - startedMs) });
    break;
  case 'park': {
    const answered = parked(log, before);
    await startTasks(engine);
    await answered;
    tell({ tasks: count });
    break;
  }
  case 'hold': {
    const open = (await engine.openRefs()).length;
    await engine.list({ limit: 1_000, order: 'UPDATED_AT_DESC' });
    await setTimeout(REST_MS);
    tell({ tasks: open, residentBytes: process.memoryUsage.rss() });
    break;
  }
}
await engine[Symbol.asyncDispose]();
database[Symbol.dispose]();

async function startTasks(host: TaskEngine): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) {
    const length = Math.min(BATCH, count - first + 1);
    await Promise.all(Array.from({ length }, (_, index) => host.start(aTask(first + index))));
  }
}

function aTask(number: number): NewTask {
  return {
    ref: `github:octo/repo#${number}`,
    lifecycle: 'CONVERSATION',
    message: { messageId: `${number}-0`, participant: 'alice', text: 'Where is the order of last week?' },
    participants: [
      { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    ],
    settings: {},
    maxTurns: 50,
  };
}

/** Resolves when as many tasks have been answered as there are. */
async function parked(events: EventLog, after: number): Promise<void> {
  const end = new AbortController();
  let answered = 0;
  for await (const { records } of events.watch({
    after,
    filter: { types: ['task.status'] },
    signal: end.signal,
  })) {
    answered += records.filter(({ data }) => data.state === 'INPUT_REQUIRED').length;
    if (answered >= count) end.abort();
  }
}

function tell(facts: object): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}
