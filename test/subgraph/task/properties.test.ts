/** What holds whatever happens to a task, in any order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CommandOutcome,
  isTerminal,
  replay,
  step,
  type TaskState,
  type ToolCall,
} from '../../../subgraph/task/index.ts';
import { CREATION, NO_USAGE, type Outstanding, TaskMachine, type Untimed } from './TaskMachine.ts';

const participant = fc.constantFrom('alice', 'bob', 'mallory');
const text = fc.string({ maxLength: 12 });
const messageId = fc.integer({ min: 1, max: 30 }).map((n) => `m${n}`);
const effectKey = fc.constantFrom('t1:1:0', 't1:2:0', 'nobody');
const steps = fc.array(
  fc.record(
    {
      name: fc.constantFrom('', 'a', 'b', 'c'),
      description: text,
      depends_on: fc.array(fc.constantFrom('a', 'b', 'd'), { maxLength: 2 }),
    },
    { requiredKeys: ['name', 'description'] },
  ),
  { maxLength: 3 },
);

const toolCall = fc
  .record({
    callId: fc.constantFrom('a', 'b', 'c'),
    call: fc.oneof(
      fc.record({ tool: fc.constant('get_order'), arguments: fc.dictionary(text, fc.jsonValue()) }),
      fc.record({ tool: fc.constant('create_plan'), arguments: fc.record({ steps }) }),
      fc.record({
        tool: fc.constant('complete_step'),
        arguments: fc.record({ step: fc.constantFrom('a', 'b'), output: text }),
      }),
    ),
  })
  .map(({ callId, call }) => parsed<ToolCall>({ callId, ...call }));

const modelReply = fc.record({
  text,
  toolCalls: fc.array(toolCall, { maxLength: 3 }),
  usage: fc.constant(NO_USAGE),
  model: fc.constant('m'),
  finish: fc.constantFrom('stop' as const, 'toolCalls' as const, 'length' as const, 'refusal' as const),
});

const commandOutcome = fc
  .oneof(
    fc.record({ kind: fc.constant('error'), code: text, message: text }),
    fc.record({
      kind: fc.constant('intents'),
      intents: fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant('settings'), model: fc.constantFrom('m2', 'm 3', null) }),
          fc.record({ kind: fc.constant('reply'), text }),
          fc.jsonValue(),
        ),
        { maxLength: 3 },
      ),
    }),
  )
  .map((outcome) => parsed<CommandOutcome>(outcome));

/** What the world answers to one effect. */
const answer = fc.record({
  fails: fc.boolean(),
  modelReply,
  toolResult: fc.record({ text, isError: fc.boolean() }),
  commandOutcome,
});
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

/** Something that happens without having been asked for; among it outcomes of effects that may not be out. */
const request: fc.Arbitrary<Untimed> = fc.oneof(
  fc.record({ kind: fc.constant('messageReceived' as const), messageId, participant, text }),
  fc.record({
    kind: fc.constant('commandReceived' as const),
    messageId,
    participant,
    name: fc.constantFrom('model', 'help'),
    args: text,
  }),
  fc.record({
    kind: fc.constantFrom('pauseRequested' as const, 'resumeRequested' as const),
    participant,
  }),
  fc
    .record({ kind: fc.constant('modelReplied' as const), effectKey })
    .chain((stale) => modelReply.map((reply) => ({ ...stale, ...reply }))),
  fc.record({ kind: fc.constant('toolReturned' as const), effectKey, text, isError: fc.boolean() }),
  fc.record({ kind: fc.constant('commandReturned' as const), effectKey, outcome: commandOutcome }),
  fc.constant<Untimed>(CREATION),
);
const end: fc.Arbitrary<Untimed> = fc.record({
  kind: fc.constantFrom('completeRequested' as const, 'cancelRequested' as const),
  participant,
});

type Move = { readonly request: Untimed } | { readonly pick: number; readonly answer: Answer };

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ pick: fc.nat({ max: 3 }), answer }) },
    { weight: 5, arbitrary: fc.record({ request }) },
    { weight: 1, arbitrary: fc.record({ request: end }) },
  ),
  { maxLength: 40 },
);

const creation = fc.record(
  {
    lifecycle: fc.constantFrom('CONVERSATION' as const, 'CONVERSATION' as const, 'DELEGATED' as const),
    maxTurns: fc.integer({ min: 1, max: 4 }),
    message: fc.record({ messageId, participant, text }),
    command: fc.record({ messageId, participant, name: fc.constant('help'), args: text }),
  },
  { requiredKeys: ['lifecycle', 'maxTurns'] },
);

/** The value as it comes off the wire: without -0 and objects that have no prototype. */
function parsed<Value>(value: unknown): Value {
  return JSON.parse(JSON.stringify(value));
}

/** The task after each move, from its creation on. */
function* play(task: TaskMachine, list: readonly Move[]): Generator<TaskState> {
  yield task.state;
  for (const move of list) {
    if ('request' in move) {
      task.apply(move.request);
      yield task.state;
      continue;
    }
    const effect = task.outstanding[move.pick % Math.max(1, task.outstanding.length)];
    if (!effect) continue;
    task.apply(outcomeOf(effect, move.answer));
    yield task.state;
  }
}

function outcomeOf({ kind, key }: Outstanding, given: Answer): Untimed {
  const failure = { effectKey: key, code: 'x.failed', message: 'boom', attempts: 2 };
  switch (kind) {
    case 'callModel':
      return given.fails
        ? { kind: 'modelFailed', ...failure }
        : { kind: 'modelReplied', effectKey: key, ...given.modelReply };
    case 'callTool':
      return given.fails
        ? { kind: 'toolFailed', ...failure }
        : { kind: 'toolReturned', effectKey: key, ...given.toolResult };
    case 'runCommand':
      return { kind: 'commandReturned', effectKey: key, outcome: given.commandOutcome };
  }
}

function holds(name: string, check: (task: TaskMachine, list: readonly Move[]) => void): void {
  test(name, () => {
    fc.assert(
      fc.property(creation, moves, (given, list) => check(new TaskMachine(given), list)),
      { numRuns: 300 },
    );
  });
}

holds('the version counts the inputs', (task, list) => {
  for (const state of play(task, list)) expect(state.version).toBe(task.inputs.length);
});

holds('history ids count from 1 without a gap and entries never change', (task, list) => {
  let before = task.history;
  for (const { history, lastEntryId } of play(task, list)) {
    expect(history.map(({ id }) => id)).toEqual(history.map((_, index) => index + 1));
    expect(lastEntryId).toBe(history.length);
    expect(history.slice(0, before.length)).toEqual(before);
    before = history;
  }
});

holds('at most one model or tool effect and one command are out, and the state knows them', (task, list) => {
  for (const { run, commands } of play(task, list)) {
    const turn = task.outstanding.filter(({ kind }) => kind !== 'runCommand');
    const command = task.outstanding.filter(({ kind }) => kind === 'runCommand');
    expect(turn.map(({ key }) => key)).toEqual(run.phase === 'idle' ? [] : [run.effectKey]);
    expect(command.map(({ key }) => key)).toEqual(commands.slice(0, 1).map((queued) => queued.effectKey));
  }
});

holds('nothing that may run waits', (task, list) => {
  for (const state of play(task, list)) {
    if (state.paused || isTerminal(state) || state.run.phase !== 'idle') continue;
    expect(state.status).toMatchObject({ state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' });
    expect(state.mailbox).toEqual([]);
  }
});

holds('an effect key is given once and names task, version and index', (task, list) => {
  for (const { version } of play(task, list)) {
    task.effects.forEach((effect, index) => {
      if (effect.kind !== 'abandon') expect(effect.key).toBe(`t1:${version}:${index}`);
    });
  }
  expect(new Set(task.keys).size).toBe(task.keys.length);
});

holds('a terminal task stays as it is and asks for nothing', (task, list) => {
  let ended: TaskState | undefined;
  for (const state of play(task, list)) {
    if (ended) {
      expect(state).toEqual({ ...ended, version: state.version });
      expect(task.effects).toEqual([]);
      expect(task.events.every(({ type }) => type === 'task.inputRefused')).toBe(true);
    } else if (isTerminal(state)) {
      ended = state;
      expect(state).toMatchObject({ run: { phase: 'idle' }, mailbox: [], commands: [] });
      expect(task.outstanding).toEqual([]);
    }
  }
});

holds('every change of status is told, and nothing else as one', (task, list) => {
  let told: object = { state: 'SUBMITTED' };
  for (const { status } of play(task, list)) {
    for (const event of task.events) {
      if (event.type === 'task.status') told = event;
    }
    const { atMs: _, ...shown } = status;
    expect({ type: 'task.status', ...shown }).toEqual({ type: 'task.status', ...told });
  }
});

holds('states, effects and events survive JSON', (task, list) => {
  for (const _ of play(task, list)) expect(parsed(task.last)).toStrictEqual(task.last);
});

holds('replay gives the state that the steps gave', (task, list) => {
  for (const _ of play(task, list));
  expect(replay(parsed(task.inputs))).toEqual(task.state);
});

holds('an input that is delivered again asks for nothing that was completed', (task, list) => {
  for (const state of play(task, list)) {
    const input = task.inputs.at(-1);
    if (!input || !('effectKey' in input)) continue;
    expect(step(state, input)).toEqual({
      state: { ...state, version: state.version + 1 },
      effects: [],
      events: [],
    });
  }
});

holds('every tool result follows its call', (task, list) => {
  for (const _ of play(task, list));
  task.history.forEach((entry, index) => {
    if (entry.kind !== 'toolResult') return;
    expect(task.history[index - 1]).toMatchObject({ kind: 'toolCall', callId: entry.callId });
  });
});
