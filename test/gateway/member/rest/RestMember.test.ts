import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DeadlineExceeded } from '../../../../lib/Deadline.ts';
import { silentLogger } from '../../../../lib/Logger.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { answerWith, MISBEHAVIOURS } from '../../../support/MemberServer.ts';
import { record, recordedExchanges } from '../../../support/RestServer.ts';
import { openRestMember, openWatch } from './openRestMember.ts';

const REF = 'github:octo/repo#15';

describe('RestMember.execute()', () => {
  test('work items are tasks, and the rows survive whole', async () => {
    await using alpha = await openRestMember();
    const { tasks } = await alpha.ask(
      '{ tasks(orderBy: REF_ASC) { nodes { instance ref id state subState paused createdAt record } } }',
    );
    const rows = recordedExchanges().find(({ path }) => path === '/api/v1/work-items')?.answer as object[];
    expect(tasks.nodes.map(({ record }: { record: object }) => record)).toEqual(rows);
    expect(tasks.nodes).toMatchObject([
      { instance: 'alpha', ref: REF, id: REF, state: 'WORKING', subState: null, paused: true },
      { ref: 'github:octo/repo#16', state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', paused: false },
    ]);
  });

  test('one ref is one request, many refs are one request, too', async () => {
    await using alpha = await openRestMember();
    await alpha.ask(`{ task(ref: "${REF}") { name } }`);
    expect(alpha.server.requests.map(({ path }) => path)).toEqual([
      `/api/v1/work-items/one?ref=${encodeURIComponent(REF)}`,
    ]);
    await alpha.ask(`{ a: task(ref: "${REF}") { name } b: task(ref: "github:octo/repo#16") { name } }`);
    expect(alpha.server.requests.slice(1).map(({ path }) => path)).toEqual(['/api/v1/work-items']);
  });

  test('a ref that only a session is registered for is a task', async () => {
    await using alpha = await openRestMember();
    const ref = 'github:octo/repo#7';
    alpha.server.answer(
      `GET /api/v1/work-items/one?ref=${encodeURIComponent(ref)}`,
      { detail: 'no record' },
      404,
    );
    alpha.server.answer(`GET /api/v1/sessions/one?ref=${encodeURIComponent(ref)}`, { ref, status: 'paused' });
    expect(await alpha.ask(`{ task(ref: "${ref}") { ref paused state } }`)).toEqual({
      task: { ref, paused: true, state: 'WORKING' },
    });
  });

  test('a ref of a form that the member does not know is one that it does not have', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('GET /api/v1/work-items/one?ref=standing%3Ahelper', { detail: 'invalid ref' }, 400);
    alpha.server.answer('GET /api/v1/sessions/one?ref=standing%3Ahelper', { detail: 'invalid ref' }, 400);
    expect(await alpha.refusal('{ task(ref: "standing:helper") { ref } }')).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('sessions are asked for by status, and a status without a word of ours is neither paused nor closed', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('GET /api/v1/sessions?status=paused', [
      { ref: REF, status: 'resting', effort: 'extreme' },
    ]);
    expect(
      await alpha.ask('{ sessions(status: PAUSED) { ref status effort harness lastEventAt record } }'),
    ).toEqual({
      sessions: [
        {
          ref: REF,
          status: 'ACTIVE',
          effort: null,
          harness: '',
          lastEventAt: null,
          record: { ref: REF, status: 'resting', effort: 'extreme' },
        },
      ],
    });
  });

  test('the newest events keep what no field of ours is for', async () => {
    await using alpha = await openRestMember();
    const { events } = await alpha.ask(
      '{ events(last: 4, filter: { level: INFO }) { nodes { type level ref source data offset } } }',
    );
    expect(alpha.server.requests[0]?.path).toBe('/api/v1/events?level=info&limit=4');
    expect(events.nodes).toContainEqual({
      type: 'session.pr_linked',
      level: 'INFO',
      ref: REF,
      source: 'service',
      data: { pull_request: 'github:octo/repo#17' },
      offset: 0,
    });
  });

  test('documents are those of the service', async () => {
    await using alpha = await openRestMember();
    const answer = await alpha.ask(
      '{ instance { name role managed { ref sources } sessionCount } health { status version ingresses { name } } config { path version } }',
    );
    expect(answer).toMatchObject({
      instance: {
        name: 'alpha',
        role: 'WORKER',
        managed: [{ ref: REF, sources: ['session', 'control'] }, {}, {}],
        sessionCount: 1,
      },
      health: { status: 'ok', ingresses: [{ name: 'poller' }, {}, {}] },
      config: { path: '/srv/alpha/cli-config.yaml', version: '0.12.0' },
    });
  });

  test('writes send the bodies of the contract, once', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('POST /api/v1/sessions/reply', {
      workItem: REF,
      delivered: true,
      exitCode: 0,
      messages: [],
    });
    const reply = await alpha.ask(
      `mutation { replySession(ref: "${REF}", text: "go on", actor: "mo") { instance ref delivered exitCode messages { text } } }`,
    );
    expect(reply.replySession).toEqual({
      instance: 'alpha',
      ref: REF,
      delivered: true,
      exitCode: 0,
      messages: [],
    });
    await alpha.ask('mutation { updateConfig(patch: { service: { port: 1 } }) { changed } }').catch(() => {});
    expect(alpha.server.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: '/api/v1/sessions/reply', body: { ref: REF, text: 'go on', actor: 'mo' } },
      { method: 'POST', path: '/api/v1/config', body: { patch: { service: { port: 1 } } } },
    ]);
  });

  test('a message is delivered once for its id, and again only when its answer was lost', async () => {
    await using alpha = await openRestMember();
    const target = 'POST /api/v1/sessions/reply';
    const send = (id: string) =>
      alpha.ask(
        `mutation { sendMessage(ref: "${REF}", text: "go on", messageId: "${id}", participant: "mo") { instance ref messageId accepted duplicate state cursor } }`,
      );
    alpha.server.misbehave(target, MISBEHAVIOURS.reset);
    await expect(send('m1')).rejects.toThrow('connection');
    alpha.server.answer(target, { workItem: REF, delivered: true, exitCode: 0, messages: [] });
    const receipt = {
      instance: 'alpha',
      ref: REF,
      messageId: 'm1',
      accepted: true,
      state: 'WORKING',
      cursor: '0',
    };
    expect(await send('m1')).toEqual({ sendMessage: { ...receipt, duplicate: false } });
    expect(await send('m1')).toEqual({ sendMessage: { ...receipt, duplicate: true } });
    expect((await send('m2')).sendMessage).toMatchObject({ messageId: 'm2', duplicate: false });
    const sent = alpha.server.asked('/api/v1/sessions/reply').map(({ body }) => body);
    expect(sent).toEqual(Array(3).fill({ ref: REF, text: 'go on', actor: 'mo' }));
  });

  test('a task is paused by the verb of the contract, and it is told when it is not paused then', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('POST /api/v1/sessions/control', {
      verb: 'pause',
      effect: 'rejected',
      exitCode: 1,
      messages: [{ stream: 'err', text: 'not now' }],
    });
    expect(await alpha.ask(`mutation { pauseTask(ref: "${REF}") { ref paused } }`)).toEqual({
      pauseTask: { ref: REF, paused: true },
    });
    expect(alpha.server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/sessions/control',
      body: { ref: REF, verb: 'pause' },
    });
    expect(await alpha.refusal(`mutation { resumeTask(ref: "${REF}") { ref } }`)).toEqual({
      code: 'CONFLICT',
      message: 'not now',
    });
  });

  test.each([
    `{ task(ref: "${REF}", atVersion: 3) { ref } }`,
    `mutation { sendMessage(ref: "${REF}", text: "stop", interrupt: true) { accepted } }`,
  ])('%s is not supported, and asks nobody', async (text) => {
    await using alpha = await openRestMember();
    expect(await alpha.refusal(text)).toMatchObject({ code: 'NOT_SUPPORTED' });
    expect(alpha.server.requests).toEqual([]);
  });

  test('a message that the session does not take is not accepted', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('POST /api/v1/sessions/reply', {
      workItem: REF,
      delivered: false,
      exitCode: 1,
      messages: [],
    });
    expect(
      await alpha.ask(`mutation { sendMessage(ref: "${REF}", text: "go on") { accepted duplicate } }`),
    ).toEqual({
      sendMessage: { accepted: false, duplicate: false },
    });
  });

  test('nothing but the own headers is sent, with the own token', async () => {
    await using alpha = await openRestMember({ token: 't0k3n' });
    await alpha.ask('{ health { status } }');
    const { host, connection, ...headers } = alpha.server.requests[0]?.headers ?? {};
    expect(headers).toEqual({ accept: 'application/json', authorization: 'Bearer t0k3n' });
  });

  test('a path prefix is kept', async () => {
    await using alpha = await openRestMember({ server: { prefix: '/agents/alpha' } });
    await alpha.ask('{ health { status } }');
    expect(alpha.server.requests[0]?.path).toBe('/api/v1/health');
  });

  test('what the contract has no answer for is no field of the member', async () => {
    await using alpha = await openRestMember();
    const result = await alpha.execute('{ commands { name } tasks { nodes { ref inventions } } }');
    expect(result).toMatchObject({
      kind: 'answer',
      answer: { data: null, errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }, {}] },
    });
    expect(alpha.server.requests).toEqual([]);
  });

  test.each([
    [400, { detail: 'bad ref' }, 'BAD_USER_INPUT', 'bad ref'],
    [404, { detail: 'no such file' }, 'NOT_FOUND', 'no such file'],
    [409, { detail: 'two of them', candidates: ['a', 'b'] }, 'CONFLICT', 'two of them'],
    [
      422,
      { detail: [{ loc: ['body', 'text'], msg: 'Field required', type: 'missing' }] },
      'MEMBER_ERROR',
      'HTTP 422: body.text: Field required',
    ],
    [503, { detail: 'at capacity' }, 'MEMBER_ERROR', 'HTTP 503: at capacity'],
    [500, 'not an object', 'MEMBER_ERROR', 'HTTP 500'],
    [501, { detail: 'no file' }, 'NOT_SUPPORTED', 'Cannot do GET /api/v1/config: no file'],
    [501, 'no words of the contract', 'MEMBER_ERROR', 'HTTP 501'],
    [302, {}, 'MEMBER_ERROR', 'HTTP 302'],
  ])('status %i is told as it is meant for the caller', async (status, body, code, message) => {
    await using alpha = await openRestMember();
    alpha.server.answer('GET /api/v1/config', body, status);
    expect(await alpha.refusal('{ config { path } }')).toEqual({ code, message });
  });

  test('the candidates of a conflict are passed on', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('GET /api/v1/config', { detail: 'two', candidates: ['a', 'b'] }, 409);
    expect(await alpha.execute('{ config { path } }')).toMatchObject({
      answer: { errors: [{ extensions: { code: 'CONFLICT', candidates: ['a', 'b'] } }] },
    });
  });

  test.each([
    ['HTML', MISBEHAVIOURS.html, { kind: 'malformed', reason: 'the answer is not JSON' }],
    [
      'a list for an object',
      answerWith(200, []),
      { kind: 'malformed', reason: 'the answer is not an object' },
    ],
    ['a reset', MISBEHAVIOURS.reset, { kind: 'transport' }],
    ['an answer over the bound', MISBEHAVIOURS.oversized, { kind: 'malformed' }],
  ])('%s is no answer', async (_what, how, failure) => {
    await using alpha = await openRestMember();
    alpha.server.misbehave('GET /api/v1/config', how);
    expect(await alpha.execute('{ config { path } }')).toMatchObject({ kind: 'failure', failure });
  });

  test('an object for a list is no answer', async () => {
    await using alpha = await openRestMember();
    alpha.server.answer('GET /api/v1/work-items', {});
    expect(await alpha.execute('{ tasks { nodes { ref } } }')).toEqual({
      kind: 'failure',
      failure: { kind: 'malformed', reason: 'the answer is not a list' },
    });
  });

  test('a call that has passed its deadline is a timeout, and asks nobody', async () => {
    await using alpha = await openRestMember();
    const signal = AbortSignal.abort(new DeadlineExceeded(10));
    const { parse } = await import('graphql');
    const text = '{ config { path } }';
    expect(await alpha.member.execute({ text, document: parse(text), variables: {} }, { signal })).toEqual({
      kind: 'failure',
      failure: { kind: 'timeout', reason: 'timed out' },
    });
    expect(alpha.server.requests).toEqual([]);
  });

  test('a key that could reach a prototype is dropped', async () => {
    await using alpha = await openRestMember();
    alpha.server.misbehave('GET /api/v1/work-items', (response) =>
      response.end('[{"ref":"o/r#1","__proto__":{"polluted":true},"more":1}]'),
    );
    const { tasks } = await alpha.ask('{ tasks { nodes { record } } }');
    expect(tasks.nodes).toEqual([{ record: { ref: 'o/r#1', more: 1 } }]);
    expect(tasks.nodes[0].record.polluted).toBeUndefined();
  });
});

describe('RestMember.watch()', () => {
  test('a stream from the end says first where that is', async () => {
    await using alpha = await openRestMember();
    const [end] = alpha.server.append(record('service.started'));
    await using watch = openWatch(alpha.member, undefined);
    expect(await watch.page()).toEqual({ events: [], seen: end });
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    alpha.server.append(record('session.paused', { work_item: REF, ts: '2026-11-30T12:00:01.5Z' }));
    const { events, seen } = await watch.page();
    expect({ events, seen }).toMatchObject({
      events: [{ type: 'session.paused', ref: REF, at: '2026-11-30T12:00:01.500Z', data: {}, offset: seen }],
      seen: alpha.server.end,
    });
  });

  test('a stream goes on after a position, quoted as the id of the last event', async () => {
    await using alpha = await openRestMember();
    const [first = 0] = alpha.server.append(
      record('one'),
      record('two'),
      record('api.request'),
      record('three'),
    );
    await using watch = openWatch(alpha.member, first);
    expect(await watch.types(3)).toEqual(['two', 'three', 'stream.subscribed']);
    expect(alpha.server.requests[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      'cache-control': 'no-cache',
      'last-event-id': String(first),
    });
  });

  test('a position that the log does not have is a desync, told where the log goes on', async () => {
    await using alpha = await openRestMember();
    const [end] = alpha.server.append(record('one'));
    await using watch = openWatch(alpha.member, 9999);
    expect(await watch.page()).toEqual({ events: [], seen: end, desync: 'truncated' });
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
  });

  test('a desync that names where the stream goes on is told at once', async () => {
    await using alpha = await openRestMember();
    alpha.server.beQuiet();
    await using watch = openWatch(alpha.member, undefined);
    const page = watch.page();
    await alpha.server.untilStreams(1);
    alpha.server.send('event: desync\ndata: {"reason":"truncated","cursor":"41"}\n\n');
    expect(await page).toEqual({ events: [], seen: 41, desync: 'truncated' });
  });

  test('a record that is sent twice comes once', async () => {
    await using alpha = await openRestMember();
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    const frame = (id: number, event: string) =>
      `id: ${id}\nevent: log\ndata: ${JSON.stringify(record(event))}\n\n`;
    alpha.server.send(frame(1000, 'one') + frame(1100, 'two') + frame(1000, 'one') + frame(1100, 'two'));
    alpha.server.send(frame(1200, 'three'));
    expect(await watch.types(3)).toEqual(['one', 'two', 'three']);
  });

  test('a log that begins anew while it is watched is a desync', async () => {
    await using alpha = await openRestMember();
    alpha.server.append(record('one'), record('two'));
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(3)).toEqual(['one', 'two', 'stream.subscribed']);
    alpha.server.truncate();
    alpha.server.append(record('of another log'));
    expect(await watch.page()).toEqual({ events: [], seen: 0, desync: 'truncated' });
    expect(await watch.types(1)).toEqual(['of another log']);
  });

  test('ids that are no positions, unknown kinds and data that is no object are passed over', async () => {
    await using alpha = await openRestMember();
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    alpha.server.send(`id: alpha=7\nevent: log\ndata: ${JSON.stringify(record('composite'))}\n\n`);
    alpha.server.send(`event: log\ndata: ${JSON.stringify(record('without an id'))}\n\n`);
    alpha.server.send('id: 1000\nevent: log\ndata: [1]\n\nid: 1001\nevent: news\ndata: {}\n\n');
    alpha.server.send(`id: 1002\nevent: log\ndata: ${JSON.stringify(record('good'))}\n\n`);
    expect(await watch.types(1)).toEqual(['good']);
  });

  test('watched transcripts are asked for and their growth is told without a position', async () => {
    await using alpha = await openRestMember();
    const [end] = alpha.server.append(record('one'));
    await using watch = openWatch(alpha.member, end, [REF, 'github:octo/repo#16']);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    expect(alpha.server.requests[0]?.path).toBe(
      `/api/v1/stream?transcript=${encodeURIComponent(REF)}&transcript=github%3Aocto%2Frepo%2316`,
    );
    alpha.server.send(`event: transcript\ndata: {"ref":"${REF}","totalLines":12}\n\n`);
    expect(await watch.page()).toEqual({
      events: [],
      seen: alpha.server.end,
      transcripts: [{ ref: REF, totalLines: 12 }],
    });
  });

  test.each([
    ['is disabled', answerWith(404, { detail: 'disabled' }), 'the member serves no stream'],
    ['is at capacity', answerWith(503, { detail: 'at capacity' }), 'HTTP 503'],
    ['is none', answerWith(200, {}), 'the answer is not an event stream'],
  ])('a stream that %s is an error', async (_what, how, reason) => {
    await using alpha = await openRestMember();
    alpha.server.misbehave('GET /api/v1/stream', how);
    await using watch = openWatch(alpha.member, undefined);
    await expect(watch.page()).rejects.toThrow(reason);
  });

  test('that a member serves no stream is told once, however often it is tried', async () => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, info: (...args: unknown[]) => void told.push(args) };
    await using alpha = await openRestMember({ logger });
    alpha.server.misbehave('GET /api/v1/stream', answerWith(404, { detail: 'disabled' }));
    for (const _ of ['once', 'twice']) {
      await using watch = openWatch(alpha.member, undefined);
      await expect(watch.page()).rejects.toThrow('serves no stream');
    }
    expect(told).toEqual([[{ instance: 'alpha' }, expect.any(String)]]);
  });

  test('a stream that is cut is an error, and its socket is gone', async () => {
    await using alpha = await openRestMember();
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    alpha.server.dropStreams();
    await expect(watch.page()).rejects.toThrow('connection');
    await alpha.server.untilStreams(0);
  });

  /*
   * Feature: Stream
   * Scenario: silence for three keep-alive intervals ends the stream; a comment is no silence
   *   Requirement: spec/manager.md#T1
   *   Given the stream of a member, on a clock of the test
   *   When a comment and a record come, and then nothing
   *   Then it is read on at first, and is ended when nothing has come for three intervals
   */
  test('silence for three keep-alive intervals ends the stream; a comment is no silence', async () => {
    const clock = new FakeClock();
    await using alpha = await openRestMember({ clock });
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    const next = watch.page();
    clock.advance(44_000);
    // The comment itself cannot be seen from here, the record behind it can.
    alpha.server.send(': keep-alive\n\n');
    alpha.server.append(record('still there'));
    expect((await next).events).toMatchObject([{ type: 'still there' }]);
    const last = watch.page();
    clock.advance(44_000 * 3 - 1);
    clock.advance(1);
    await expect(last).rejects.toThrow('no keep-alive');
    await alpha.server.untilStreams(0);
  });

  test.each([
    [60_000, 180_000],
    [1_000, 45_000],
  ])('with a keep-alive of %i ms a silence of %i ms is too long', async (keepAliveMs, tooLongMs) => {
    const clock = new FakeClock();
    await using alpha = await openRestMember({ clock, keepAliveMs });
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    const next = watch.page();
    clock.advance(tooLongMs - 1);
    alpha.server.append(record('in time'));
    expect((await next).events).toMatchObject([{ type: 'in time' }]);
    const last = watch.page();
    clock.advance((tooLongMs - 1) * 3);
    await expect(last).rejects.toThrow('no keep-alive');
  });

  test('a stream that floods is read at a bounded pace', async () => {
    const clock = new FakeClock();
    await using alpha = await openRestMember({ clock });
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    const frame = (offset: number): string =>
      `id: ${offset}\nevent: log\ndata: ${JSON.stringify(record('flood'))}\n\n`;
    alpha.server.send(Array.from({ length: 6_000 }, (_, index) => frame(1_000 * (index + 1))).join(''));
    let events = 0;
    const reading = (async () => {
      while (events < 6_000) events += (await watch.page()).events.length;
    })();
    // Beside the pace only the silence is waited for.
    await clock.waiting(2);
    expect(events).toBeGreaterThan(3_500);
    expect(events).toBeLessThanOrEqual(4_000);
    while (events < 6_000) {
      if (clock.timers > 1) clock.advance(10);
      await setImmediate();
    }
    await reading;
  });

  test('a watch ends when its reader leaves, also while it waits', async () => {
    await using alpha = await openRestMember();
    await using watch = openWatch(alpha.member, 0);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    const next = watch.iterator.next();
    await watch.iterator.return?.();
    expect(await next).toEqual({ value: undefined, done: true });
    await alpha.server.untilStreams(0);
  });
});

describe('RestMember.readLog()', () => {
  const signal = new AbortController().signal;

  test('is not supported before the stream has told where the log ends', async () => {
    await using alpha = await openRestMember();
    expect(await alpha.member.readLog?.({ after: 0, first: 0 }, { signal })).toMatchObject({
      kind: 'failure',
      failure: { kind: 'notSupported' },
    });
  });

  test('is not supported once the stream has ended: the log goes on without being seen', async () => {
    await using alpha = await openRestMember();
    {
      await using watch = openWatch(alpha.member, 0);
      expect(await watch.types(1)).toEqual(['stream.subscribed']);
      expect(await alpha.member.readLog?.({ after: 0, first: 0 }, { signal })).toMatchObject({
        kind: 'answer',
      });
    }
    expect(await alpha.member.readLog?.({ after: 0, first: 0 }, { signal })).toMatchObject({
      failure: { kind: 'notSupported' },
    });
  });

  test('pages through a replay up to where the stream is', async () => {
    await using alpha = await openRestMember();
    const [one = 0] = alpha.server.append(record('one'), record('two'), record('three'));
    await using watch = openWatch(alpha.member, undefined);
    expect(await watch.types(1)).toEqual(['stream.subscribed']);
    const newest = alpha.server.end;
    const page = await alpha.member.readLog?.({ after: one, first: 1 }, { signal });
    expect(page).toMatchObject({ answer: { events: [{ type: 'two' }], newest } });
    const rest = await alpha.member.readLog?.({ after: one, first: 100 }, { signal });
    expect(rest).toMatchObject({
      answer: {
        events: [{ type: 'two' }, { type: 'three' }, { type: 'stream.subscribed' }],
        end: newest,
        newest,
      },
    });
    expect(await alpha.member.readLog?.({ after: newest, first: 100 }, { signal })).toEqual({
      kind: 'answer',
      answer: { events: [], newest, start: 0 },
    });
  });

  test('pages up to where a stream that has told nothing yet was asked to go on', async () => {
    await using alpha = await openRestMember();
    alpha.server.beQuiet();
    const [, two = 0] = alpha.server.append(record('one'), record('two'));
    await using watch = openWatch(alpha.member, two);
    const next = watch.page();
    expect(await alpha.member.readLog?.({ after: 0, first: 9 }, { signal })).toMatchObject({
      answer: { events: [{ type: 'one' }, { type: 'two' }], newest: two },
    });
    await alpha.server.untilStreams(1);
    alpha.server.append(record('three'));
    expect(await next).toMatchObject({ events: [{ type: 'three' }] });
  });

  test('tells how far it came where the log holds nothing that a stream tells', async () => {
    await using alpha = await openRestMember();
    const [one = 0, two = 0] = alpha.server.append(record('one'), record('api.request'));
    await using watch = openWatch(alpha.member, undefined);
    expect(await watch.page()).toEqual({ events: [], seen: two });
    expect(await alpha.member.readLog?.({ after: one, first: 9 }, { signal })).toMatchObject({
      answer: { events: [], end: two },
    });
  });

  test('further back than the member replays is not supported', async () => {
    await using alpha = await openRestMember();
    alpha.server.append(record('big', { text: 'x'.repeat(270_000) }));
    await using watch = openWatch(alpha.member, undefined);
    await watch.page();
    expect(await alpha.member.readLog?.({ after: 0, first: 9 }, { signal })).toMatchObject({
      kind: 'failure',
      failure: { kind: 'notSupported' },
    });
  });
});
