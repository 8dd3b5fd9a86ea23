/** A ref names one work item and one session of an instance: those of its newest task (spec/rest-on-tasks.md, Identity). Pure. */

/** @param rows the oldest first. @returns those that no later one has the ref of, in their order. */
export function newestOfEachRef<Row extends { readonly ref: string }>(rows: readonly Row[]): readonly Row[] {
  const newest = new Map(rows.map((row) => [row.ref, row]));
  return rows.filter((row) => newest.get(row.ref) === row);
}
