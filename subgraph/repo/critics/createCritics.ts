/** Runs the configured critics. */
import type { Clock } from '../../../lib/Clock.ts';
import { DeadlineExceeded } from '../../../lib/Deadline.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { runWithin } from '../../../lib/runWithin.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import { FlotillaError, notFound } from '../../../schema/errors.ts';
import { findModelProblem } from '../../commands/findModelProblem.ts';
import { askModel, type ModelAccess } from '../../effects/ModelAccess.ts';
import { ModelError, type ModelProvider, type ModelResponse } from '../../models/ModelProvider.ts';
import type { Checkout } from '../openCheckout.ts';
import type { CriticOutcome, CriticRow, CriticRun, Critics } from './Critics.ts';
import { type Changes, readChanges } from './readChanges.ts';
import { GitError } from './runGit.ts';
import { CHARACTERS_PER_TOKEN, toReviewRequest } from './toReviewRequest.ts';

/** Runs at the same time; each holds a diff in memory. */
const MAX_RUNS = 4;

/** For the whole of what is asked of git, in milliseconds. */
const GIT_TIMEOUT_MS = 30_000;

type CriticConfig = Config['critics'][number];

export interface CriticsOptions
  extends Pick<ModelAccess, 'model' | 'prices' | 'findReachedBudget' | 'tracer'> {
  /** Asked at every use. */
  readonly configured: () => Config['critics'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Masks secrets in what is sent. */
  readonly redact: Redactor;
  /** Counts what a request has used. A throw of it is the run's. */
  readonly countUsage: (response: Pick<ModelResponse, 'model' | 'usage'>) => void;
}

export function createCritics(options: CriticsOptions): Critics {
  const { configured, model } = options;
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  return {
    list: () => configured().map((critic) => toRow(critic, model)),

    async run(run) {
      const critic = configured().find(({ name }) => name === run.name);
      if (!critic) throw notFound('critic', run.name);
      if (closing.signal.aborted) throw stopping();
      if (underWay.size >= MAX_RUNS) {
        const message = `Cannot run critic "${run.name}": ${MAX_RUNS} runs are under way, fewer are expected`;
        throw new FlotillaError('TOO_MANY_REQUESTS', message);
      }
      const { enabled, error } = toRow(critic, model);
      if (!enabled) return refused('the critic is switched off, an enabled one is expected');
      if (error !== null) return refused(error);
      const review = reviewWith(critic, run, { ...options, signal: closing.signal });
      underWay.add(review);
      try {
        return await review;
      } finally {
        underWay.delete(review);
      }
    },

    async [Symbol.asyncDispose]() {
      closing.abort(stopping());
      await Promise.allSettled(underWay);
    },
  };
}

function toRow({ name, enabled, ...critic }: CriticConfig, provider: ModelProvider): CriticRow {
  const { model = provider.defaultModel, timeoutSeconds, budget } = critic;
  const error = findModelProblem(model, provider.allowedModels) ?? null;
  return { name, model, enabled, available: error === null, error, tokens: budget.tokens, timeoutSeconds };
}

interface RunOptions extends CriticsOptions {
  readonly signal: AbortSignal;
}

async function reviewWith(
  { model: wanted, prompt: standing, budget, timeoutSeconds }: CriticConfig,
  { checkout, prompt = standing, task, timeoutMs = timeoutSeconds * 1_000 }: CriticRun,
  options: RunOptions,
): Promise<CriticOutcome> {
  const { model, clock, signal, redact, findReachedBudget, countUsage } = options;
  try {
    const changes = await readWithin(checkout, budget.tokens, options);
    const { base } = changes;
    if (changes.diff === '') return { kind: 'unchanged', base };
    const reached = findReachedBudget();
    if (reached !== undefined) return refused(reached);
    const asked = toReviewRequest({
      prompt,
      changes: { ...changes, diff: redact(changes.diff) },
      model: wanted ?? model.defaultModel,
      tokens: budget.tokens,
      nowMs: clock.nowMs(),
      ...(task && { task }),
    });
    if (!asked)
      return refused(`the prompt takes the ${budget.tokens} tokens of a run, a shorter one is expected`);
    const response = await askModel(asked.request, options, { clock, signal, timeoutMs });
    countUsage(response);
    const { text, finish } = response;
    if (finish === 'refusal' || text.trim() === '')
      return refused('the model gave no review, one is expected');
    const truncated = asked.truncated || finish === 'length';
    return {
      kind: 'reviewed',
      review: redact(text),
      model: response.model,
      base,
      truncated,
      usage: response.usage,
    };
  } catch (error) {
    if (error instanceof ModelError) return refused(`the model does not answer: ${error.message}`);
    if (error instanceof GitError) return refused(`the changes cannot be read: ${error.message}`);
    throw error;
  }
}

async function readWithin(checkout: Checkout, tokens: number, options: RunOptions): Promise<Changes> {
  const { clock, env, signal: parent } = options;
  try {
    return await runWithin({ clock, timeoutMs: GIT_TIMEOUT_MS, signal: parent }, (signal) =>
      readChanges(checkout, { env, signal, maxBytes: tokens * CHARACTERS_PER_TOKEN }),
    );
  } catch (error) {
    if (error instanceof DeadlineExceeded)
      throw new GitError(`git takes more than ${GIT_TIMEOUT_MS} ms`, error);
    throw error;
  }
}

function refused(reason: string): CriticOutcome {
  return { kind: 'refused', reason };
}

function stopping(): FlotillaError {
  return new FlotillaError(
    'UNAVAILABLE',
    'Cannot run critic: the instance is stopping, a running one is expected',
  );
}
