/**
 * Splits a command's arguments at white space (spec/worker.md § 4.1).
 *
 * Double quotes group and are dropped; an unclosed one groups the rest. There is no other escaping,
 * and `""` is an empty argument.
 */
export function splitArguments(args: string): string[] {
  return [...args.matchAll(/(?:[^\s"]|"[^"]*(?:"|$))+/g)].map(([argument]) => argument.replaceAll('"', ''));
}
