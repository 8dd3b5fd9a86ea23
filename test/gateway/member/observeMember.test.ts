import { expect, test } from 'vitest';
import type { Member, MemberAnswer, MemberResult } from '../../../gateway/member/Member.ts';
import { answered, failed } from '../../../gateway/member/memberFailure.ts';
import { type ObservedCall, observeMember } from '../../../gateway/member/observeMember.ts';
import { noTracer, type Tracer } from '../../../lib/Tracer.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const { signal } = new AbortController();

function aMember(fields: Partial<Member & AsyncDisposable>): Member & Partial<AsyncDisposable> {
  const unused = (): never => {
    throw new Error('Not a part of this test');
  };
  return { name: 'beta', execute: unused, identify: unused, watch: unused, ...fields };
}

async function observe(result: MemberResult<MemberAnswer>): Promise<ObservedCall> {
  const clock = new FakeClock();
  const calls: ObservedCall[] = [];
  const member = aMember({
    async execute() {
      clock.advance(20);
      return result;
    },
  });
  const observed = observeMember(member, { clock, tracer: noTracer, observer: (call) => calls.push(call) });
  const request = { text: '{ a }', document: undefined as never, variables: {} };
  expect(await observed.execute(request, { signal })).toBe(result);
  expect(calls).toHaveLength(1);
  return calls[0]!;
}

function withErrors(...codes: unknown[]): MemberResult<MemberAnswer> {
  return answered({ data: null, errors: codes.map((code) => ({ message: '', extensions: { code } })) });
}

test.each<[string, MemberResult<MemberAnswer>, string, string[]]>([
  ['an answer', withErrors(), 'answer', []],
  [
    'errors of the table once each',
    withErrors('NOT_FOUND', 'NOT_FOUND', 'CONFLICT'),
    'answer',
    ['NOT_FOUND', 'CONFLICT'],
  ],
  ['errors that a member makes up', withErrors('x1', 'x2', undefined, 'toString'), 'answer', ['OTHER']],
  ['no answer', failed({ kind: 'transport', reason: '' }), 'transport', ['MEMBER_UNAVAILABLE']],
  ['a deadline', failed({ kind: 'timeout', reason: '' }), 'timeout', ['MEMBER_UNAVAILABLE']],
  ['a wrong shape', failed({ kind: 'malformed', reason: '' }), 'malformed', ['MEMBER_ERROR']],
  ['a status', failed({ kind: 'status', reason: '', status: 503 }), 'status', ['MEMBER_ERROR']],
  ['a caller that has left', failed({ kind: 'aborted', reason: '' }), 'aborted', []],
  ['what it cannot do', failed({ kind: 'notSupported', reason: '' }), 'notSupported', ['NOT_SUPPORTED']],
])('observeMember() tells of %s', async (_what, result, outcome, codes) => {
  expect(await observe(result)).toEqual({ member: 'beta', call: 'execute', outcome, durationMs: 20, codes });
});

test('observeMember() makes a span of a call, and none that a probe could tell of', async () => {
  const seen: string[] = [];
  let depth = 0;
  const tracer: Tracer = {
    ...noTracer,
    async span(name, { kind, attributes }, work) {
      seen.push(
        `${kind} ${name} ${attributes?.['flotilla.member.name']} ${attributes?.['graphql.operation.name']}`,
      );
      depth += 1;
      return work({ set() {}, fail: (reason) => seen.push(`failed: ${reason}`) });
    },
    detached(work) {
      depth = 0;
      return work();
    },
  };
  const member = aMember({
    execute: async () => failed({ kind: 'timeout', reason: 'late' }),
    async identify() {
      seen.push(`probed at ${depth}`);
      return failed({ kind: 'transport', reason: '' });
    },
  });
  const observed = observeMember(member, { clock: new FakeClock(), tracer, observer: () => {} });
  const request = { text: '', document: undefined as never, operationName: 'Tasks', variables: {} };
  await observed.execute(request, { signal });
  await observed.identify({ signal });
  expect(seen).toEqual(['client member.execute beta Tasks', 'failed: timeout', 'probed at 0']);
});

test('observeMember() leaves the rest of a member as it is', async () => {
  let name = 'beta';
  let isClosed = false;
  const pages = (async function* () {})();
  const member = aMember({
    get name() {
      return name;
    },
    watch: () => pages,
    async [Symbol.asyncDispose]() {
      isClosed = true;
    },
  });
  Object.defineProperty(member, 'name', { get: () => name });
  const observed = observeMember(member, { clock: new FakeClock(), tracer: noTracer, observer: () => {} });
  name = 'renamed';
  expect(observed.name).toBe('renamed');
  expect(observed.watch({ after: 0, signal })).toBe(pages);
  expect(observed.readLog).toBeUndefined();
  await observed[Symbol.asyncDispose]();
  expect(isClosed).toBe(true);
});
