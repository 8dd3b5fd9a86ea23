/** The answers of a real agent, as they were recorded (`test/interop/a2aRecorded.test.ts`), through the adapter. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { A2AOperation } from '../../../../gateway/member/a2a/A2ABinding.ts';
import { A2ACalls } from '../../../../gateway/member/a2a/A2ACalls.ts';
import { createA2ABinding } from '../../../../gateway/member/a2a/createA2ABinding.ts';
import { judgeAgentCard } from '../../../../gateway/member/a2a/judgeAgentCard.ts';
import { readUpdate } from '../../../../gateway/member/a2a/openTaskStream.ts';
import { participantsOf } from '../../../../gateway/member/a2a/taskFields.ts';
import type { HttpRequest } from '../../../../gateway/member/HttpConnection.ts';
import { answered } from '../../../../gateway/member/memberFailure.ts';
import { SharedLists } from '../../../../gateway/member/SharedLists.ts';
import type { A2ARecording } from '../../../interop/recordA2AExchanges.ts';
import { FakeClock } from '../../../support/FakeClock.ts';

const RECORDING = JSON.parse(
  readFileSync(new URL('../../../fixtures/a2a-member/exchanges.json', import.meta.url), 'utf8'),
) as A2ARecording;

/** A little after the answers. */
const RECORDED_MS = Date.UTC(2026, 10, 30, 13);

const unmasked = (text: string): string => text;

test('the card is accepted at its address, over JSON-RPC, with streams', () => {
  const expectation = { url: 'http://agent.example:8080', hasToken: false };
  expect(judgeAgentCard(RECORDING.card, expectation)).toEqual({
    kind: 'accepted',
    card: {
      version: '0.1.0',
      agentInterface: { binding: 'JSONRPC', path: '/', tenant: undefined },
      isStreaming: true,
    },
  });
});

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('over %s', (name) => {
  const binding = createA2ABinding({ binding: name, path: '/', tenant: undefined });
  const exchanges = RECORDING.exchanges.filter((exchange) => exchange.binding === name);

  /** Calls that get the recorded answers to requests that are the recorded ones. */
  const calls = new A2ACalls({
    connection: {
      async send({ method, path, body, headers }: HttpRequest) {
        expect(headers).toEqual({ 'a2a-version': '1.0', 'x-participant-id': 'operator' });
        const found = exchanges.find(({ operation }) => {
          const request = binding.toRequest(operation);
          return request.method === method && request.path === path && request.body === body;
        });
        if (!found) throw new Error(`Nothing was recorded for ${method} ${path} ${body}`);
        return answered({ status: found.status, isJson: true, body: found.answer, byteLength: 0 });
      },
    },
    binding,
    participant: 'operator',
    lists: new SharedLists(new FakeClock()),
    redact: unmasked,
    clock: new FakeClock(RECORDED_MS),
    signal: new AbortController().signal,
  });

  function recorded<Name extends A2AOperation['name']>(wanted: Name) {
    const found = exchanges.find(({ operation }) => operation.name === wanted);
    if (!found) throw new Error(`${wanted} was not recorded`);
    return found.operation.params as Extract<A2AOperation, { name: Name }>['params'];
  }

  test('a task is read, with what its extensions say', async () => {
    const { id } = recorded('GetTask');
    const task = await calls.getTask(id);
    expect(task).toMatchObject({
      id,
      state: 'INPUT_REQUIRED',
      subState: 'AWAITING_MESSAGE',
      isEnded: false,
      statusText: 'answer to hello',
      name: 'say hello',
      goal: 'say hello',
      lifecycle: 'CONVERSATION',
    });
    expect(task?.statusAtMs).toBeGreaterThan(Date.UTC(2026, 10, 30, 12));
    expect(task && participantsOf(task)).toEqual([
      { id: 'operator', kind: 'HUMAN', role: 'REPORTER', displayName: '' },
      { id: 'tiny-harness', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    ]);
  });

  test('a page of tasks is read', () => {
    const found = exchanges.find(({ operation }) => operation.name === 'ListTasks');
    const page = binding.readResult({ status: 200, isJson: true, body: found?.answer });
    expect(page).toMatchObject({ tasks: [{ id: recorded('GetTask').id }], nextPageToken: '' });
  });

  test('a message is sent, and refused by a task that has ended', async () => {
    const taskId = recorded('GetTask').id;
    const sent = await calls.sendMessage({ taskId, messageId: `m-${name}`, text: 'say more' });
    expect(sent.task).toMatchObject({ id: taskId, isEnded: false });
    await expect(calls.sendMessage({ taskId, messageId: 'late', text: 'say more' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'the task is in a terminal state (TASK_STATE_CANCELED)',
    });
  });

  test('a task is cancelled once', async () => {
    const { id } = recorded('CancelTask');
    expect(await calls.cancelTask(id, { reason: 'enough' })).toMatchObject({ id, state: 'CANCELED' });
    await expect(calls.cancelTask(id, {})).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a task that nobody has is none', async () => {
    expect(await calls.getConversation('nobody-has-it')).toBeUndefined();
  });

  test('a subscription tells the task, and then replays how it came to be so', () => {
    const stream = RECORDING.streams.find((recordedStream) => recordedStream.binding === name);
    const updates = stream?.frames.map((frame) =>
      readUpdate(binding.readStreamed(frame), { redact: unmasked, nowMs: RECORDED_MS }),
    );
    expect(updates).toMatchObject([
      { kind: 'task', task: { state: 'INPUT_REQUIRED', statusText: 'answer to hello', name: 'say hello' } },
      { kind: 'task', task: { state: 'WORKING', statusText: null } },
      { kind: 'task', task: { state: 'INPUT_REQUIRED', statusText: 'answer to hello' } },
    ]);
  });
});
