/** A member whose calls are seen: each is timed, judged and a span of its own. Nothing of its behaviour changes. */
import type { Clock } from '../../lib/Clock.ts';
import type { Span, Tracer } from '../../lib/Tracer.ts';
import { isErrorCode } from '../../schema/errors.ts';
import type { Member, MemberAnswer, MemberFailure, MemberResult } from './Member.ts';

/** Codes of errors that are none of the product's, for whatever a member may call its own. */
const FOREIGN_CODE = 'OTHER';

export type MemberOutcome = 'answer' | MemberFailure['kind'];

export interface ObservedCall {
  readonly member: string;
  /** `identify`: a probe. */
  readonly call: 'execute' | 'identify';
  readonly outcome: MemberOutcome;
  readonly durationMs: number;
  /** Of the errors in an answer and of a failure; one of the table or `OTHER`, so that a member cannot make up new ones. */
  readonly codes: readonly string[];
}

/** Called at the end of every call; must not throw. */
export type MemberObserver = (call: ObservedCall) => void;

export interface ObserveOptions {
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly observer: MemberObserver;
}

/**
 * A probe is nobody's: it may go to a host that is no member, which is told nothing of the request that has caused it
 * (spec/manager.md § 22, A1).
 */
export function observeMember(
  member: Member & Partial<AsyncDisposable>,
  { clock, tracer, observer }: ObserveOptions,
): Member & AsyncDisposable {
  const tell = (call: ObservedCall['call'], startedMs: number, result: MemberResult<unknown>): void =>
    observer({
      member: member.name,
      call,
      outcome: outcomeOf(result),
      durationMs: clock.monotonicMs() - startedMs,
      codes: codesOf(result),
    });
  return {
    get name() {
      return member.name;
    },
    execute: (request, options) => {
      const attributes = {
        'flotilla.member.name': member.name,
        'graphql.operation.name': request.operationName,
      };
      return tracer.span('member.execute', { kind: 'client', attributes }, async (span) => {
        const startedMs = clock.monotonicMs();
        const result = await member.execute(request, options);
        tell('execute', startedMs, result);
        describe(span, result);
        return result;
      });
    },
    async identify(options) {
      const startedMs = clock.monotonicMs();
      const result = await tracer.detached(() => member.identify(options));
      tell('identify', startedMs, result);
      return result;
    },
    watch: (options) => member.watch(options),
    // A member may come to speak in another way.
    get readLog() {
      return member.readLog;
    },
    get tellsTranscripts() {
      return member.tellsTranscripts ?? false;
    },
    [Symbol.asyncDispose]: async () => member[Symbol.asyncDispose]?.(),
  };
}

function describe(span: Span, result: MemberResult<MemberAnswer>): void {
  const codes = codesOf(result);
  if (codes.length > 0) span.set({ 'flotilla.error.codes': codes });
  if (result.kind === 'failure' && result.failure.kind !== 'aborted') span.fail(result.failure.kind);
}

function outcomeOf(result: MemberResult<unknown>): MemberOutcome {
  return result.kind === 'answer' ? 'answer' : result.failure.kind;
}

function codesOf(result: MemberResult<unknown>): readonly string[] {
  if (result.kind === 'answer')
    return [...new Set(errorsOf(result.answer).map(({ extensions }) => codeOf(extensions)))];
  switch (result.failure.kind) {
    case 'aborted':
      return [];
    case 'notSupported':
      return ['NOT_SUPPORTED'];
    case 'transport':
    case 'timeout':
      return ['MEMBER_UNAVAILABLE'];
    case 'malformed':
    case 'status':
      return ['MEMBER_ERROR'];
  }
}

function errorsOf(answer: unknown): MemberAnswer['errors'] {
  return typeof answer === 'object' && answer !== null && 'errors' in answer
    ? (answer as MemberAnswer).errors
    : [];
}

function codeOf(extensions: Readonly<Record<string, unknown>> | undefined): string {
  const code = extensions?.code;
  return isErrorCode(code) ? code : FOREIGN_CODE;
}
