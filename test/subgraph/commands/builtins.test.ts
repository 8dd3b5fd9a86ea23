import { describe, expect, test } from 'vitest';
import type { CommandInvocation } from '../../../subgraph/commands/CommandDefinition.ts';
import { COMMANDS } from '../../../subgraph/commands/index.ts';
import { splitArguments } from '../../../subgraph/commands/splitArguments.ts';
import { type CommandOutcome, initialState, type TaskState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

const PARKED = initialState(aTask({ name: 'Order', message: undefined })).state;

test('COMMANDS are the built-in ones, each under a name of its own', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(['effort', 'help', 'model', 'status']);
});

describe('/model', () => {
  test.each([
    ['/model', {}, 'Model is d (the default). Choices: any name'],
    ['/model', { model: 'm2' }, 'Model is m2. Choices: any name'],
  ])('%s with settings %j shows the model in force', async (text, settings, expected) => {
    expect(await run(text, { state: { ...PARKED, settings } })).toMatchObject({
      intents: [{ kind: 'reply', text: expected }],
    });
  });

  test('shows the choices of an allow-list', async () => {
    expect(await run('/model', { allowedModels: ['d', 'm2'] })).toMatchObject({
      intents: [
        {
          text: 'Model is d (the default). Choices: d, m2',
          data: { model: 'd', isDefault: true, choices: ['d', 'm2'] },
        },
      ],
    });
  });

  test.each([
    ['/model m2', {}, 'm2', 'Model is now m2, before it was d'],
    ['/model m3', { model: 'm2' }, 'm3', 'Model is now m3, before it was m2'],
    ['/model default', { model: 'm2' }, null, 'Model is now d (the default), before it was m2'],
  ])('%s with settings %j changes the model', async (text, settings, model, reply) => {
    expect(await run(text, { state: { ...PARKED, settings } })).toEqual({
      kind: 'intents',
      intents: [
        { kind: 'settings', model },
        { kind: 'reply', text: reply },
      ],
    });
  });

  test.each([
    ['/model a b', []],
    ['/model "a b"', []],
    ['/model ""', []],
    ['/model a\u0007b', []],
    [`/model ${'x'.repeat(129)}`, []],
    ['/model m3', ['d', 'm2']],
  ])('%j with the allow-list %j is refused', async (text, allowedModels) => {
    expect(await run(text, { allowedModels })).toMatchObject({
      kind: 'error',
      code: 'command.invalid_arguments',
    });
  });
});

describe('/effort', () => {
  test.each([
    ['/effort', {}, undefined, 'Effort is unset (the default). Levels: '],
    ['/effort', {}, 'LOW', 'Effort is low (the default). Levels: '],
    ['/effort', { effort: 'HIGH' }, 'LOW', 'Effort is high. Levels: '],
  ] as const)(
    '%s with settings %j and default %s shows the level',
    async (text, settings, effort, expected) => {
      const outcome = await run(text, { state: { ...PARKED, settings }, defaults: { model: 'd', effort } });
      expect(outcome).toMatchObject({
        intents: [
          {
            kind: 'reply',
            text: expect.stringContaining(`${expected}none, minimal, low, medium, high, xhigh`),
          },
        ],
      });
    },
  );

  test.each([
    ['/effort high', 'HIGH', 'Effort is now high, before it was unset (the default)'],
    ['/effort XHigh', 'XHIGH', 'Effort is now xhigh, before it was unset (the default)'],
    ['/effort none', 'NONE', 'Effort is now none, before it was unset (the default)'],
  ])('%s sets the level', async (text, effort, reply) => {
    expect(await run(text)).toEqual({
      kind: 'intents',
      intents: [
        { kind: 'settings', effort },
        { kind: 'reply', text: reply },
      ],
    });
  });

  test('default clears it', async () => {
    expect(await run('/effort default', { state: { ...PARKED, settings: { effort: 'LOW' } } })).toEqual({
      kind: 'intents',
      intents: [
        { kind: 'settings', effort: null },
        { kind: 'reply', text: 'Effort is now unset (the default), before it was low' },
      ],
    });
  });

  test.each([['/effort huge'], ['/effort low high'], ['/effort ""']])('%s names the levels', async (text) => {
    expect(await run(text)).toMatchObject({
      kind: 'error',
      code: 'command.invalid_arguments',
      message: expect.stringContaining('none, minimal, low, medium, high, xhigh'),
    });
  });
});

describe('/status', () => {
  test('shows where the task stands and changes nothing', async () => {
    const state: TaskState = {
      ...PARKED,
      settings: { model: 'm2' },
      turns: 3,
      mailbox: [{ messageId: 'm9', participant: 'alice', text: 'and now?' }],
      plan: {
        steps: [
          { id: 'a', name: 'A', description: '', dependsOn: [], state: 'DONE' },
          { id: 'b', name: 'B', description: '', dependsOn: [], state: 'PENDING' },
        ],
      },
    };
    const outcome = await run('/status', { state });
    expect(outcome).toMatchObject({
      intents: [
        {
          kind: 'reply',
          text: [
            'Task: o/r#1 "Order" (task-1)',
            'State: INPUT_REQUIRED, AWAITING_MESSAGE',
            'Lifecycle: CONVERSATION',
            'Model: m2',
            'Effort: unset (the default)',
            'Turns: 3',
            'Plan: 1 of 2 steps done',
            'Queued messages: 1',
          ].join('\n'),
          data: { state: 'INPUT_REQUIRED', model: 'm2', plan: { done: 1, total: 2 }, turns: 3 },
        },
      ],
    });
    expect(JSON.parse(JSON.stringify(outcome))).toStrictEqual(outcome);
  });

  test('refuses an argument', async () => {
    expect(await run('/status now')).toMatchObject({ kind: 'error', code: 'command.invalid_arguments' });
  });
});

describe('/help', () => {
  test('lists every command with its usage', async () => {
    const outcome = await run('/help');
    const text =
      outcome.kind === 'intents' && outcome.intents[0]?.kind === 'reply' && outcome.intents[0].text;
    for (const { usage, description } of COMMANDS) expect(text).toContain(`${usage}: ${description}`);
  });

  test.each([['/help model'], ['/help /model'], ['/help Model']])('%s explains one', async (text) => {
    expect(await run(text)).toMatchObject({
      intents: [{ text: expect.stringMatching(/^\/model \[name \| default\]: [^\n]+$/) }],
    });
  });

  test.each([
    ['/help modle', 'no command is called "modle", one of /model is expected'],
    ['/help a b', 'one command name is expected; usage: /help [command]'],
  ])('%s is refused', async (text, message) => {
    expect(await run(text)).toEqual({ kind: 'error', code: 'command.invalid_arguments', message });
  });
});

async function run(text: string, change: Partial<CommandInvocation> = {}): Promise<CommandOutcome> {
  const [, name = '', args = ''] = /^\/(\S+)\s*(.*)$/s.exec(text) ?? [];
  const definition = COMMANDS.find((command) => command.name === name)!;
  return definition.execute({
    command: { messageId: 'm2', participant: 'alice', name, args },
    argv: splitArguments(args),
    state: PARKED,
    defaults: { model: 'd' },
    allowedModels: [],
    commands: COMMANDS,
    ...change,
  });
}
