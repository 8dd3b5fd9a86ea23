/** Operations as tests ask them of a member. */
import type { MemberAnswer, MemberResult } from '../../../gateway/member/Member.ts';

export interface Asking {
  /** The data of an operation that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  ask(text: string, variables?: Record<string, unknown>): Promise<any>;
  /** Code and text of the first error of an operation that must fail. */
  refusal(text: string): Promise<{ readonly code: unknown; readonly message: string }>;
}

export function askThrough(
  execute: (text: string, variables?: Record<string, unknown>) => Promise<MemberResult<MemberAnswer>>,
): Asking {
  return {
    async ask(text, variables) {
      const result = await execute(text, variables);
      if (result.kind === 'failure') throw new Error(result.failure.reason);
      const [error] = result.answer.errors;
      if (error) throw new Error(error.message);
      return result.answer.data;
    },
    async refusal(text) {
      const result = await execute(text);
      const error = result.kind === 'answer' ? result.answer.errors[0] : undefined;
      if (!error) throw new Error('The operation was expected to fail');
      return { code: error.extensions?.code, message: error.message };
    },
  };
}
