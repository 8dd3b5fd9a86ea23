/** Reading one component of a plugin: it comes to a value or to the reason why it is skipped. */

/** Why a component is not loaded. */
export interface Flaw {
  readonly code: string;
  readonly reason: string;
}

export type Part<Value> = { readonly value: Value } | { readonly flaw: Flaw };

/** The component's own fault; the code is that of its kind, such as `skill.invalid`. */
export function flaw(code: string, reason: string): { readonly flaw: Flaw } {
  return { flaw: { code, reason } };
}

/** First problem that a schema found, with its place. */
export function problemOf(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): string {
  const [issue] = error.issues;
  if (!issue) return 'it has an unknown form';
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message;
}
