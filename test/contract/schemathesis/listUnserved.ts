/** What a run has shown nothing of: operations that refused every request. Pure. */

/** How often an operation was carried out, by the phase of the run; the report's own form. */
export type ServedCounts = Readonly<Record<string, { readonly accepted: number }>>;

export interface ContractReport {
  /** By `METHOD path`. */
  readonly valid_rates: Readonly<Record<string, ServedCounts>>;
}

export interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
}

/** Only a manager has a registry to write to. */
const OF_MANAGERS = new Set(['registerInstance', 'unregisterInstance']);

/** By operationId, in the order of the document. What takes a tracker is left out: an instance of ours has none. */
export function listUnserved(
  { valid_rates }: ContractReport,
  { paths }: ContractDocument,
  role: 'worker' | 'manager',
): readonly string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { operationId, tags }]) => {
      if (tags.includes('tracker') || (role === 'worker' && OF_MANAGERS.has(operationId))) return [];
      const counts = Object.values(valid_rates[`${method.toUpperCase()} ${path}`] ?? {});
      return counts.some(({ accepted }) => accepted > 0) ? [] : [operationId];
    }),
  );
}
