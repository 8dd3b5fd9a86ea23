/** The contract's own operations through the graph, over what the real service answered. */
import { describe, expect, test } from 'vitest';
import { recordedExchanges } from '../../../support/RestServer.ts';
import { openRestMember } from './openRestMember.ts';

const REF = 'github:octo/repo#15';

function recorded(path: string): unknown {
  return recordedExchanges().find((exchange) => exchange.path === `/api/v1${path}`)?.answer;
}

describe('reads', () => {
  test('lists of the contract keep their rows whole', async () => {
    await using alpha = await openRestMember();
    const answer = await alpha.ask(`{
      standingSessions { instance name declared autoStart status running ref startedAt record }
      attention { instance ref kind detail at record }
      daemons { instance name running pid startedAt record }
      sessions { ref status pullRequests control { command source actor requestedAt } }
    }`);
    const records = (rows: readonly { readonly record: unknown }[]) => rows.map(({ record }) => record);
    expect(records(answer.standingSessions)).toEqual(recorded('/standing-sessions'));
    expect(records(answer.attention)).toEqual(recorded('/attention'));
    expect(records(answer.daemons)).toEqual(recorded('/daemons'));
    expect(answer).toMatchObject({
      standingSessions: [
        {
          instance: 'alpha',
          name: 'helper',
          status: 'stopped',
          running: false,
          ref: 'standing:helper',
          startedAt: null,
        },
      ],
      attention: [{ instance: 'alpha', ref: REF, kind: 'session-paused', at: null }],
      daemons: [
        { instance: 'alpha', name: 'poller', running: false, pid: 0, startedAt: null },
        { name: 'gh-webhook' },
      ],
      sessions: [
        {
          ref: REF,
          status: 'PAUSED',
          pullRequests: ['github:octo/repo#17'],
          control: { command: 'pause', source: 'cli', actor: 'operator' },
        },
      ],
    });
  });

  test('one standing session and a transcript are asked for by their keys', async () => {
    await using alpha = await openRestMember();
    const entries = [{ type: 'user' }, { malformed: '{' }];
    const transcript = { workItem: REF, harness: 'claude', totalLines: 7, truncated: true, entries };
    alpha.server.answer(`GET /api/v1/sessions/transcript?ref=${encodeURIComponent(REF)}&tail=2`, transcript);
    expect(
      await alpha.ask(`{
        standingSession(name: "helper") { name record }
        transcript(ref: "${REF}", tail: 2) { instance ref harness path totalLines truncated entries record }
      }`),
    ).toEqual({
      standingSession: { name: 'helper', record: recorded('/standing-sessions/one?name=helper') },
      transcript: {
        instance: 'alpha',
        ref: REF,
        harness: 'claude',
        path: '',
        totalLines: 7,
        truncated: true,
        entries,
        record: transcript,
      },
    });
  });

  test('what a tracker says is passed on as it is', async () => {
    await using alpha = await openRestMember();
    const checks = { checks: [{ name: 'test', conclusion: 'failure' }] };
    alpha.server.answer('GET /api/v1/pull-requests/checks?ref=o%2Fr%232&failing=true&logLines=0', checks);
    expect(
      await alpha.ask('{ pullRequestChecks(ref: "o/r#2", failing: true, logLines: 0) { answer } }'),
    ).toEqual({ pullRequestChecks: { answer: checks } });
  });
});

describe('checkouts', () => {
  test('answers about a checkout are passed on as they are, with the arguments as the contract calls them', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('GET /api/v1/graph', { version: 1, nodes: [] });
    alpha.server.answer('GET /api/v1/repo/scenarios', { scenarios: [] });
    alpha.server.answer('GET /api/v1/repo/instructions', { docs: [] });
    alpha.server.answer('GET /api/v1/repo/critics', [{ name: 'strict', available: true }]);
    alpha.server.answer('POST /api/v1/graph/force', { fromNode: 'a', toNode: 'b', warnings: [] });
    const reads = await alpha.ask(`{
      processGraph(repo: "/w", pr: 3) { answer }
      repoScenarios(repo: "/w", globs: ["a", "b"]) { answer }
      repoInstructions(repo: "/w", docs: ["AGENTS.md"]) { answer }
      repoCritics(repo: "/w") { instance answer }
    }`);
    expect(reads).toEqual({
      processGraph: { answer: { version: 1, nodes: [] } },
      repoScenarios: { answer: { scenarios: [] } },
      repoInstructions: { answer: { docs: [] } },
      repoCritics: { instance: null, answer: [{ name: 'strict', available: true }] },
    });
    await alpha.ask(
      'mutation { forceGraph(repo: "/w", workItem: "o/r#1", toNode: "b", reason: "stuck") { answer } }',
    );
    expect(alpha.server.requests.map(({ path, body }) => body ?? path)).toEqual([
      '/api/v1/graph?repo=%2Fw&pr=3',
      '/api/v1/repo/scenarios?repo=%2Fw&glob=a&glob=b',
      '/api/v1/repo/instructions?repo=%2Fw&doc=AGENTS.md',
      '/api/v1/repo/critics?repo=%2Fw',
      { repo: '/w', workItem: 'o/r#1', toNode: 'b', reason: 'stuck' },
    ]);
  });
});

describe('writes', () => {
  test('verbs answer what the service answered, and send the arguments that were given', async () => {
    await using alpha = await openRestMember();
    const answer = await alpha.ask(`mutation {
      registerSession(ref: "${REF}", harness: "claude", harnessSessionId: "0f1c") { ref harness exitCode messages { stream } }
      linkPullRequest(ref: "${REF}", pullRequest: "github:octo/repo#17") { ref pullRequest linked exitCode }
      createStanding(name: "helper", start: false) { ok sessions { outcome session { name } } stopped { outcome } }
      controlStanding(name: "helper", verb: "stop") { ok sessions { outcome } }
      controlDaemon(daemon: "poller", verb: "stop") { name verb running pid exitCode output }
    }`);
    expect(answer).toEqual({
      registerSession: {
        ref: REF,
        harness: 'claude',
        exitCode: 0,
        messages: [{ stream: 'err' }, { stream: 'out' }],
      },
      linkPullRequest: { ref: REF, pullRequest: 'github:octo/repo#17', linked: true, exitCode: 0 },
      createStanding: {
        ok: true,
        sessions: [{ outcome: 'stopped', session: { name: 'helper' } }],
        stopped: null,
      },
      controlStanding: { ok: true, sessions: [{ outcome: 'not-running' }] },
      controlDaemon: {
        name: 'poller',
        verb: 'stop',
        running: false,
        pid: 0,
        exitCode: 0,
        output: 'poller is not running',
      },
    });
    expect(alpha.server.requests.map(({ path, body }) => [path.replace('/api/v1/', ''), body])).toEqual([
      ['sessions/register', { ref: REF, harness: 'claude', harnessSessionId: '0f1c' }],
      ['sessions/link-pr', { ref: REF, pullRequest: 'github:octo/repo#17' }],
      ['standing-sessions/create', { name: 'helper', start: false }],
      ['standing-sessions/control', { name: 'helper', verb: 'stop' }],
      ['daemons/control', { daemon: 'poller', verb: 'stop' }],
    ]);
  });

  test('a restart and the verbs of trackers are sent on', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('POST /api/v1/restart', {
      scheduled: true,
      pid: 4711,
      withUpgrade: false,
      logfile: '/l',
    });
    alpha.server.answer('POST /api/v1/pull-requests/merge', { merged: true, sha: 'abc' });
    expect(
      await alpha.ask(`mutation {
        restart { instance scheduled pid withUpgrade logfile }
        mergePullRequest(ref: "o/r#2", method: "squash") { instance answer }
      }`),
    ).toEqual({
      restart: { instance: null, scheduled: true, pid: 4711, withUpgrade: false, logfile: '/l' },
      mergePullRequest: { instance: null, answer: { merged: true, sha: 'abc' } },
    });
    expect(alpha.server.requests.map(({ body }) => body)).toEqual([{}, { ref: 'o/r#2', method: 'squash' }]);
  });
});
