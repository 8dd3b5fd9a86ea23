/** Whatever may happen to a task, in any order: its creation, what people and sub-tasks say, and what the world answers. */
import fc from 'fast-check';
import {
  A2A_STATES,
  type CommandOutcome,
  type JsonObject,
  type TaskState,
  type ToolCall,
} from '../../../subgraph/task/index.ts';
import { CREATION, type Outstanding, type TaskMachine, type Untimed } from './TaskMachine.ts';

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
        tool: fc.constant('ask_participant'),
        arguments: fc.record({ participant_id: participant, question: fc.constantFrom('', 'Which?') }),
      }),
      fc.record({
        tool: fc.constant('spawn_subtask'),
        arguments: fc.record({ name: fc.constant('a'), goal: text, step: fc.constantFrom(null, 'a') }),
      }),
      fc.record({
        tool: fc.constant('create_task_for_participant'),
        arguments: fc.record({ participant_id: participant, name: fc.constant('a'), goal: fc.constant('b') }),
      }),
      fc.record({
        tool: fc.constant('set_participant_role'),
        arguments: fc.record({ participant_id: participant, role: fc.constantFrom('admin', 'assignee') }),
      }),
      fc.record({
        tool: fc.constant('complete_step'),
        arguments: fc.record({ step: fc.constantFrom('a', 'b'), output: text }),
      }),
    ),
  })
  .map(({ callId, call }) => parsed<ToolCall>({ callId, ...call }));

const usage = fc.record(
  {
    inputTokens: fc.nat({ max: 50 }),
    cachedTokens: fc.constant(0),
    outputTokens: fc.nat({ max: 9 }),
    costMicros: fc.nat({ max: 9 }),
  },
  { requiredKeys: ['inputTokens', 'cachedTokens', 'outputTokens'] },
);

const modelReply = fc.record(
  {
    text,
    toolCalls: fc.array(toolCall, { maxLength: 3 }),
    usage,
    model: fc.constantFrom('m', '__proto__'),
    finish: fc.constantFrom('stop' as const, 'toolCalls' as const, 'length' as const, 'refusal' as const),
    characters: fc.nat({ max: 99 }),
    decideCompletion: fc.constant(true as const),
  },
  { requiredKeys: ['text', 'toolCalls', 'usage', 'model', 'finish'] },
);

const commandOutcome = fc
  .oneof(
    fc.record({ kind: fc.constant('error'), code: text, message: text }),
    fc.record({
      kind: fc.constant('intents'),
      intents: fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant('settings'), model: fc.constantFrom('m2', 'm 3', null) }),
          fc.record({ kind: fc.constant('reply'), text }),
          fc.record({ kind: fc.constant('spawn'), message: fc.constantFrom('Look', '') }),
          fc.record({ kind: fc.constant('spawn') }),
          fc.jsonValue(),
        ),
        { maxLength: 3 },
      ),
    }),
  )
  .map((outcome) => parsed<CommandOutcome>(outcome));

const workflowCommand = fc.oneof(
  fc.record({
    kind: fc.constant('skillLoaded' as const),
    name: fc.constantFrom('a', 'b'),
    body: text,
    tools: fc.constant([]),
  }),
  fc.record({ kind: fc.constant('skillUnloaded' as const), name: fc.constantFrom('a', 'b') }),
);

/** What the world answers to one effect. */
const answer = fc.record({
  fails: fc.boolean(),
  isDue: fc.boolean(),
  modelReply,
  toolResult: fc.record(
    { text, isError: fc.boolean(), command: workflowCommand },
    { requiredKeys: ['text', 'isError'] },
  ),
  commandOutcome,
  removedThroughId: fc.nat({ max: 9 }),
  decision: fc.constantFrom('wait' as const, 'complete' as const, 'fail' as const),
  code: fc.constantFrom('x.failed', 'instance.budget_reached'),
});
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

/** Something that happens without having been asked for; among it outcomes of effects that may not be out. */
const request: fc.Arbitrary<Untimed> = fc.oneof(
  fc.record({ kind: fc.constant('messageReceived' as const), messageId, participant, text }),
  fc.record(
    {
      kind: fc.constant('messageReceived' as const),
      messageId,
      participant,
      text,
      needsIntake: fc.constant(true as const),
      interrupt: fc.constant(true as const),
      envelope: fc.record({
        kind: fc.constantFrom('task' as const, 'statusUpdate' as const),
        payload: fc.constantFrom<JsonObject>(
          { name: 'x' },
          { goal: 'x' },
          { participants: [{ id: 'alice', kind: 'human', role: 'admin' }] },
        ),
      }),
    },
    { requiredKeys: ['kind', 'messageId', 'participant', 'text'] },
  ),
  fc.record({
    kind: fc.constant('childChanged' as const),
    childId: fc.integer({ min: 1, max: 5 }).map((n) => `t1.${n}`),
    version: fc.nat({ max: 20 }),
    state: fc.constantFrom(...A2A_STATES),
    summary: text,
  }),
  fc.record({
    kind: fc.constant('envelopeReceived' as const),
    participant,
    envelope: fc.record({
      kind: fc.constant('task' as const),
      payload: fc.constantFrom<JsonObject>(
        { description: 'x' },
        { goal: 'x' },
        { participants: [{ id: 'bob', kind: 'human', role: 'reporter' }] },
      ),
    }),
  }),
  fc.record(
    {
      kind: fc.constant('budgetChanged' as const),
      participant,
      turns: fc.option(fc.nat({ max: 6 })),
      tokens: fc.option(fc.nat({ max: 200 })),
    },
    { requiredKeys: ['kind', 'participant'] },
  ),
  fc.record({
    kind: fc.constant('planEdited' as const),
    participant,
    edit: fc.oneof(
      fc.constant({ op: 'complete' as const }),
      fc.constant({ op: 'advance' as const }),
      fc.record({ op: fc.constant('complete' as const), step: fc.constantFrom('a', 'd') }),
      fc.record({ op: fc.constant('force' as const), step: fc.constantFrom('b', 'd'), reason: text }),
      fc.record({
        op: fc.constant('skip' as const),
        steps: fc.array(fc.constantFrom('a', 'b', 'd'), { maxLength: 2 }),
        reason: text,
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('repositoriesDeclared' as const),
    participant,
    repositories: fc.array(fc.constantFrom('o/r', '/srv/r'), { maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('settingsChanged' as const),
    participant,
    model: fc.constantFrom('m3', null),
  }),
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

/** Effects whose outcome nothing waits for. */
export const MESSENGERS: readonly Outstanding['kind'][] = ['tellParent', 'cancelChild'];

export type Move = { readonly request: Untimed } | { readonly pick: number; readonly answer: Answer };

export const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ pick: fc.nat({ max: 3 }), answer }) },
    { weight: 5, arbitrary: fc.record({ request }) },
    { weight: 1, arbitrary: fc.record({ request: end }) },
  ),
  { maxLength: 40, size: 'max' },
);

export const creation = fc.record(
  {
    lifecycle: fc.constantFrom(
      'CONVERSATION' as const,
      'CONVERSATION' as const,
      'DELEGATED' as const,
      'PARTICIPANT' as const,
    ),
    rules: fc.constantFrom(2, 3, 3, 3),
    parent: fc.constant({ ref: 'o/r#0', id: 't0' }),
    budget: fc.record({ turns: fc.nat({ max: 5 }) }),
    settings: fc.constantFrom({}, { model: 'm1', effort: 'HIGH' as const }),
    maxTurns: fc.integer({ min: 1, max: 4 }),
    message: fc.record({ messageId, participant, text }),
    command: fc.record({ messageId, participant, name: fc.constant('help'), args: text }),
  },
  { requiredKeys: ['lifecycle', 'maxTurns', 'rules', 'settings'] },
);

/** The value as it comes off the wire: without -0 and objects that have no prototype. */
export function parsed<Value>(value: unknown): Value {
  return JSON.parse(JSON.stringify(value));
}

/** The task after each move, from its creation on. */
export function* play(task: TaskMachine, list: readonly Move[]): Generator<TaskState> {
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
  const failure = { effectKey: key, code: given.code, message: 'boom', attempts: 2 };
  switch (kind) {
    case 'callModel':
      if (given.isDue) return { kind: 'compactionDue', effectKey: key };
      return given.fails
        ? { kind: 'modelFailed', ...failure }
        : { kind: 'modelReplied', effectKey: key, ...given.modelReply };
    case 'callTool':
      return given.fails
        ? { kind: 'toolFailed', ...failure }
        : { kind: 'toolReturned', effectKey: key, ...given.toolResult };
    case 'runCommand':
      return { kind: 'commandReturned', effectKey: key, outcome: given.commandOutcome };
    case 'compact': {
      const { removedThroughId } = given;
      const sizes = { summary: 'before', tokensBefore: 9, tokensAfter: 3 };
      return given.fails
        ? { kind: 'compactFailed', ...failure }
        : { kind: 'compacted', effectKey: key, removedThroughId, ...sizes };
    }
    case 'decideCompletion':
      return { kind: 'completionDecided', effectKey: key, decision: given.decision };
    case 'intake':
      return given.fails
        ? { kind: 'intakeDone', effectKey: key, accepted: false, code: 'hook.abort', reason: 'no' }
        : { kind: 'intakeDone', effectKey: key, accepted: true };
    case 'startChild':
      return given.fails
        ? { kind: 'childFailed', ...failure }
        : { kind: 'childStarted', effectKey: key, ref: `o/r#${key}` };
    case 'tellParent':
    case 'cancelChild':
      return { kind: 'effectDone', effectKey: key };
  }
}
