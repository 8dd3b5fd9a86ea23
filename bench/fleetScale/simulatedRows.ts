/** The rows of a simulated fleet: one a second, in turns over the members. */

/** Epoch milliseconds of the fleet's `place`-th row. */
export function atOf(place: number): number {
  return Date.UTC(2026, 0, 1) + place * 1000;
}
