/** Paths of requests to members of another make: pure. */

/** Values that are `undefined`, `null`, `''` or an empty list are left out; lists are repeated. */
export type TargetQuery = Readonly<
  Record<string, string | number | boolean | null | undefined | readonly string[]>
>;

/** A path with the operation's own arguments, encoded. */
export function formatTarget(path: string, query: TargetQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? (value as readonly string[]) : [value as string | undefined];
    for (const item of values) {
      if (item !== undefined && item !== null && item !== '') parameters.append(name, String(item));
    }
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
