/** Who was left out of an answer, as its extensions and its header name them (spec/manager.md § 11). */
import type { FleetContext } from '../../gateway/index.ts';
import type { Redactor } from '../../lib/redact.ts';

/** Response header with the names of the members whose rows are missing. */
export const UNREACHABLE_HEADER = 'The-Loop-Instances-Unreachable';

/** Undefined when nothing is missing: a complete answer carries no extensions. Details may be what a member said, and are redacted. */
export function fleetExtensions(
  { unreachable, warnings }: Pick<FleetContext, 'unreachable' | 'warnings'>,
  redact: Redactor,
): Record<string, unknown> | undefined {
  if (unreachable.size === 0 && warnings.length === 0) return undefined;
  const names = unreachableNames({ unreachable });
  return {
    fleet: {
      unreachable: names
        .map((name) => unreachable.get(name))
        .map((missing) => missing && { ...missing, detail: redact(missing.detail) }),
      ...(warnings.length > 0 && { warnings }),
    },
    ...(names.length > 0 && { unreachable: names }),
  };
}

/** Registered names in code-point order. */
export function unreachableNames({ unreachable }: Pick<FleetContext, 'unreachable'>): string[] {
  return [...unreachable.keys()].sort();
}
