/** Text for people: tables and one-line facts. */
import type { Answer } from './FlotillaClient.ts';

/** Columns padded to their widest cell, two blanks between; no trailing blanks. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line of at most `width` characters, without what a terminal would obey; what is cut off shows as an ellipsis. */
export function toLine(text: string | null | undefined, width: number): string {
  const line = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

/** `INPUT_REQUIRED`, `AWAITING_MESSAGE` → `input required, awaiting message`. */
export function formatState(state: string, subState?: string | null): string {
  return [state, subState]
    .filter((part) => part)
    .join(', ')
    .replaceAll('_', ' ')
    .toLowerCase();
}

export function print(text: string): void {
  process.stdout.write(`${toPrintable(text)}\n`);
}

/** What a terminal would obey as the escape that JSON has for it, so that JSON stays what it is; line breaks and tabs stay. */
export function toPrintable(text: string): string {
  return text.replace(
    /(?!\r\n)[^\P{Cc}\n\t]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Says on stderr what is missing from an answer, so that a shorter list is never taken for a whole one. */
export function warnMissing({
  unreachable,
  warnings,
}: Pick<Answer<unknown>, 'unreachable' | 'warnings'>): void {
  for (const { instance, state, detail } of unreachable) {
    warn(`${instance} is missing from this list: ${state}${detail ? `, ${detail}` : ''}`);
  }
  for (const warning of warnings) warn(warning);
}

export function warn(text: string): void {
  process.stderr.write(`warning: ${toPrintable(text)}\n`);
}
