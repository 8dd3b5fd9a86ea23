/** Every requirement that a scenario can name, as the specifications print its id. Ids are never renumbered or used again. */

const MANAGER = [
  ...numbered('R1.', 6),
  ...numbered('R2.', 9),
  ...numbered('R3.', 4),
  ...numbered('R4.', 6),
  ...numbered('R5.', 6),
  ...numbered('R6.', 4),
  ...numbered('R7.', 3),
  ...['N-deps', 'N-cost', 'N-latency', 'N-reload', 'N-observability', 'N-compat'],
  ...numbered('T', 13),
  ...numbered('P', 10),
  ...numbered('M', 15),
  ...numbered('A', 13),
];

/** In the order of the specifications. */
export const REQUIREMENT_IDS: readonly string[] = [
  ...MANAGER.map((id) => `spec/manager.md#${id}`),
  ...numbered('', 79).map((id) => `spec/worker.md#${id}`),
  ...numbered('13.', 17).map((id) => `spec/worker.md#${id}`),
];

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}
