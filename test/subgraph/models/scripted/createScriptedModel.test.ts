import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../../subgraph/models/ModelProvider.ts';
import { createScriptedModel } from '../../../../subgraph/models/scripted/createScriptedModel.ts';
import {
  type HistoryEntry,
  INTRINSIC_TOOLS,
  initialState,
  step,
  type TaskInput,
  type TaskState,
} from '../../../../subgraph/task/index.ts';
import { modelProviderSuite } from '../../../suites/modelProviderSuite.ts';
import { aTask } from '../../../support/aTask.ts';
import { FakeClock } from '../../../support/FakeClock.ts';

const signal = new AbortController().signal;

modelProviderSuite('createScriptedModel()', async ({ replies, hangs = false }) => {
  const provider = createScriptedModel({ replies, delayMs: hangs ? 1_000 : 0, clock: new FakeClock() });
  return { provider, async [Symbol.asyncDispose]() {} };
});

describe('createScriptedModel() with replies', () => {
  const replies = [
    { toolCalls: [{ tool: 'a', arguments: {} }] },
    { toolCalls: [{ tool: 'b', arguments: {} }] },
    { text: 'three' },
    { text: 'four', toolCalls: [{ tool: 'c', arguments: {} }] },
    { text: 'last' },
  ];

  test('answers turn n with entry n and repeats the last one, from the history alone', async () => {
    let history: HistoryEntry[] = [];
    const said: string[] = [];
    for (let turn = 1; turn <= 7; turn++) {
      // A model of its own for each turn: nothing is remembered between them.
      const model = createScriptedModel({ replies, clock: new FakeClock() });
      const { text, toolCalls } = await model.respond(request(history), { signal });
      said.push([text, ...toolCalls.map((call) => call.tool)].filter(Boolean).join('+'));
      history = [...history, ...(text ? [assistant(text)] : []), ...toolCalls.flatMap(callWithResult)];
    }
    expect(said).toEqual(['a', 'b', 'three', 'four+c', 'last', 'last', 'last']);
  });

  test('answers the same request with the same response', async () => {
    const model = createScriptedModel({ replies, clock: new FakeClock() });
    const first = await model.respond(request([]), { signal });
    expect(await model.respond(request([]), { signal })).toEqual(first);
    expect(first.usage.inputTokens).toBeGreaterThan(0);
  });

  test('waits on the clock that it was given', async () => {
    const clock = new FakeClock();
    const response = createScriptedModel({ delayMs: 250, clock }).respond(request([]), { signal });
    expect(clock.delaysMs).toEqual([250]);
    clock.advance(250);
    await expect(response).resolves.toMatchObject({ finish: 'stop' });
  });
});

describe('createScriptedModel() without replies', () => {
  test('answers a short message with its facts', async () => {
    const { texts, state } = await converse('hello there');
    expect(texts).toEqual(['alice wrote 2 words on 1 line.']);
    expect(state.plan).toBeUndefined();
  });

  test('plans a message of several lines, completes each step and reports', async () => {
    const { texts, state } = await converse('- buy apples\n- bake a cake\n\n- bake a cake');
    expect(state.plan?.steps.map(({ name, state }) => [name, state])).toEqual([
      ['buy apples', 'DONE'],
      ['bake a cake', 'DONE'],
    ]);
    expect(state.turns).toBe(4);
    expect(texts.at(-1)).toContain('Done: 2 steps.');
  });

  test('makes a small plan when it is asked for one', async () => {
    const { state } = await converse('Please plan my week');
    expect(state.plan?.steps.map(({ state }) => state)).toEqual(['DONE', 'DONE']);
  });

  test('says so when a step gives an error', async () => {
    const created = {
      kind: 'toolResult',
      callId: 'turn_1_call_1',
      tool: 'create_plan',
      text: 'plan.cycle: …',
      isError: true,
    } as const;
    const history: HistoryEntry[] = [
      user('one\ntwo'),
      { id: 2, atMs: 0, kind: 'toolCall', callId: created.callId, tool: created.tool, arguments: {} },
      { id: 3, atMs: 0, ...created },
    ];
    const model = createScriptedModel({ clock: new FakeClock() });
    const { text } = await model.respond(request(history), { signal });
    expect(text).toContain('create_plan gave an error');
  });
});

test('an answer of a shape has no text, scripted or not', async () => {
  for (const replies of [[], [{ text: 'Hi.' }]]) {
    const model = createScriptedModel({ replies, clock: new FakeClock() });
    const responseFormat = { name: 'any', schema: { type: 'object' } };
    const response = await model.respond({ ...request([user('go')]), responseFormat }, { signal });
    expect(response).toMatchObject({ text: '', toolCalls: [], finish: 'stop' });
  }
});

/** One run of a task with this first message, through the real core. */
async function converse(text: string): Promise<{ texts: string[]; state: TaskState }> {
  const model = createScriptedModel({ clock: new FakeClock() });
  let { state, effects } = initialState(aTask({ message: { messageId: 'm1', participant: 'alice', text } }));
  const texts: string[] = [];
  for (let turns = 0; effects.length > 0 && turns < 20; turns++) {
    const [effect] = effects;
    if (effect?.kind !== 'callModel') throw new Error(`unexpected effect ${effect?.kind}`);
    const response = await model.respond(request(state.history), { signal });
    if (response.text) texts.push(response.text);
    const input: TaskInput = { kind: 'modelReplied', atMs: turns, effectKey: effect.key, ...response };
    ({ state, effects } = step(state, input));
  }
  expect(state.status.state).toBe('INPUT_REQUIRED');
  return { texts, state };
}

function request(input: readonly HistoryEntry[]): ModelRequest {
  return { instructions: 'Be brief.', input, tools: INTRINSIC_TOOLS, model: 'scripted', cacheKey: 't' };
}

function user(text: string): HistoryEntry {
  return { id: 1, atMs: 0, kind: 'message', role: 'USER', participant: 'alice', text: `[alice] ${text}` };
}

function assistant(text: string): HistoryEntry {
  return { id: 1, atMs: 0, kind: 'message', role: 'ASSISTANT', text };
}

function callWithResult(call: { callId: string; tool: string }): HistoryEntry[] {
  return [
    { id: 1, atMs: 0, kind: 'toolCall', callId: call.callId, tool: call.tool, arguments: {} },
    { id: 2, atMs: 0, kind: 'toolResult', callId: call.callId, tool: call.tool, text: 'ok', isError: false },
  ];
}
