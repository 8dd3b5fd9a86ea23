/** A member that answers what a test says: from an executable schema, or anything at all. */
import { execute, type GraphQLSchema, validate } from 'graphql';
import type {
  IdentityAnswer,
  Member,
  MemberAnswer,
  MemberCallOptions,
  MemberErrorEntry,
  MemberEventPage,
  MemberFailure,
  MemberRequest,
  MemberResult,
} from '../../gateway/member/Member.ts';
import { FlotillaError } from '../../schema/errors.ts';

/** What the member does with a request. A promise that is still pending when the call's signal aborts is a timeout. */
export type FakeAnswer = (
  request: MemberRequest,
) => MemberResult<MemberAnswer> | Promise<MemberResult<MemberAnswer>>;

export class FakeMember implements Member {
  readonly name: string;
  /** Every request, in the order of arrival. */
  readonly requests: MemberRequest[] = [];
  /** What the member does from now on. */
  answer: FakeAnswer;

  constructor(name: string, answer: FakeAnswer) {
    this.name = name;
    this.answer = answer;
  }

  async execute(request: MemberRequest, { signal }: MemberCallOptions): Promise<MemberResult<MemberAnswer>> {
    this.requests.push(request);
    const aborted = new Promise<MemberResult<MemberAnswer>>((resolve) => {
      const fail = () => resolve(failing({ kind: 'timeout', reason: 'timed out' }));
      if (signal.aborted) fail();
      else signal.addEventListener('abort', fail, { once: true });
    });
    return Promise.race([aborted, this.answer(request)]);
  }

  async identify(): Promise<MemberResult<IdentityAnswer>> {
    return failing({ kind: 'notSupported', reason: 'not asked in tests' });
  }

  async *watch(): AsyncGenerator<MemberEventPage> {}
}

/** Answers as a native member does: over JSON, errors with a code, invalid documents refused. */
export function answeringFrom(schema: GraphQLSchema): FakeAnswer {
  return async ({ document, operationName, variables }) => {
    const invalid = validate(schema, document);
    if (invalid.length > 0) {
      const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
      return answering({ data: null, errors: invalid.map(({ message }) => ({ message, extensions })) });
    }
    const result = await execute({ schema, document, operationName, variableValues: variables });
    const errors = (result.errors ?? []).map(({ message, path, originalError }): MemberErrorEntry => {
      const cause = originalError instanceof FlotillaError ? originalError : undefined;
      return {
        message,
        path,
        extensions: { ...cause?.details, code: cause?.code ?? 'INTERNAL_SERVER_ERROR' },
      };
    });
    return answering(JSON.parse(JSON.stringify({ data: result.data ?? null, errors })) as MemberAnswer);
  };
}

export function answering(answer: MemberAnswer): MemberResult<MemberAnswer> {
  return { kind: 'answer', answer };
}

/** A whole answer without errors. */
export function answeringData(data: Record<string, unknown>): FakeAnswer {
  return () => answering({ data, errors: [] });
}

/** An answer that is one error and no data. */
export function answeringError(
  code: string,
  message: string,
  extensions: Record<string, unknown> = {},
): FakeAnswer {
  return () => answering({ data: null, errors: [{ message, extensions: { ...extensions, code } }] });
}

export function failing(failure: MemberFailure): MemberResult<never> {
  return { kind: 'failure', failure };
}

/** Never answers. */
export const hanging: FakeAnswer = () => new Promise(() => {});
