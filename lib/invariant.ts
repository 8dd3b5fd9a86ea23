/** Throws a plain Error when a defect of ours shows: the condition is one that the code itself must hold. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}

/** Marks the branch of an exhaustive `switch` that cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`Invariant broken: unexpected ${JSON.stringify(value)}`);
}
