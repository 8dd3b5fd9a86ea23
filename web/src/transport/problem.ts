/** What an answer says beside its data: what went wrong, and who is missing from it. */

/** A member whose rows are not in a list. */
export interface MissingMember {
  readonly instance: string;
  /** `unreachable` or `mismatched`, in lower case. */
  readonly state: string;
  readonly detail: string;
}

/** The part of urql's `CombinedError` that the page reads. */
export interface AnswerError {
  readonly message: string;
  readonly networkError?: Error;
  readonly graphQLErrors: readonly {
    readonly message: string;
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
  readonly response?: unknown;
}

/** One sentence for people. The server's own words are shown as they are. */
export function problemText(error: AnswerError): string {
  const [first, ...others] = error.graphQLErrors;
  if (first) return others.length === 0 ? first.message : `${first.message} (and ${others.length} more)`;
  const status = (error.response as { readonly status?: unknown } | undefined)?.status;
  if (typeof status === 'number' && status >= 400) return `The instance answered with HTTP status ${status}`;
  if (error.networkError?.name === 'TimeoutError') return 'The instance did not answer in time';
  return 'The instance cannot be reached';
}

/** Whether any error of the answer has this code. */
export function hasCode(error: AnswerError | undefined, code: string): boolean {
  return error?.graphQLErrors.some(({ extensions }) => extensions?.code === code) ?? false;
}

/** Reads `extensions.fleet.unreachable` (design § 3); entries of another shape are passed over. */
export function missingMembers(extensions: unknown): readonly MissingMember[] {
  const entries = field(field(extensions, 'fleet'), 'unreachable');
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const instance = field(entry, 'instance');
    if (typeof instance !== 'string') return [];
    const state = field(entry, 'state');
    const detail = field(entry, 'detail');
    return [
      {
        instance,
        state: typeof state === 'string' ? state.toLowerCase() : 'unreachable',
        detail: typeof detail === 'string' ? detail : '',
      },
    ];
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
