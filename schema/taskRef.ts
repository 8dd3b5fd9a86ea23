/** The identity of a task in the contract: `provider:[host/]owner/repo#number` (spec/rest-shapes.md, Ref grammar). */

/** Longest ref, in characters. */
const MAX_LENGTH = 512;

const PROVIDER = '[a-z][a-z0-9-]*';
const SEGMENT = '[^\\s/#\\p{C}]+';
const REF = new RegExp(`^${PROVIDER}:(?:${SEGMENT}/)?${SEGMENT}/${SEGMENT}#(?:0|[1-9][0-9]{0,14})$`, 'u');

/** Provider of the refs that an instance numbers itself; nobody else gives them out. */
export const OWN_PROVIDER = 'flotilla';

/** Whether the text is a ref in its one written form: `github.com` is never written, nor is a number with leading zeros. */
export function isTaskRef(text: string): boolean {
  return text.length <= MAX_LENGTH && REF.test(text) && !/^[a-z0-9-]+:github\.com\/[^/]+\//.test(text);
}

/** Namespace of the tasks of standing sessions, which are no work items. */
const STANDING_PREFIX = 'standing:';

/** The ref of the task of a standing session. */
export function formatStandingRef(name: string): string {
  return `${STANDING_PREFIX}${name}`;
}

/** Whether the ref is that of a standing session; such a task is in no list of work items. */
export function isStandingRef(ref: string): boolean {
  return ref.startsWith(STANDING_PREFIX);
}

/** The ref of the instance's own task number `number`. */
export function formatOwnRef(instance: string, number: number): string {
  return `${OWN_PROVIDER}:${instance}/task#${number}`;
}
