import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import { createHookRunner, type HookDefinition } from '../../../subgraph/hooks/createHookRunner.ts';
import type { HookContext } from '../../../subgraph/hooks/HookContext.ts';
import { HookError } from '../../../subgraph/hooks/HookRunner.ts';
import { FakeClock } from '../../support/FakeClock.ts';

type ToolContext = HookContext<'tool.invoked.pre'>;

const CONTEXT: ToolContext = { taskId: 't', attempt: 1, callId: 'c', tool: 'refund', arguments: { id: 'a' } };

describe('a chain', () => {
  test('runs by priority, then in the order of registration, at the points of each executor', async () => {
    const asked: string[] = [];
    const named = (name: string, change: Partial<HookDefinition>): HookDefinition => ({
      name,
      execute: (_context, { point }) => {
        asked.push(`${name} ${point}`);
        return undefined;
      },
      ...change,
    });
    const hooks = create([
      named('late', { priority: 900 }),
      named('default-1', {}),
      named('default-2', { priority: 500 }),
      named('early', { priority: -1, points: ['tool.invoked.pre'] }),
      named('elsewhere', { points: ['tool.invoked.post'] }),
    ]);
    expect(await hooks.run('tool.invoked', 'pre', CONTEXT, options())).toEqual({ context: CONTEXT });
    expect(asked).toEqual(
      ['early', 'default-1', 'default-2', 'late'].map((name) => `${name} tool.invoked.pre`),
    );
  });

  test('passes on what an executor returns, and what was there when it returns nothing', async () => {
    const seen: unknown[] = [];
    const hooks = create([
      hook((context) => ({ context: { ...context, arguments: { id: 'b' } } })),
      hook((context) => {
        seen.push((context as ToolContext).arguments);
        return undefined;
      }),
      hook((context) => {
        (context as { tool: string }).tool = 'mutated';
        return null;
      }),
    ]);
    expect(await hooks.run('tool.invoked', 'pre', CONTEXT, options())).toEqual({
      context: { ...CONTEXT, arguments: { id: 'b' } },
    });
    expect(seen).toEqual([{ id: 'b' }]);
    expect(CONTEXT.tool).toBe('refund');
  });

  test('ends with the first abort', async () => {
    let isAsked = false;
    const hooks = create([
      hook(() => ({ abort: { reason: 'policy', message: 'not today' } })),
      hook(() => {
        isAsked = true;
        return undefined;
      }),
    ]);
    expect(await hooks.run('tool.invoked', 'pre', CONTEXT, options())).toEqual({
      abort: { reason: 'policy', message: 'not today' },
    });
    expect(isAsked).toBe(false);
  });

  test('shows no secret to any executor, not even one that an earlier executor brought in', async () => {
    const seen: string[] = [];
    const look = hook((context) => {
      seen.push(JSON.stringify(context));
      return { context: { ...context, tool: 'sk-abcdefgh12345678' } };
    });
    const hooks = create([look, look]);
    const secret = { ...CONTEXT, arguments: { note: 'password=hunter2222', apiKey: 'topsecret99' } };
    const result = await hooks.run('tool.invoked', 'pre', secret, options());
    for (const text of [...seen, JSON.stringify(result)]) {
      expect(text).toContain('[REDACTED]');
      expect(text).not.toMatch(/hunter2222|topsecret99|sk-abcdefgh/);
    }
  });

  test('without executors costs nothing: the context comes back as it is', async () => {
    const hooks = create([hook(() => undefined, ['tool.invoked.post'])]);
    const result = await hooks.run('tool.invoked', 'pre', CONTEXT, options());
    expect('context' in result && result.context).toBe(CONTEXT);
    expect(hooks.has('tool.invoked', 'pre')).toBe(false);
    expect(hooks.has('tool.invoked', 'post')).toBe(true);
  });
});

describe('an in chain', () => {
  const trigger = { attempt: 1, estimatedTokens: 10, budgetTokens: 5 };

  test('ends with the first result', async () => {
    const hooks = create([
      hook(() => undefined),
      hook((context) => ({ context: { ...context, result: false } })),
      hook((context) => ({ context: { ...context, result: true } })),
    ]);
    expect(await hooks.run('compaction.trigger', 'in', trigger, options())).toEqual({
      context: { ...trigger, result: false },
    });
  });

  test('leaves executors out that stand at 1000 or behind: the default body is there', async () => {
    const hooks = create([
      { ...hook((context) => ({ context: { ...context, result: true } })), priority: 1_000 },
    ]);
    expect(hooks.has('compaction.trigger', 'in')).toBe(false);
    expect(await hooks.run('compaction.trigger', 'in', trigger, options())).toEqual({ context: trigger });
  });
});

test('an executor that is an object keeps its own state', async () => {
  class Counter implements HookDefinition {
    readonly name = 'counter';
    readonly points = ['tool.invoked.pre'] as const;
    calls = 0;
    execute() {
      this.calls += 1;
      return undefined;
    }
  }
  const counter = new Counter();
  await create([counter]).run('tool.invoked', 'pre', CONTEXT, options());
  expect(counter.calls).toBe(1);
});

describe('an executor fails its operation', () => {
  test.each<[string, unknown]>([
    ['a text', 'ok'],
    ['a bare context', CONTEXT],
    ['a context with an unknown field', { context: { ...CONTEXT, more: 1 } }],
    ['a context of another type', { context: { ...CONTEXT, tool: 7 } }],
    ['a context without a field', { context: { attempt: 1 } }],
    ['an unknown reason', { abort: { reason: 'mood', message: 'x' } }],
    ['a context and an abort', { context: CONTEXT, abort: { reason: 'policy' } }],
  ])('that answers %s; another attempt would not help', async (_title, answer) => {
    const hooks = create([hook(() => answer as never)]);
    await expect(hooks.run('tool.invoked', 'pre', CONTEXT, options())).rejects.toMatchObject({
      code: 'hook.failed',
      retryable: false,
      message: expect.stringMatching(/^Cannot run hook "watcher" at tool\.invoked\.pre: /),
    });
  });

  test.each<[unknown, string]>([
    [{ context: { ...CONTEXT, tool: 7 } }, 'context.tool: '],
    [{ context: { ...CONTEXT, more: 1 } }, '"more"'],
    [{ abort: { reason: 'mood' } }, 'abort.reason: '],
    [CONTEXT, 'expected an object with "context" or "abort"'],
  ])('the error for %j names the field', async (answer, field) => {
    const hooks = create([hook(() => answer as never)]);
    await expect(hooks.run('tool.invoked', 'pre', CONTEXT, options())).rejects.toThrow(field);
  });

  test('that answers as a remote one does not: hook.transport, and another attempt may help', async () => {
    const hooks = create([{ ...hook(() => 'ok' as never), isRemote: true }]);
    await expect(hooks.run('tool.invoked', 'pre', CONTEXT, options())).rejects.toMatchObject({
      code: 'hook.transport',
      retryable: true,
    });
  });

  test('that throws', async () => {
    const hooks = create([hook(() => Promise.reject(new Error('no database')))]);
    const failed = await hooks
      .run('tool.invoked', 'pre', CONTEXT, options())
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HookError);
    expect(failed).toMatchObject({ code: 'hook.failed', retryable: true });
    expect(String(failed)).toContain('no database');
  });

  test.each([
    [undefined, 30_000],
    [200, 200],
  ])('that takes longer than its time (%j)', async (timeoutMs, expected) => {
    const clock = new FakeClock();
    const slow = { ...hook(() => new Promise<never>(() => {})), ...(timeoutMs && { timeoutMs }) };
    const hooks = create([slow], clock);
    const failed = expect(hooks.run('tool.invoked', 'pre', CONTEXT, options())).rejects.toMatchObject({
      code: 'hook.failed',
      message: expect.stringContaining(`Timed out after ${expected} ms`),
    });
    await expect.poll(() => clock.delaysMs).toEqual([expected]);
    clock.advance(expected);
    await failed;
  });

  test('never after the signal has aborted: its reason passes through', async () => {
    const controller = new AbortController();
    const hooks = create([hook(() => new Promise<never>(() => {}))]);
    const run = hooks.run('tool.invoked', 'pre', CONTEXT, { signal: controller.signal });
    controller.abort(new Error('abandoned'));
    await expect(run).rejects.toThrow('abandoned');
  });
});

function create(definitions: readonly HookDefinition[], clock = new FakeClock()) {
  return createHookRunner(definitions, { clock, redact: createRedactor() });
}

function hook(execute: HookDefinition['execute'], points?: HookDefinition['points']): HookDefinition {
  return { name: 'watcher', execute, ...(points && { points }) };
}

function options() {
  return { signal: new AbortController().signal };
}
