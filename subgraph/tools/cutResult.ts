/** The text, when it is longer than `maxBytes` of UTF-8 its beginning and a sentence that says so. Never splits a character. */
export function cutResult(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return `${text.slice(0, read)}\n[The result is cut here: it has ${bytes} bytes, ${maxBytes} are kept.]`;
}
