/**
 * Globs over the paths of a checkout: `*` is any run of characters within one part, `**` any number of parts, `{a,b}` either.
 * A glob without a slash is about names in any folder.
 */
import { matchesGlob } from '../../lib/matchesGlob.ts';
import { badUserInput } from '../../schema/errors.ts';

const MAX_GLOBS = 50;
const MAX_LENGTH = 500;

/** Globs that one with braces may stand for. */
const MAX_ALTERNATIVES = 100;

/**
 * Whether a path, with forward slashes and relative to the checkout, is matched by one of them.
 *
 * @throws {FlotillaError} BAD_USER_INPUT for too many or too long ones, and for braces that do not close or stand for too much.
 */
export function buildPathMatcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length > MAX_GLOBS) {
    throw badUserInput(`Cannot read globs: there are ${globs.length}, at most ${MAX_GLOBS} are expected`);
  }
  const patterns = globs.flatMap(toPatterns);
  return (path) => {
    const parts = path.split('/');
    return patterns.some((pattern) => matchesParts(pattern, parts));
  };
}

function toPatterns(glob: string): string[][] {
  if (glob === '' || glob.length > MAX_LENGTH) {
    throw badUserInput(`Cannot read glob: it has ${glob.length} characters, 1 to ${MAX_LENGTH} are expected`);
  }
  return expandBraces(glob).map((each) => {
    const parts = each.split('/').filter((part) => part !== '' && part !== '.');
    return parts.length > 1 ? parts : ['**', ...parts];
  });
}

/** The first pair of braces is expanded until none is left. */
function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const left = [glob];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const match = /^(?<before>[^{]*)\{(?<body>[^{}]*)\}(?<after>.*)$/.exec(next);
    if (!match?.groups) {
      if (/[{}]/.test(next)) {
        throw badUserInput(
          `Cannot read glob: "${glob}" has a brace on its own or within another, plain pairs are expected`,
        );
      }
      done.push(next);
    } else {
      const { before = '', body = '', after = '' } = match.groups;
      left.push(...body.split(',').map((each) => before + each + after));
    }
    if (done.length + left.length > MAX_ALTERNATIVES) {
      throw badUserInput(`Cannot read glob: "${glob}" stands for more than ${MAX_ALTERNATIVES} others`);
    }
  }
  return done;
}

/** Row by row, which parts of the path the pattern so far can end at: never more than their product. */
function matchesParts(pattern: readonly string[], parts: readonly string[]): boolean {
  let reached = [true, ...parts.map(() => false)];
  for (const piece of pattern) {
    const next = reached.map(() => false);
    for (let at = 0; at <= parts.length; at++) {
      if (piece === '**') next[at] = reached[at] === true || (at > 0 && next[at - 1] === true);
      else if (at > 0) next[at] = reached[at - 1] === true && matchesGlob(piece, parts[at - 1] ?? '');
    }
    reached = next;
  }
  return reached.at(-1) === true;
}
