/** What a request about one task names it by. */

/** A worker that is asked itself stamps no row; the ref alone finds its tasks. */
export function addressOf({ ref, instance }: { readonly ref: string; readonly instance: string }): {
  readonly ref: string;
  readonly instance: string | undefined;
} {
  return { ref, instance: instance === '' ? undefined : instance };
}
