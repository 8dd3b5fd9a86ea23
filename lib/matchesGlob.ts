/**
 * Globs that know one sign: `*` is any run of characters, also an empty one.
 *
 * Not by a regular expression: the time of those grows without bound with the number of stars, and globs come from clients.
 */

/** Takes at most `glob.length * text.length` comparisons. */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let index = 0; index < text.length; ) {
    if (glob[at] === '*') {
      star = at;
      starAt = index;
      at += 1;
    } else if (glob[at] === text[index]) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      // The newest star takes one character more; earlier ones never need to.
      starAt += 1;
      index = starAt;
      at = star + 1;
    } else return false;
  }
  while (glob[at] === '*') at += 1;
  return at === glob.length;
}
