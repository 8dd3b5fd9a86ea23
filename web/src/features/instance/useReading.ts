/** One part of an instance, read when it may be, and kept while it cannot be read again. */
import { useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, type UseQueryArgs, useQuery } from 'urql';
import type { AnswerError } from '../../transport/problem.ts';

export interface Reading<Data> {
  /** Of the newest answer that had any; a failure afterwards leaves it. */
  readonly data: Data | undefined;
  readonly error: AnswerError | undefined;
  readonly extensions: unknown;
  readonly fetching: boolean;
  readonly read: () => void;
  /** Takes over what was learnt in another way, until the next answer. */
  readonly replace: (data: Data) => void;
}

/** Nothing is sent while there is a `reason` why not. */
export function useReading<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  reason: string | undefined,
): Reading<Data> {
  // Whether `variables` may be left out depends on their type, which is open here.
  const args = { query, variables, pause: reason !== undefined } as UseQueryArgs<Variables, Data>;
  const [{ data: newest, error, extensions, fetching }, read] = useQuery(args);
  const [held, hold] = useState({ answer: newest, data: newest });
  if (newest !== undefined && newest !== held.answer) hold({ answer: newest, data: newest });
  return {
    data: held.data,
    error,
    extensions,
    fetching,
    read: () => read(),
    replace: (data) => hold(({ answer }) => ({ answer, data })),
  };
}
