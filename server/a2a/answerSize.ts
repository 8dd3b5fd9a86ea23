/** How large an answer may become. */

/** Most bytes of the tasks of a page, and of the messages of a task; one of them alone may have more. */
export const MAX_ANSWER_BYTES = 4_194_304;

/** In bytes of its JSON. */
export function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
