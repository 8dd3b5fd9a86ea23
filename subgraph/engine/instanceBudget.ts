/** What the instance has used, and whether it may use more. */
import { type Clock, toIsoTime } from '../../lib/Clock.ts';
import type { StateDatabase } from '../../lib/StateDatabase.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { Budget, Usage } from '../task/index.ts';

export interface InstanceUsage {
  readonly turns: number;
  /** Input and output tokens. */
  readonly tokens: number;
  /** Millionths of the currency of the price table. */
  readonly costMicros: number;
}

/** What was used on the UTC day of `nowMs`, or since the state directory was made. @param database migrated with `STATE_MIGRATIONS`. */
export function readUsage(
  database: StateDatabase,
  period: Config['budgets']['instance']['period'],
  nowMs: number,
): InstanceUsage {
  const firstDay = period === 'day' ? toIsoTime(nowMs).slice(0, 10) : '';
  const row = database
    .statement<InstanceUsage>(
      `SELECT total(turns) AS turns, total(input_tokens + output_tokens) AS tokens, total(cost) AS costMicros
       FROM usage WHERE day >= ?`,
    )
    .get(firstDay);
  return { turns: row?.turns ?? 0, tokens: row?.tokens ?? 0, costMicros: row?.costMicros ?? 0 };
}

/** Adds to a day and a model: day, model, turns, input, cached and output tokens, cost in millionths. */
export const COUNT_USAGE = `
  INSERT INTO usage (day, model, turns, input_tokens, cached_tokens, output_tokens, cost)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, model) DO UPDATE SET
    turns = turns + excluded.turns,
    input_tokens = input_tokens + excluded.input_tokens,
    cached_tokens = cached_tokens + excluded.cached_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cost = cost + excluded.cost`;

/** Counts a request to a model that belongs to no task, as one turn. @param database migrated with `STATE_MIGRATIONS`. */
export function countRequest(
  database: StateDatabase,
  { model, usage }: { readonly model: string; readonly usage: Usage },
  nowMs: number,
): void {
  const { inputTokens, cachedTokens, outputTokens, costMicros = 0 } = usage;
  const day = toIsoTime(nowMs).slice(0, 10);
  database.statement(COUNT_USAGE).run(day, model, 1, inputTokens, cachedTokens, outputTokens, costMicros);
}

/** Why no model may be asked: `<what is>, <what is expected>`; undefined while one may. Pure. */
export function findReachedBudget(
  used: InstanceUsage,
  { period, turns, tokens, cost }: Config['budgets']['instance'],
): string | undefined {
  const when = period === 'day' ? 'today' : 'in all';
  if (turns !== undefined && used.turns >= turns) {
    return `the instance has made ${used.turns} model turns ${when}, fewer than ${turns} are expected`;
  }
  if (tokens !== undefined && used.tokens >= tokens) {
    return `the instance has used ${used.tokens} tokens ${when}, fewer than ${tokens} are expected`;
  }
  if (cost !== undefined && used.costMicros >= toMicros(cost)) {
    return `the instance has spent ${used.costMicros / 1_000_000} ${when}, less than ${cost} is expected`;
  }
  return undefined;
}

/** The question that is asked before every request to a model. */
export function createBudgetCheck({
  database,
  clock,
  limits,
}: {
  readonly database: StateDatabase;
  readonly clock: Clock;
  readonly limits: () => Config['budgets']['instance'];
}): () => string | undefined {
  return () => {
    const current = limits();
    const { turns, tokens, cost, period } = current;
    if (turns === undefined && tokens === undefined && cost === undefined) return undefined;
    return findReachedBudget(readUsage(database, period, clock.nowMs()), current);
  };
}

/** The budget of a new task, as the core takes it; undefined when nothing is limited. Pure. */
export function toTaskBudget({ turns, tokens, cost }: Config['budgets']['task']): Budget | undefined {
  if (turns === undefined && tokens === undefined && cost === undefined) return undefined;
  return {
    ...(turns !== undefined && { turns }),
    ...(tokens !== undefined && { tokens }),
    ...(cost !== undefined && { costMicros: toMicros(cost) }),
  };
}

function toMicros(cost: number): number {
  return Math.round(cost * 1_000_000);
}
