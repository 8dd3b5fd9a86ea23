/** Decides where a need for help goes (spec/worker.md § 5.4); taking the route is the caller's. */
import type { Clock } from '../../lib/Clock.ts';
import type { Redactor } from '../../lib/redact.ts';
import { badUserInput, conflict, FlotillaError } from '../../schema/errors.ts';
import { askModel, type ModelAccess } from '../effects/ModelAccess.ts';
import type { TaskRow } from '../engine/TaskEngine.ts';
import { HookError } from '../hooks/HookRunner.ts';
import { ModelError, type ModelResponse } from '../models/ModelProvider.ts';
import { fromWireNames } from '../remote/wireNames.ts';
import { agentIdOf, isTerminal } from '../task/index.ts';
import { defaultRoute, type HelpNeed, type HelpRoute, readHelpRoute } from './HelpRoute.ts';
import { toHelpRequest } from './toHelpRequest.ts';

/** Decisions at the same time. */
const MAX_DECISIONS = 16;

/** For one request to the model, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** A first decision, and one that knows what was wrong with it. */
const ATTEMPTS = [1, 2] as const;

export interface HelpRouter extends AsyncDisposable {
  /**
   * What the hooks of `help.decided.in` say, else what the task's model says with the task's settings, else the default.
   *
   * @throws {FlotillaError} BAD_USER_INPUT when the participant of the need is not on the task; CONFLICT when the task has
   *   ended, a budget is used up, a hook aborts, or two decisions cannot be taken (`help.no_route`); TOO_MANY_REQUESTS;
   *   UNAVAILABLE when the model or a hook cannot be reached now.
   */
  route(task: TaskRow, need: HelpNeed): Promise<HelpRoute>;
}

export interface HelpRouterOptions
  extends Pick<ModelAccess, 'model' | 'hooks' | 'prices' | 'findReachedBudget' | 'tracer'> {
  readonly clock: Clock;
  /** Masks secrets in the need. */
  readonly redact: Redactor;
  /** Counts what a request has used. A throw of it is the decision's. */
  readonly countUsage: (response: Pick<ModelResponse, 'model' | 'usage'>) => void;
}

export function createHelpRouter(options: HelpRouterOptions): HelpRouter {
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  return {
    async route(task, need) {
      closing.signal.throwIfAborted();
      if (underWay.size >= MAX_DECISIONS) {
        const message = `Cannot route help: ${MAX_DECISIONS} decisions are under way, fewer are expected`;
        throw new FlotillaError('TOO_MANY_REQUESTS', message);
      }
      const decision = decide(task, redactNeed(need, options.redact), { ...options, signal: closing.signal });
      underWay.add(decision);
      try {
        return await decision;
      } catch (error) {
        throw toHelpError(task, error);
      } finally {
        underWay.delete(decision);
      }
    },

    async [Symbol.asyncDispose]() {
      const message = 'Cannot route help: the instance is stopping, a running one is expected';
      closing.abort(new FlotillaError('UNAVAILABLE', message));
      await Promise.allSettled(underWay);
    },
  };
}

type Running = HelpRouterOptions & { readonly signal: AbortSignal };

async function decide(task: TaskRow, need: HelpNeed, running: Running): Promise<HelpRoute> {
  if (isTerminal(task)) {
    throw refused(task, `the task is ${task.status.state}, an open one is expected`, 'task.terminal');
  }
  const partners = partnersOf(task);
  const helper = helperOf(task, need, partners);
  let objection: string | undefined;
  for (const attempt of ATTEMPTS) {
    const decided = await askForRoute(task, need, { ...running, attempt, objection });
    const route = readHelpRoute(decided === undefined ? defaultRoute(need, helper) : decided, need, partners);
    if (!('objection' in route)) return route;
    objection = route.objection;
  }
  throw refused(task, objection ?? 'there is no route, one is expected', 'help.no_route');
}

function partnersOf(task: TaskRow): readonly string[] {
  return task.participants.map(({ id }) => id).filter((id) => id !== agentIdOf(task));
}

/** Whom the default goes to: the one who is thought of, else who has reported the task, else the first one on it. */
function helperOf(task: TaskRow, { participant }: HelpNeed, partners: readonly string[]): string {
  if (participant !== undefined && !partners.includes(participant)) {
    throw badUserInput(
      `Cannot route help for "${task.ref}": "${participant}" cannot be addressed, one of its participants is expected`,
      { reason: 'channel.not_a_member' },
    );
  }
  const reporter = task.participants.find(({ id, role }) => role === 'REPORTER' && partners.includes(id))?.id;
  const helper = participant ?? reporter ?? partners[0];
  if (helper !== undefined) return helper;
  throw refused(task, 'nobody but its agent is on it, somebody is expected', 'channel.not_a_member');
}

interface Asking extends Running {
  readonly attempt: number;
  readonly objection: string | undefined;
}

/** Undefined when neither a hook nor the model has decided. */
async function askForRoute(
  task: TaskRow,
  need: HelpNeed,
  { attempt, objection, signal, ...options }: Asking,
): Promise<unknown> {
  const { hooks, model, clock, findReachedBudget, countUsage } = options;
  const { question, options: hints, blockingWork, participant } = need;
  const context = {
    taskId: task.id,
    correlationId: task.id,
    attempt,
    question,
    options: hints,
    blockingWork,
    ...(participant !== undefined && { participant }),
  };
  const asked = await hooks.run('help.decided', 'in', context, { signal });
  if ('abort' in asked) throw refused(task, asked.abort.message, 'hook.abort');
  if (asked.context.result !== undefined) return asked.context.result;
  const reached = task.heldBy
    ? `its budget "${task.heldBy}" is used up, a larger one is expected`
    : findReachedBudget();
  if (reached !== undefined) throw refused(task, reached, 'task.budget_reached');
  const request = toHelpRequest(task, need, { model, objection });
  const response = await askModel(request, options, { clock, timeoutMs: TIMEOUT_MS, signal });
  countUsage(response);
  const { text, finish } = response;
  return finish === 'refusal' || text.trim() === '' ? undefined : fromWireNames(parseJson(text));
}

/** What is no JSON is null, which no route is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function redactNeed(need: HelpNeed, redact: Redactor): HelpNeed {
  return { ...need, question: redact(need.question), options: need.options.map((option) => redact(option)) };
}

function refused({ ref }: TaskRow, why: string, reason: string): FlotillaError {
  return conflict(`Cannot route help for "${ref}": ${why}`, { reason });
}

function toHelpError(task: TaskRow, error: unknown): unknown {
  if (!(error instanceof ModelError || error instanceof HookError)) return error;
  const { code: reason, message } = error;
  const isRetryable = error instanceof HookError ? error.retryable : reason === 'provider.retryable';
  if (!isRetryable) return refused(task, message, reason);
  return new FlotillaError('UNAVAILABLE', `Cannot route help for "${task.ref}": ${message}`, {
    details: { reason },
    cause: error,
  });
}
