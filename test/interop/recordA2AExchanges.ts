/** Asks an A2A agent what the fixtures hold, and writes down its answers without what belongs to one run. */
import type { A2ABinding, A2AOperation } from '../../gateway/member/a2a/A2ABinding.ts';
import { createA2ABinding } from '../../gateway/member/a2a/createA2ABinding.ts';
import type { AgentInterface } from '../../gateway/member/a2a/judgeAgentCard.ts';
import type { A2AAgentProcess } from '../support/A2AAgentProcess.ts';
import { replyTo } from '../support/AimockServer.ts';

export interface A2AExchange {
  readonly binding: AgentInterface['binding'];
  readonly operation: A2AOperation;
  readonly status: number;
  readonly answer: unknown;
}

/** The first pieces of a subscription. */
export interface A2AStream {
  readonly binding: AgentInterface['binding'];
  readonly operation: A2AOperation;
  readonly frames: readonly unknown[];
}

export interface A2ARecording {
  readonly card: unknown;
  readonly exchanges: readonly A2AExchange[];
  readonly streams: readonly A2AStream[];
}

/** Pieces of a subscription to a task that waits: the task, and how it came to wait. */
const FRAMES = 3;

const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0', 'x-participant-id': 'operator' };

export async function recordA2AExchanges(agent: A2AAgentProcess): Promise<A2ARecording> {
  const card = await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json();
  const exchanges: A2AExchange[] = [];
  const streams: A2AStream[] = [];
  for (const name of ['JSONRPC', 'HTTP+JSON'] as const) {
    const binding = createA2ABinding({ binding: name, path: '/', tenant: undefined });
    const ask = async (operation: A2AOperation): Promise<void> => {
      const response = await send(agent, binding, operation);
      exchanges.push({ binding: name, operation, status: response.status, answer: await response.json() });
    };
    const id = await agent.createTask('say hello');
    await untilReplied(agent, id, 'hello');
    await ask({ name: 'GetTask', params: { id, historyLength: 0 } });
    await ask({ name: 'ListTasks', params: { pageSize: 1 } });
    const operation: A2AOperation = { name: 'SubscribeToTask', params: { id } };
    streams.push({
      binding: name,
      operation,
      frames: await readStream(await send(agent, binding, operation)),
    });
    const message = { messageId: `m-${name}`, taskId: id, role: 'ROLE_USER', parts: [{ text: 'say more' }] };
    const configuration = { returnImmediately: true, historyLength: 0 };
    await ask({ name: 'SendMessage', params: { message, configuration } });
    await untilReplied(agent, id, 'more');
    await ask({ name: 'CancelTask', params: { id, metadata: { reason: 'enough' } } });
    await ask({ name: 'CancelTask', params: { id } });
    await ask({ name: 'SendMessage', params: { message: { ...message, messageId: 'late' }, configuration } });
    await ask({ name: 'GetTask', params: { id: 'nobody-has-it' } });
  }
  return neutral({ card, exchanges, streams }, agent.url);
}

function send(agent: A2AAgentProcess, binding: A2ABinding, operation: A2AOperation): Promise<Response> {
  const { method, path, body } = binding.toRequest(operation);
  return fetch(agent.url + path, { method, headers: HEADERS, ...(body !== undefined && { body }) });
}

async function readStream(response: Response): Promise<readonly unknown[]> {
  const frames: unknown[] = [];
  let text = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const lines = text.split(/\r?\n/);
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) frames.push(JSON.parse(line.slice(5)));
    if (frames.length >= FRAMES) break;
  }
  return frames.slice(0, FRAMES);
}

/** The answer to a message may still show the task as it was before. */
async function untilReplied(agent: A2AAgentProcess, id: string, word: string): Promise<void> {
  for (;;) {
    const { result } = await agent.call('GetTask', { id });
    if (result?.status.message?.parts[0].text === replyTo(word)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ids, times and the address by number, in the order in which they come up. */
function neutral(recording: A2ARecording, url: string): A2ARecording {
  const text = JSON.stringify(recording).replaceAll(new URL(url).host, 'agent.example:8080');
  const ids = numbered(text, /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (number) => `id-${number}`);
  const times = numbered(ids, /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, (number) =>
    new Date(Date.UTC(2026, 10, 30, 12, 0, number)).toISOString(),
  );
  return JSON.parse(times) as A2ARecording;
}

/** The same text gets the same number; numbers grow with the texts, so that later times stay later. */
function numbered(text: string, pattern: RegExp, format: (number: number) => string): string {
  const found = [...new Set(text.match(pattern))].sort();
  return text.replaceAll(pattern, (match) => format(found.indexOf(match) + 1));
}
