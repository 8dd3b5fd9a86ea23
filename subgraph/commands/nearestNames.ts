/** Names that a mistyped one may have meant. Pure. */

/** Most names that are suggested. */
const LIMIT = 3;

/** The known names within a third of the name's length in edits (at least 2) or that it begins, nearest first; at most 3. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const tolerance = Math.max(2, Math.floor(name.length / 3));
  return known
    .map((candidate) => ({ candidate, edits: candidate.startsWith(name) ? 0 : distance(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= tolerance && edits < candidate.length)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, LIMIT)
    .map(({ candidate }) => candidate);
}

/** Insertions, deletions, replacements and swaps of neighbours from one text to the other. */
function distance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isEqual = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (isEqual ? 0 : 1),
        isSwap ? beforePrevious[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
}
