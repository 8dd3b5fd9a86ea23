/** Hook chains (spec/worker.md § 8.7): every executor at a point, one after the other, on a redacted copy of the context. */
import { z } from 'zod';
import type { Clock } from '../../lib/Clock.ts';
import { messageOf } from '../../lib/messageOf.ts';
import { type Redactor, redactDeep } from '../../lib/redact.ts';
import { runWithin } from '../../lib/runWithin.ts';
import { type FiredPoint, HOOK_CONTEXTS, type HookContext } from './HookContext.ts';
import type { HookPoint } from './HookPoint.ts';
import {
  ABORT_REASONS,
  DEFAULT_BODY_PRIORITY,
  HookError,
  type HookResult,
  type HookRunner,
} from './HookRunner.ts';

/** Where an executor stands that names no priority. */
export const DEFAULT_PRIORITY = 500;

/** How long an executor may take that sets no time of its own, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** One executor and the points where it stands. */
export interface HookDefinition {
  readonly name: string;
  /** Lower runs earlier. @default 500 */
  readonly priority?: number;
  /** @default every point */
  readonly points?: readonly HookPoint[];
  /** Longest wait for one answer, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** The executor is another process: an answer that does not fit is `hook.transport`. @default false */
  readonly isRemote?: boolean;
  /**
   * Sees the context and may answer. A throw fails the operation; of a `HookError` with its own code, of anything else with
   * `hook.failed`.
   */
  execute(
    context: HookContext,
    call: { readonly point: FiredPoint; readonly signal: AbortSignal },
  ): Promise<HookAnswer> | HookAnswer;
}

/** Nothing: go on as it is. What it holds is checked against the point's schema. */
export type HookAnswer =
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
  | void
  | null
  | { readonly context: object }
  | { readonly abort: { readonly reason: string; readonly message?: string } };

const Abort = z.strictObject({ reason: z.enum(ABORT_REASONS), message: z.string().optional() });

export function createHookRunner(
  definitions: readonly HookDefinition[],
  { clock, redact }: { readonly clock: Clock; readonly redact: Redactor },
): HookRunner {
  const sorted = definitions.toSorted(
    (a, b) => (a.priority ?? DEFAULT_PRIORITY) - (b.priority ?? DEFAULT_PRIORITY),
  );

  /** The chain of a point, in the order in which it runs. */
  function chainAt(point: HookPoint): readonly HookDefinition[] {
    const isBody = point.endsWith('.in');
    return sorted.filter(
      ({ points, priority = DEFAULT_PRIORITY }) =>
        (points === undefined || points.includes(point)) && !(isBody && priority >= DEFAULT_BODY_PRIORITY),
    );
  }

  async function runChain(
    point: FiredPoint,
    context: HookContext,
    signal: AbortSignal,
  ): Promise<HookResult<HookContext>> {
    const chain = chainAt(point);
    if (chain.length === 0) return { context };
    let current = redactDeep(context, redact) as HookContext;
    for (const definition of chain) {
      const answer = await ask(definition, { point, context: current, clock, signal });
      if (answer === undefined) continue;
      if ('abort' in answer) return answer;
      current = redactDeep(answer.context, redact) as HookContext;
      if ('result' in current && point.endsWith('.in')) break;
    }
    return { context: current };
  }

  return {
    has: (operation, phase) => chainAt(`${operation}.${phase}`).length > 0,
    run: (operation, phase, context, { signal }) =>
      // The point and its context belong together by the types of `run`; inside the chain only the schema knows it.
      runChain(`${operation}.${phase}` as FiredPoint, context as HookContext, signal) as never,
  };
}

interface Question {
  readonly point: FiredPoint;
  readonly context: HookContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function ask(
  hook: HookDefinition,
  { point, context, clock, signal }: Question,
): Promise<HookResult<HookContext> | undefined> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS, isRemote = false } = hook;
  const answer = await answerOf().catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof HookError) throw error;
    const text = `Cannot run hook "${name}" at ${point}: ${messageOf(error)}`;
    throw new HookError(isRemote ? 'hook.transport' : 'hook.failed', text, { retryable: true, cause: error });
  });
  if (answer === undefined || answer === null) return undefined;
  const parsed = parseAnswer(answer, point);
  if ('problem' in parsed) {
    throw new HookError(
      isRemote ? 'hook.transport' : 'hook.failed',
      `Cannot run hook "${name}" at ${point}: its answer is neither nothing, a context of this point nor an abort (${parsed.problem})`,
      { retryable: isRemote },
    );
  }
  if ('context' in parsed) return parsed;
  const { reason, message = `The hook "${name}" refused it` } = parsed.abort;
  return { abort: { reason, message } };

  function answerOf() {
    // A copy: an executor that changes what it was given changes nothing but its own answer.
    const given = structuredClone(context);
    return runWithin({ clock, timeoutMs, signal }, (signal) => hook.execute(given, { point, signal }));
  }
}

/** The problem, with the field, when it is neither of the two or has anything beside. */
function parseAnswer(
  answer: unknown,
  point: FiredPoint,
):
  | { readonly context: HookContext }
  | { readonly abort: z.output<typeof Abort> }
  | { readonly problem: string } {
  const [[key, value] = [], ...rest] = Object.entries(Object(answer));
  if (rest.length > 0 || (key !== 'context' && key !== 'abort')) {
    return { problem: 'expected an object with "context" or "abort" and nothing beside' };
  }
  if (key === 'context') {
    const { data, error } = HOOK_CONTEXTS[point].safeParse(value);
    return data ? { context: data } : { problem: problemIn('context', error) };
  }
  const { data, error } = Abort.safeParse(value);
  return data ? { abort: data } : { problem: problemIn('abort', error) };
}

/** The first field that does not fit; its value is not told, which may be a secret. */
function problemIn(key: string, error: z.ZodError | undefined): string {
  const { path = [], message } = error?.issues[0] ?? {};
  return `${[key, ...path].join('.')}: ${message}`;
}
