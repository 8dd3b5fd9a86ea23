/** JSON texts with halves of surrogate pairs in them (RFC 8259 § 8.2): strict readers refuse the whole text for one half. */

/** What may be a half; most texts have none. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Escapes from left to right: a backslash, a whole pair, and a half. Texts that were bytes, or come from a serializer, have no other half. */
const ESCAPES =
  /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2}))/g;

/** The same text with U+FFFD for each half, as every encoder of UTF-8 has it. What is no JSON stays none. */
export function toWellFormedJson(json: string): string {
  if (!SURROGATE.test(json)) return json;
  return json.replaceAll(ESCAPES, (whole, half?: string) => (half === undefined ? whole : '\ufffd'));
}
