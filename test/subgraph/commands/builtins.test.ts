import { describe, expect, test } from 'vitest';
import { buildInvocation, type ModelFacts } from '../../../subgraph/commands/buildInvocation.ts';
import type { CommandResult } from '../../../subgraph/commands/CommandDefinition.ts';
import { createCommandRegistry } from '../../../subgraph/commands/CommandRegistry.ts';
import { initialState, type TaskState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

const COMMANDS = createCommandRegistry().definitions;
const PARKED = initialState(aTask({ name: 'Order', message: undefined })).state;

test('the built-in commands, each under a name of its own', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(['effort', 'help', 'model', 'status', 'sub-task']);
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
      const outcome = await run(text, { state: { ...PARKED, settings }, defaultEffort: effort });
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

  test('names the open question and the open sub-tasks', async () => {
    const child = { lifecycle: 'CONVERSATION', name: 'x', version: 1 } as const;
    const state: TaskState = {
      ...PARKED,
      question: {
        participant: 'alice',
        text: 'Which one?',
        options: [],
        messageId: 'q',
        askedAtMs: 0,
        turn: 1,
      },
      children: [
        { ...child, id: 'task-1.1', state: 'COMPLETED' },
        { ...child, id: 'task-1.2', state: 'WORKING' },
      ],
    };
    expect(await run('/status', { state })).toMatchObject({
      intents: [
        {
          text: expect.stringMatching(
            /\nQuestion: Which one\?\n(.*\n)*Open sub-tasks: task-1\.2 \(WORKING\)\n/,
          ),
          data: { question: 'Which one?', subTasks: [{ taskId: 'task-1.2', state: 'WORKING' }] },
        },
      ],
    });
  });

  test('refuses an argument', async () => {
    expect(await run('/status now')).toMatchObject({ kind: 'error', code: 'command.invalid_arguments' });
  });
});

describe('/sub-task', () => {
  test('without a text starts a conversation that waits', async () => {
    expect(await run('/sub-task')).toEqual({
      intents: [{ kind: 'spawn' }, { kind: 'reply', text: 'Sub-task {child.1} is created' }],
    });
  });

  test('gives the text as message and goal, and its first line, cut at 60 characters, as name', async () => {
    const text = `${'Check the ledger '.repeat(5)}\nand tell`;
    expect(await run(`/sub-task ${text}`)).toMatchObject({
      intents: [
        { kind: 'spawn', message: text, goal: text, name: text.slice(0, 60) },
        { kind: 'reply', text: expect.stringContaining('{child.1}') },
      ],
    });
  });

  test.each([['PARTICIPANT'], ['REMOTE']] as const)('is refused on a %s task', async (lifecycle) => {
    expect(await run('/sub-task', { state: { ...PARKED, lifecycle } })).toMatchObject({
      kind: 'error',
      code: 'command.refused',
    });
  });
});

describe('/help', () => {
  test('lists every command with its usage', async () => {
    const outcome = await run('/help');
    const text = 'intents' in outcome && (outcome.intents[0] as { readonly text: string } | undefined)?.text;
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

interface Facts extends Partial<ModelFacts> {
  readonly state?: TaskState;
}

async function run(
  text: string,
  { state = PARKED, defaultModel = 'd', defaultEffort, allowedModels = [] }: Facts = {},
): Promise<CommandResult> {
  const [, name = '', args = ''] = /^\/(\S+)\s*(.*)$/s.exec(text) ?? [];
  const { executor } = COMMANDS.find((command) => command.name === name)!;
  const invocation = buildInvocation({ messageId: 'm2', participant: 'alice', name, args }, state, {
    defaultModel,
    ...(defaultEffort && { defaultEffort }),
    allowedModels,
  });
  return executor.execute(invocation, { signal: new AbortController().signal });
}
