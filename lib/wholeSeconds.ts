/** An instant in ISO 8601 without its fraction of a second, as the REST contract's records and probes have it. */
export function wholeSeconds(at: string): string {
  return at.replace(/\.\d+Z$/, 'Z');
}
