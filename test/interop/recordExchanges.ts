/** Asks a service what the fixtures hold, and writes down its answers without what belongs to one machine. */
import { userInfo } from 'node:os';
import { Conversation, GREETING } from '../support/Conversation.ts';
import type { PythonService } from '../support/PythonService.ts';

export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** With query. */
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

type Question = Pick<Exchange, 'method' | 'path' | 'body'>;

const REF = 'github:octo/repo#15';
const STOPPED = 'github:octo/repo#16';

/** In this order: later ones see what earlier ones did. */
const QUESTIONS: readonly Question[] = [
  write('/sessions/register', { ref: REF, harness: 'claude', harnessSessionId: '0f1c', cwd: '.' }),
  write('/sessions/control', { ref: REF, verb: 'pause', comment: false }),
  write('/sessions/control', { ref: STOPPED, verb: 'stop', comment: false }),
  write('/sessions/control', { ref: REF, verb: 'dance', comment: false }),
  write('/sessions/reply', { ref: REF, text: 'hello', comment: false }),
  write('/sessions/reply', { ref: REF }),
  write('/sessions/close', { ref: 'github:octo/repo#98' }),
  write('/standing-sessions/create', { name: 'helper', harness: 'claude', cwd: '/tmp', start: false }),
  read('/standing-sessions/one?name=helper'),
  write('/standing-sessions/control', { name: 'helper', verb: 'stop' }),
  write('/standing-sessions/say', { name: 'helper', text: 'hello' }),
  write('/sessions/link-pr', { ref: REF, pullRequest: 'github:octo/repo#17' }),
  write('/config', { patch: { instance: { scope: { workItems: ['github:octo/repo#20'] } } } }),
  write('/config', { patch: { bogus: 1 } }),
  write('/daemons/control', { daemon: 'poller', verb: 'stop' }),
  read('/instance'),
  read('/health'),
  read('/work-items'),
  read(`/work-items/one?ref=${encodeURIComponent(REF)}`),
  read('/work-items/one?ref=github%3Aocto%2Frepo%2399'),
  read('/sessions'),
  read('/sessions?status=paused'),
  read(`/sessions/one?ref=${encodeURIComponent(REF)}`),
  read('/sessions/one?ref=github%3Aocto%2Frepo%2399'),
  read(`/sessions/transcript?ref=${encodeURIComponent(REF)}&tail=0`),
  read('/sessions/transcript?ref=github%3Aocto%2Frepo%2316&tail=200'),
  read('/standing-sessions'),
  read('/attention'),
  read('/daemons'),
  read('/config'),
  read('/events?level=info&limit=4'),
];

export async function recordExchanges(service: PythonService): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  new Conversation(service, '0f1c').write(...GREETING);
  for (const question of QUESTIONS) {
    const response = await fetch(`${service.url}${question.path}`, {
      method: question.method,
      ...(question.body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(question.body),
      }),
    });
    const answer = neutral(await response.json(), service);
    exchanges.push({ ...question, status: response.status, answer });
  }
  return exchanges;
}

/** The shape of a JSON value: its keys and the types below them, whatever the values are. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, shapeOf(item)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function neutral(value: unknown, { directory, url }: PythonService): unknown {
  const text = JSON.stringify(value)
    .replaceAll(directory, '/srv/alpha')
    .replaceAll(directory.replaceAll(/[^A-Za-z0-9]/g, '-'), '-srv-alpha')
    .replaceAll(new URL(url).port, '4114')
    .replaceAll(`"actor":"${userInfo().username}"`, '"actor":"operator"')
    .replaceAll(/"pid":[1-9]\d*/g, '"pid":1000');
  return JSON.parse(text);
}

function read(path: string): Question {
  return { method: 'GET', path: `/api/v1${path}` };
}

function write(path: string, body: unknown): Question {
  return { method: 'POST', path: `/api/v1${path}`, body };
}
