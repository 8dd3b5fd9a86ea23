/**
 * What durability costs: turns per second of the embedded host with a model that answers at once, against the same
 * rows written by hand in SQLite, with the same pragmas, in the same run.
 *
 * Two peers: `same transactions` writes the rows in the very transactions in which the host wrote them, so that the
 * ratio is what the host's own work leaves of SQLite's speed; `one per step` gives each step a transaction of its own,
 * as a host without group commit would.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../lib/Clock.ts';
import { systemIds } from '../lib/ids.ts';
import { silentLogger } from '../lib/Logger.ts';
import { openStateDatabase, type SqlValue, type StateDatabase } from '../lib/StateDatabase.ts';
import type { EffectPerformer } from '../subgraph/effects/EffectPerformer.ts';
import { createEmbeddedEngine } from '../subgraph/engine/embedded/EmbeddedEngine.ts';
import { STATE_MIGRATIONS } from '../subgraph/engine/stateMigrations.ts';
import type { NewTask, TaskEngine } from '../subgraph/engine/TaskEngine.ts';
import { createEventLog } from '../subgraph/log/createEventLog.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { formatSpread, quantile, ratio } from './support/measure.ts';

/** Conversations that go on side by side; each sends its next message when the last one was answered. */
const CONVERSATIONS = 200;

/** Turns of each: a message and its reply, both durable. */
const TURNS = 20;

const QUESTION = 'Where is the order that I made last week, and when will it arrive? '.repeat(2);
const REPLY = 'It was shipped on Monday and will arrive within three days. '.repeat(4);

type Contender = 'embedded host' | 'same transactions' | 'one per step';

export async function measureJournal({ rounds }: { readonly rounds: number }): Promise<BenchResult> {
  const transactions = await recordWrites();
  const steps = transactions.flatMap(splitIntoSteps);
  const work: Readonly<Record<Contender, (database: StateDatabase) => Promise<void>>> = {
    'embedded host': converse,
    'same transactions': async (database) => write(database, transactions),
    'one per step': async (database) => write(database, steps),
  };
  const names = Object.keys(work) as Contender[];
  const speeds: Record<Contender, number[]> = {
    'embedded host': [],
    'same transactions': [],
    'one per step': [],
  };
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      speeds[name].push(await measureSpeed(work[name]));
    }
  }
  const ratioTo = (peer: Contender): string => formatSpread(ratio(speeds['embedded host'], speeds[peer]));
  const toldSpeeds = names.map((name) => `${name} ${Math.round(quantile(speeds[name], 0.5))}`);
  return {
    title: `Journal, ${CONVERSATIONS} conversations of ${TURNS} turns in ${transactions.length} transactions`,
    measurements: [],
    facts: {
      "the host's speed to the same rows in the same transactions": ratioTo('same transactions'),
      "the host's speed to the same rows in a transaction per step": ratioTo('one per step'),
      'turns per second': toldSpeeds.join(', '),
    },
  };
}

/** Turns per second. */
async function measureSpeed(work: (database: StateDatabase) => Promise<void>): Promise<number> {
  return withDatabase(async (database) => {
    const startMs = performance.now();
    await work(database);
    return (CONVERSATIONS * TURNS * 1_000) / (performance.now() - startMs);
  });
}

async function withDatabase<T>(work: (database: StateDatabase) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
  try {
    using database = openStateDatabase(join(directory, 'state.db'), { migrations: STATE_MIGRATIONS });
    return await work(database);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Holds all conversations to their end. */
async function converse(database: StateDatabase): Promise<void> {
  const log = createEventLog({ database, clock: systemClock, pid: process.pid });
  await using engine = await createEmbeddedEngine({
    database,
    log,
    performer: INSTANT,
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    instanceName: () => 'bench',
    retries: () => ({ default: ONE_ATTEMPT, perActivity: {} }),
  });
  const end = new AbortController();
  const turnsOf = new Map<string, number>();
  let open = CONVERSATIONS;
  for (let number = 1; number <= CONVERSATIONS; number += 1) void engine.start(aTask(number));
  const filter = { types: ['task.status'] };
  for await (const { records } of log.watch({ after: 0, filter, signal: end.signal })) {
    for (const { ref = '', data } of records) {
      if (data.state !== 'INPUT_REQUIRED') continue;
      const turns = (turnsOf.get(ref) ?? 0) + 1;
      turnsOf.set(ref, turns);
      if (turns < TURNS) void say(engine, ref, turns);
      else open -= 1;
    }
    if (open === 0) end.abort();
  }
}

const INSTANT: EffectPerformer = {
  perform: async ({ key }) => ({
    kind: 'completed',
    input: {
      kind: 'modelReplied',
      effectKey: key,
      text: REPLY,
      toolCalls: [],
      usage: { inputTokens: 900, cachedTokens: 800, outputTokens: 60 },
      model: 'instant',
      finish: 'stop',
    },
  }),
  isIdempotent: () => false,
};

const ONE_ATTEMPT = {
  initialIntervalSeconds: 1,
  backoffCoefficient: 2,
  maximumIntervalSeconds: 60,
  maximumAttempts: 1,
};

function aTask(number: number): NewTask {
  return {
    ref: `github:octo/repo#${number}`,
    lifecycle: 'CONVERSATION',
    message: { messageId: `${number}-0`, participant: 'alice', text: QUESTION },
    participants: [
      { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    ],
    settings: {},
    maxTurns: 50,
  };
}

async function say(engine: TaskEngine, ref: string, turns: number): Promise<void> {
  const messageId = `${ref}-${turns}`;
  await engine.deliver(ref, { kind: 'messageReceived', messageId, participant: 'alice', text: QUESTION });
}

interface Write {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}
type Transaction = readonly Write[];

/** The writes of one whole run of the host, transaction by transaction. */
async function recordWrites(): Promise<Transaction[]> {
  const transactions: Write[][] = [];
  await withDatabase(async (database) => {
    let depth = 0;
    await converse({
      path: database.path,
      canWrite: () => database.canWrite(),
      statement: <Row>(sql: string) => {
        const statement = database.statement<Row>(sql);
        return {
          run: (...values: SqlValue[]) => {
            transactions.at(-1)?.push({ sql, values });
            return statement.run(...values);
          },
          get: (...values: SqlValue[]) => statement.get(...values),
          all: (...values: SqlValue[]) => statement.all(...values),
          iterate: (...values: SqlValue[]) => statement.iterate(...values),
        };
      },
      transaction: (work) => {
        if (depth === 0) transactions.push([]);
        depth += 1;
        try {
          return database.transaction(work);
        } finally {
          depth -= 1;
        }
      },
      afterCommit: (callback) => database.afterCommit(callback),
      scrub: () => database.scrub(),
      [Symbol.dispose]: () => {},
    });
  });
  return transactions.filter((writes) => writes.length > 0);
}

/** A step begins with the row of its task. */
function splitIntoSteps(transaction: Transaction): Transaction[] {
  const steps: Write[][] = [];
  for (const write of transaction) {
    if (/^(INSERT INTO|UPDATE) tasks\b/.test(write.sql)) steps.push([]);
    steps.at(-1)?.push(write);
  }
  return steps;
}

function write(database: StateDatabase, transactions: readonly Transaction[]): void {
  for (const writes of transactions) {
    database.transaction(() => {
      for (const { sql, values } of writes) database.statement(sql).run(...values);
    });
  }
}
