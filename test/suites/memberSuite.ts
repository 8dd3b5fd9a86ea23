/** What every adapter of the `Member` port does. */
import { setImmediate } from 'node:timers/promises';
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Member, MemberEventPage, MemberRequest } from '../../gateway/member/Member.ts';
import { readMemberLog } from '../../gateway/member/memberEvents.ts';
import { DeadlineExceeded } from '../../lib/Deadline.ts';
import type { TestWorker } from '../support/createTestWorker.ts';

export interface MemberFixture extends AsyncDisposable {
  /** Registered as `alpha`. */
  readonly member: Member;
  /** What the member stands for. */
  readonly worker: TestWorker;
}

export interface MemberSuiteOptions {
  /** Whether the member's log can be read in pages while nobody watches it. @default true */
  readonly pagesItsLog?: boolean;
}

/** @param create makes a member, named `alpha`, of a fresh worker of that name. */
export function memberSuite(
  name: string,
  create: () => Promise<MemberFixture>,
  { pagesItsLog = true }: MemberSuiteOptions = {},
): void {
  const never = (): AbortSignal => new AbortController().signal;

  describe(name, () => {
    test('execute() answers an operation, keyed by response name', async () => {
      await using fixture = await create();
      fixture.worker.log.add(3);
      const request = toRequest(
        'query Two($first: Int!) { page: events(first: $first) { nodes { n: offset } } }',
      );
      const result = await fixture.member.execute(
        { ...request, variables: { first: 2 } },
        { signal: never() },
      );
      expect(result).toEqual({
        kind: 'answer',
        answer: { data: { page: { nodes: [{ n: 1 }, { n: 2 }] } }, errors: [] },
      });
    });

    test('execute() answers an operation that the member does not know with errors and no data', async () => {
      await using fixture = await create();
      const result = await fixture.member.execute(toRequest('{ inventions { name } }'), { signal: never() });
      expect(result).toMatchObject({
        kind: 'answer',
        answer: { data: null, errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
      });
    });

    test("execute() answers a resolver's error with its code and path", async () => {
      await using fixture = await create();
      const result = await fixture.member.execute(
        toRequest('{ many: events(first: 5000) { nodes { offset } } }'),
        {
          signal: never(),
        },
      );
      expect(result).toMatchObject({
        kind: 'answer',
        answer: { data: null, errors: [{ path: ['many'], extensions: { code: 'BAD_USER_INPUT' } }] },
      });
    });

    test('execute() past its deadline is a timeout', async () => {
      await using fixture = await create();
      const signal = AbortSignal.abort(new DeadlineExceeded(10));
      const result = await fixture.member.execute(toRequest('{ commands { name } }'), { signal });
      expect(result).toEqual({ kind: 'failure', failure: { kind: 'timeout', reason: 'timed out' } });
    });

    test('execute() that the caller gave up is aborted', async () => {
      await using fixture = await create();
      const result = await fixture.member.execute(toRequest('{ commands { name } }'), {
        signal: AbortSignal.abort(),
      });
      expect(result).toMatchObject({ kind: 'failure', failure: { kind: 'aborted' } });
    });

    test('identify() gives the identity document and the version', async () => {
      await using fixture = await create();
      fixture.worker.managed.push('o/r#1');
      const result = await fixture.member.identify({ signal: never() });
      expect(result).toMatchObject({
        kind: 'answer',
        answer: {
          kind: 'document',
          version: '1.2.3',
          body: { name: 'alpha', managed: [{ ref: 'o/r#1', sources: ['session'] }], sessionCount: 1 },
        },
      });
    });

    test('identify() past its deadline is a timeout', async () => {
      await using fixture = await create();
      const result = await fixture.member.identify({ signal: AbortSignal.abort(new DeadlineExceeded(10)) });
      expect(result).toMatchObject({ kind: 'failure', failure: { kind: 'timeout' } });
    });

    test('watch() gives what is after the position, and then what is appended, in order', async () => {
      await using fixture = await create();
      fixture.worker.log.add(5);
      await using watch = open(fixture.member, 2);
      expect(await watch.offsets(3)).toEqual([3, 4, 5]);
      fixture.worker.log.add(2);
      expect(await watch.offsets(2)).toEqual([6, 7]);
    });

    test('watch() gives events as the log has them', async () => {
      await using fixture = await create();
      const { log } = fixture.worker;
      log.append([
        { type: 'task.status', level: 'WARNING', source: 'tasks', ref: 'o/r#1', data: { state: 'WORKING' } },
      ]);
      log.append([{ type: 'service.started', level: 'INFO', source: 'service', data: {} }]);
      await using watch = open(fixture.member, 0);
      const [first, second] = log.read({ limit: 2 }).map(({ atMs }) => new Date(atMs).toISOString());
      expect(await watch.events(2)).toEqual([
        {
          offset: 1,
          type: 'task.status',
          at: first,
          level: 'WARNING',
          ref: 'o/r#1',
          source: 'tasks',
          pid: 1,
          data: { state: 'WORKING' },
        },
        {
          offset: 2,
          type: 'service.started',
          at: second,
          level: 'INFO',
          ref: null,
          source: 'service',
          pid: 1,
          data: {},
        },
      ]);
    });

    test('watch() gives a burst whole and in order, whatever its size', async () => {
      await using fixture = await create();
      await using watch = open(fixture.member, 0);
      fixture.worker.log.add(3000);
      const offsets = await watch.offsets(3000);
      expect(offsets).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
    });

    test('watch() without a position starts at the end of the log', async () => {
      await using fixture = await create();
      const end = fixture.worker.log.add(5);
      await using watch = open(fixture.member, undefined);
      const first = watch.offsets(1);
      let isThere = false;
      void first.then(() => {
        isThere = true;
      });
      // When exactly the watch begins cannot be seen from here, only that it begins after what was there.
      while (!isThere) {
        fixture.worker.log.add(1);
        await setImmediate();
      }
      expect((await first)[0]).toBeGreaterThan(end);
    });

    test('watch() from a position that the log does not reach tells a desync and goes on from the end', async () => {
      await using fixture = await create();
      fixture.worker.log.add(3);
      await using watch = open(fixture.member, 10);
      expect(await watch.page()).toEqual({ events: [], seen: 3, desync: 'truncated' });
      fixture.worker.log.add(1);
      expect(await watch.offsets(1)).toEqual([4]);
    });

    test('watch() from a position that the log has forgotten tells a desync and goes on from the end', async () => {
      await using fixture = await create();
      fixture.worker.log.add(8);
      fixture.worker.log.truncate(5);
      await using watch = open(fixture.member, 2);
      expect(await watch.page()).toEqual({ events: [], seen: 8, desync: 'truncated' });
    });

    test('watch() ends when its signal aborts, also while it waits', async () => {
      await using fixture = await create();
      await using watch = open(fixture.member, 0);
      fixture.worker.log.add(1);
      await watch.offsets(1);
      const next = watch.iterator.next();
      watch.controller.abort();
      expect(await next).toEqual({ value: undefined, done: true });
    });

    test('watch() ends when its reader leaves, also while it waits', async () => {
      await using fixture = await create();
      await using watch = open(fixture.member, 0);
      fixture.worker.log.add(1);
      await watch.offsets(1);
      const next = watch.iterator.next();
      await watch.iterator.return?.();
      expect(await next).toEqual({ value: undefined, done: true });
    });

    if (pagesItsLog) {
      test('the log can be read in pages, with its ends', async () => {
        await using fixture = await create();
        fixture.worker.log.add(9);
        fixture.worker.log.truncate(2);
        const result = await readMemberLog(fixture.member, { after: 4, first: 3 }, { signal: never() });
        expect(result).toMatchObject({
          kind: 'answer',
          answer: { events: [{ offset: 5 }, { offset: 6 }, { offset: 7 }], newest: 9, start: 2 },
        });
      });

      test('an empty log, and a position beyond its end, are read as no events', async () => {
        await using fixture = await create();
        const result = await readMemberLog(fixture.member, { after: 4, first: 3 }, { signal: never() });
        expect(result).toEqual({ kind: 'answer', answer: { events: [], newest: 0, start: 0 } });
      });
    } else {
      test('a log that cannot be read in pages says so', async () => {
        await using fixture = await create();
        fixture.worker.log.add(9);
        const result = await readMemberLog(fixture.member, { after: 4, first: 3 }, { signal: never() });
        expect(result).toMatchObject({ kind: 'failure', failure: { kind: 'notSupported' } });
      });
    }
  });
}

function toRequest(text: string): MemberRequest {
  return { text, document: parse(text), variables: {} };
}

/** A watch that is read piece by piece. */
function open(member: Member, after: number | undefined) {
  const controller = new AbortController();
  const iterator = member.watch({ after, signal: controller.signal })[Symbol.asyncIterator]();
  const page = async (): Promise<MemberEventPage> => {
    const { value, done } = await iterator.next();
    if (done) throw new Error('The watch has ended');
    return value;
  };
  const events = async (count: number) => {
    const found: MemberEventPage['events'][number][] = [];
    while (found.length < count) found.push(...(await page()).events);
    return found;
  };
  return {
    controller,
    iterator,
    page,
    events,
    offsets: async (count: number) => (await events(count)).map(({ offset }) => offset),
    async [Symbol.asyncDispose]() {
      controller.abort();
      await iterator.return?.();
    },
  };
}
