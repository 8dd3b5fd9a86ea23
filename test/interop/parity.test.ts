/** What a real service answers is the same through our manager, field for field, but for the stamp of where it is from. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PYTHON } from '../support/PythonService.ts';
import { type Http, openMixedFleet } from '../support/pythonFleet.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { shapeOf } from './recordExchanges.ts';

vi.setConfig({ hookTimeout: 60_000 });

const REF = 'github:octo/repo#15';
const checkout = temporaryDirectory();
const repo = checkout.path;

let fleet: Awaited<ReturnType<typeof openMixedFleet>>;

beforeAll(async () => {
  if (!PYTHON) return;
  mkdirSync(join(repo, 'tests'));
  writeFileSync(join(repo, 'AGENTS.md'), '# Rules\n');
  writeFileSync(
    join(repo, 'tests/test_it.py'),
    'def test_it():\n    """Feature: A\n    Scenario: b\n    Requirement: R1\n    """\n',
  );
  fleet = await openMixedFleet();
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  checkout[Symbol.dispose]();
});

/** In this order: what is read later was written before. */
const QUESTIONS: readonly (readonly [method: 'GET' | 'POST', path: string, input: object])[] = [
  ['POST', '/sessions/register', { ref: REF, harness: 'claude', harnessSessionId: '0f1c', cwd: '.' }],
  ['POST', '/sessions/register', { ref: REF, harness: 'claude', harnessSessionId: '0f1c', cwd: '.' }],
  ['POST', '/sessions/register', { ref: REF, harness: 'abacus', harnessSessionId: '0f1c' }],
  ['POST', '/sessions/control', { ref: REF, verb: 'pause', comment: false }],
  ['POST', '/sessions/control', { ref: REF, verb: 'dance', comment: false }],
  ['POST', '/sessions/reply', { ref: REF, text: 'hello', comment: false }],
  ['POST', '/sessions/link-pr', { ref: REF, pullRequest: 'github:octo/repo#17' }],
  ['POST', '/standing-sessions/create', { name: 'helper', harness: 'claude', cwd: '/tmp', start: false }],
  ['POST', '/standing-sessions/control', { name: 'helper', verb: 'stop' }],
  ['POST', '/standing-sessions/control', { name: 'helper', verb: 'restart' }],
  ['POST', '/standing-sessions/say', { name: 'helper', text: 'hello' }],
  ['POST', '/config', { patch: { instance: { scope: { workItems: ['github:octo/repo#20'] } } } }],
  ['POST', '/config', { patch: { bogus: 1 } }],
  ['POST', '/daemons/control', { daemon: 'poller', verb: 'stop' }],
  ['POST', '/daemons/control', { daemon: 'poller', verb: 'status' }],
  ['POST', '/graph/check', { repo, workItem: 'issue-15' }],
  ['POST', '/graph/complete', { repo, workItem: 'issue-15' }],
  ['POST', '/graph/advance', { repo, workItem: 'issue-15' }],
  ['POST', '/graph/skip', { repo, workItem: 'issue-15', nodes: ['design'], reason: 'no need' }],
  ['GET', '/graph', { repo }],
  ['GET', '/repo/scenarios', { repo }],
  ['GET', '/repo/instructions', { repo, doc: 'AGENTS.md' }],
  ['GET', '/repo/critics', { repo }],
  ['GET', '/repo/critics/policy', { repo }],
  ['GET', '/instance', {}],
  ['GET', '/health', {}],
  ['GET', '/config', {}],
  ['GET', '/config/schema', {}],
  ['GET', '/work-items/one', { ref: REF }],
  ['GET', '/sessions/one', { ref: REF }],
  ['GET', '/sessions/transcript', { ref: REF }],
  ['GET', '/standing-sessions/one', { name: 'helper' }],
  ['GET', '/work-items/ticket', { ref: REF }],
  ['GET', '/pull-requests/status', { ref: REF }],
  ['GET', '/work-items', {}],
  ['GET', '/sessions', {}],
  ['GET', '/standing-sessions', {}],
  ['GET', '/attention', {}],
  ['GET', '/daemons', {}],
  ['GET', '/events', { type: 'session.*' }],
  ['POST', '/sessions/close', { ref: REF }],
  ['POST', '/standing-sessions/delete', { name: 'helper' }],
];

test
  .skipIf(!PYTHON)
  .each(
    QUESTIONS.map((question, index) => ({ question, title: `${index + 1}. ${question[0]} ${question[1]}` })),
  )('$title', async ({ question: [method, path, input] }) => {
  const own = await send(fleet.beta.url, method, path, input);
  const through = await send(fleet.hq.url, method, path, { ...input, instance: 'alpha' });
  if (own.status >= 400) {
    expect(through.status).toBe(own.status < 500 ? own.status : 502);
    expect(withoutNames(through.body.detail)).toBe(withoutNames(`alpha: ${own.body.detail}`));
    return;
  }
  expect({ status: through.status, body: shapeOf(withoutStamp(through.body)) }).toEqual({
    status: own.status,
    body: shapeOf(own.body),
  });
});

async function send(url: string, method: string, path: string, input: object): Promise<Http> {
  const address = `${url}/api/v1${path}`;
  const response =
    method === 'GET'
      ? await fetch(`${address}?${new URLSearchParams(input as Record<string, string>)}`)
      : await fetch(address, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(input),
        });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The service's own part of what the manager answers: its rows of a list, its document, without whose they are. */
function withoutStamp(body: unknown): unknown {
  if (Array.isArray(body)) return body.filter(({ instance }) => instance === 'alpha').map(withoutStamp);
  expect(body).toMatchObject({ instance: 'alpha' });
  const { instance: _, managed, ...own } = body as { readonly instance: string; readonly managed?: unknown };
  return { ...own, ...(managed !== undefined && { managed: withoutStamp(managed) }) };
}

/** In one line, as a manager passes on what a member says, and without the folder that is in its words. */
function withoutNames(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/\balpha\b|\bbeta\b/g, '…');
}
