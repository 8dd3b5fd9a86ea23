import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import type {
  CommandDefinition,
  CommandExecutor,
  CommandInvocation,
} from '../../../subgraph/commands/CommandDefinition.ts';
import { createCommandRegistry } from '../../../subgraph/commands/CommandRegistry.ts';
import { createCommandRunner } from '../../../subgraph/commands/createCommandRunner.ts';
import { createHookRunner, type HookDefinition } from '../../../subgraph/hooks/createHookRunner.ts';
import { RemoteCallError } from '../../../subgraph/remote/RemoteCall.ts';
import { initialState, type TaskState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const STATE = initialState(aTask()).state;
const CALL = { messageId: 'm2', participant: 'alice', name: 'ping', args: 'a "b c"' };
const PONG = { kind: 'intents', intents: [{ kind: 'reply', text: 'pong' }] } as const;
const never = () => new Promise<never>(() => {});

describe('the executor', () => {
  test('is given the whole invocation, without secrets', async () => {
    const seen: CommandInvocation[] = [];
    const outcome = await run(
      { ...CALL, args: 'a "b c" password=hunter22' },
      {
        command: (invocation) => {
          seen.push(invocation);
          return PONG;
        },
      },
    );
    expect(outcome).toEqual(PONG);
    expect(seen).toEqual([
      {
        taskId: 'task-1',
        ref: 'o/r#1',
        taskName: STATE.name,
        contextId: STATE.contextId,
        messageId: 'm2',
        participant: { id: 'alice', kind: 'HUMAN', role: 'REPORTER' },
        name: 'ping',
        args: 'a "b c" password=[REDACTED]',
        argv: ['a', 'b c', 'password=[REDACTED]'],
        state: 'WORKING',
        paused: false,
        lifecycle: 'CONVERSATION',
        settings: {},
        defaults: { model: 'd', effort: 'LOW' },
        models: ['d', 'm2'],
        subTasks: [],
        queuedMessages: 0,
        turn: 0,
        correlationId: 'task-1',
      },
    ]);
  });

  test.each([
    ['modle', 'no command has this name; did you mean /model?'],
    ['completely-else', 'no command has this name; /help lists the commands'],
  ])('is none for the unknown name %s', async (name, message) => {
    expect(await run({ ...CALL, name })).toEqual({ kind: 'error', code: 'command.unknown', message });
  });

  test('does not run with more than 8,192 characters of arguments', async () => {
    const command = () => PONG;
    expect(await run({ ...CALL, args: 'x'.repeat(8_192) }, { command })).toEqual(PONG);
    expect(await run({ ...CALL, args: 'x'.repeat(8_193) }, { command })).toMatchObject({
      code: 'command.invalid_arguments',
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('that %s is command.failed with its text', async (_, command) => {
    expect(await run(CALL, { command })).toEqual({ kind: 'error', code: 'command.failed', message: 'boom' });
  });

  test.each([
    [undefined],
    [null],
    ['pong'],
    [{}],
    [{ kind: 'intents' }],
    [{ kind: 'error', code: 1 }],
    [PONG.intents],
  ])('that returns %j is command.failed, a remote one command.transport', async (value) => {
    const command = () => value as never;
    expect(await run(CALL, { command })).toMatchObject({ kind: 'error', code: 'command.failed' });
    expect(await run(CALL, { command, kind: 'remote' })).toMatchObject({ code: 'command.transport' });
  });

  test('answers as plain JSON, with or without a kind, an effort in any case', async () => {
    const settings = { kind: 'settings', effort: 'xhigh', model: undefined };
    expect(await run(CALL, { command: () => ({ intents: [settings] }) })).toStrictEqual({
      kind: 'intents',
      intents: [{ kind: 'settings', effort: 'XHIGH' }],
    });
    const error = { code: 'shop.closed', message: 'the shop is closed' };
    expect(await run(CALL, { command: () => ({ error }) })).toStrictEqual({ kind: 'error', ...error });
  });

  test.each([
    [undefined, 30_000],
    [500, 500],
  ])('with the timeout %j has %d ms', async (timeoutMs, expected) => {
    for (const [kind, code] of [
      ['plugin', 'command.failed'],
      ['remote', 'command.transport'],
    ] as const) {
      const clock = new FakeClock();
      const outcome = run(CALL, { command: never, kind, timeoutMs, clock });
      await expect.poll(() => clock.delaysMs).toEqual([expected]);
      clock.advance(expected);
      expect(await outcome).toMatchObject({ code, message: `Timed out after ${expected} ms` });
    }
  });

  test('that cannot be reached is command.transport', async () => {
    const command = () => Promise.reject(new RemoteCallError('the endpoint is closed'));
    expect(await run(CALL, { command })).toMatchObject({
      code: 'command.transport',
      message: 'the endpoint is closed',
    });
  });

  test('is left alone with the reason of the signal when that aborts', async () => {
    const controller = new AbortController();
    const outcome = run(CALL, { command: never, signal: controller.signal });
    controller.abort(new Error('abandoned'));
    await expect(outcome).rejects.toThrow('abandoned');
  });

  test.each([
    ['WATCHER', 'ASSIGNEE', 'refused'],
    ['REPORTER', 'ASSIGNEE', 'runs'],
    ['ASSIGNEE', 'REPORTER', 'runs'],
    ['REPORTER', 'ADMIN', 'refused'],
    ['ADMIN', 'ADMIN', 'runs'],
  ] as const)('of a %s where %s is the least role: %s', async (role, minRole, expected) => {
    const state = {
      ...STATE,
      participants: STATE.participants.map((each) => (each.id === 'alice' ? { ...each, role } : each)),
    };
    expect(await run(CALL, { command: () => PONG, minRole, state })).toMatchObject(
      expected === 'runs' ? PONG : { kind: 'error', code: 'command.refused' },
    );
  });
});

describe('the models that are allowed', () => {
  test.each(['builtin', 'plugin', 'remote'] as const)('bind a command of kind %s', async (kind) => {
    const intents = [
      { kind: 'settings', model: 'else-model' },
      { kind: 'reply', text: 'pong' },
    ];
    expect(await run(CALL, { command: () => ({ intents }), kind })).toEqual({
      kind: 'error',
      code: 'command.invalid_intent',
      message: 'the model "else-model" is not allowed, one of d, m2 is expected',
    });
  });

  test.each(['d', 'm2', null, undefined])('let a command set %s', async (model) => {
    const intents = [{ kind: 'settings', effort: 'LOW', ...(model !== undefined && { model }) }, null];
    expect(await run(CALL, { command: () => ({ intents }) })).toEqual({ kind: 'intents', intents });
  });
});

describe('hooks', () => {
  test('before the command may refuse it: nothing runs', async () => {
    let runs = 0;
    const outcome = await run(
      { ...CALL, args: 'no' },
      {
        command: () => {
          runs += 1;
          return PONG;
        },
        hooks: [
          hook('command.invoked.pre', (context) => {
            if ((context as { args: string }).args !== 'no') return undefined;
            return { abort: { reason: 'policy', message: 'not today' } };
          }),
        ],
      },
    );
    expect(outcome).toEqual({ kind: 'error', code: 'hook.abort', message: 'refused: not today' });
    expect(runs).toBe(0);
  });

  test('before the command may rewrite name and arguments', async () => {
    const seen: string[] = [];
    await run(
      { ...CALL, name: 'pnig' },
      {
        command: ({ args }) => {
          seen.push(args);
          return PONG;
        },
        hooks: [
          hook('command.invoked.pre', (context) => ({ context: { ...context, name: 'ping', args: 'x' } })),
        ],
      },
    );
    expect(seen).toEqual(['x']);
  });

  test('behind the command may replace what it asks for', async () => {
    const intents = [{ kind: 'reply', text: 'ponged' }];
    const hooks = [
      hook('command.invoked.post', (context) => ({ context: { ...context, result: { intents } } })),
    ];
    expect(await run(CALL, { command: () => PONG, hooks })).toEqual({ kind: 'intents', intents });
  });

  test('behind the command set no model that is not allowed either', async () => {
    const result = {
      intents: [
        { kind: 'reply', text: 'ok' },
        { kind: 'settings', model: 'm3' },
      ],
    };
    const hooks = [hook('command.invoked.post', (context) => ({ context: { ...context, result } }))];
    expect(await run(CALL, { command: () => PONG, hooks })).toEqual({
      kind: 'error',
      code: 'command.invalid_intent',
      message: 'the model "m3" is not allowed, one of m2 is expected',
    });
  });

  test('that receive the request may refuse it: no executor runs and nothing is answered', async () => {
    const seen: unknown[] = [];
    const hooks = [
      hook('request.received.pre', () => ({ abort: { reason: 'refused', message: 'closed' } })),
      hook('request.received.post', (context) => {
        seen.push(context);
        return undefined;
      }),
    ];
    expect(await run(CALL, { command: () => PONG, hooks })).toEqual({
      kind: 'refused',
      code: 'hook.abort',
      reason: 'closed',
    });
    expect(seen).toMatchObject([{ message: { text: '/ping a "b c"' }, accepted: false, reason: 'closed' }]);
  });

  test('that fail fail the command', async () => {
    const hooks = [hook('command.invoked.pre', () => Promise.reject(new Error('no database')))];
    expect(await run(CALL, { command: () => PONG, hooks })).toMatchObject({
      code: 'hook.failed',
      message: expect.stringContaining('no database'),
    });
  });
});

interface Parts {
  readonly command?: CommandExecutor['execute'];
  readonly kind?: CommandExecutor['kind'];
  readonly minRole?: CommandDefinition['minRole'];
  readonly timeoutMs?: number;
  readonly hooks?: readonly HookDefinition[];
  readonly clock?: FakeClock;
  readonly state?: TaskState;
  readonly signal?: AbortSignal;
}

function run(
  call: typeof CALL,
  {
    command,
    kind = 'plugin',
    minRole,
    timeoutMs,
    hooks = [],
    clock = new FakeClock(),
    state = STATE,
    signal = new AbortController().signal,
  }: Parts = {},
) {
  const registry = createCommandRegistry();
  if (command) {
    registry.register({
      name: 'ping',
      description: 'Answers.',
      usage: '/ping',
      executor: { kind, execute: command },
      ...(minRole && { minRole }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }
  const redact = createRedactor();
  const runner = createCommandRunner({
    registry,
    hooks: createHookRunner(hooks, { clock, redact }),
    model: { defaultModel: 'd', defaultEffort: 'LOW', allowedModels: ['d', 'm2'] },
    clock,
    redact,
  });
  return runner.run(call, { state, signal });
}

function hook(point: string, execute: HookDefinition['execute']): HookDefinition {
  return { name: 'watcher', priority: 500, points: [point as never], execute };
}
