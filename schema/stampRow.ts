/** How a row says where it is from (spec/manager.md § 10.1). Pure. */

type Row = Readonly<Record<string, unknown>>;

/** The row as one of `origin`. What it called its instance itself is kept as `about` when that is another name. */
export function stampRow(row: Row, origin: string): Row {
  const { instance: prior, about } = row;
  const isOther = typeof prior === 'string' && prior !== '' && prior !== origin && about === undefined;
  return { ...row, ...(isOther && { about: prior }), instance: origin };
}
