/** Amounts of the currency of the price table: the core counts in millionths, the wire in whole units. */
const MICROS = 1_000_000;

export function toCost(micros: number | undefined): number | undefined {
  return micros === undefined ? undefined : micros / MICROS;
}

/** Rounded to a millionth. */
export function toMicros(cost: number): number {
  return Math.round(cost * MICROS);
}
