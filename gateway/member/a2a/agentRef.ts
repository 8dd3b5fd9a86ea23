/**
 * The ref of an agent's task in the fleet: `a2a:<member>/<id>#1`, the id as in a URL. Pure.
 *
 * An agent's ids are any texts, and every face takes refs of the contract's form alone (spec/rest-shapes.md, Ref grammar); the number
 * says nothing. The name tells whose task it is, so that no agent is asked for the task of another one.
 */

const PROVIDER = 'a2a';

/** Longest id in a ref, in characters of the ref: a list by ref has a cursor of ref and id, which has a bound (`parsePageCursor`). */
const MAX_ENCODED = 350;

/** Whether it is an id that can be asked for, in a path as well, and that has a ref. */
export function isTaskId(id: unknown): id is string {
  if (typeof id !== 'string' || id.length > MAX_ENCODED || !/^(?!\.{0,2}$)\P{C}*$/u.test(id)) return false;
  return encodeURIComponent(id).length <= MAX_ENCODED;
}

/** @param member the registered name. */
export function formatAgentRef(member: string, id: string): string {
  return `${PROVIDER}:${member}/${encodeURIComponent(id)}#1`;
}

/** The id in a ref of the member's own, in its one written form; undefined for any other text. */
export function parseAgentRef(member: string, ref: string): string | undefined {
  const [, encoded = ''] = /^a2a:[^/]+\/([^/#]+)#1$/.exec(ref) ?? [];
  const id = decode(encoded);
  return isTaskId(id) && formatAgentRef(member, id) === ref ? id : undefined;
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
