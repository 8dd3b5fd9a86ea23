/** Texts of members that are kept, cut to a bound. Pure. */

/**
 * The first `max` UTF-16 units; a pair that is cut apart is U+FFFD. What is cut is a copy: V8 keeps a whole text in memory for as long
 * as a piece of it is in use.
 */
export function cutText(text: string, max: number): string {
  return text.length > max ? Buffer.from(text.slice(0, max)).toString() : text;
}
