/** What the inputs of many operations have in common, and how they become variables of the graph. */
import { parseRef } from '../rows.ts';

export interface ByInstance {
  /** Empty is the instance that is asked. */
  readonly instance: string;
}

export interface ByRef extends ByInstance {
  readonly ref: string;
}

export interface ByName extends ByInstance {
  readonly name: string;
}

export function toInstance({ instance }: ByInstance): { instance: string | null } {
  return { instance: instance || null };
}

/** @throws {FlotillaError} BAD_USER_INPUT when the text is not a ref. */
export function toKey({ ref, instance }: ByRef): { ref: string; instance: string | null } {
  return { ref: parseRef(ref), instance: instance || null };
}

/** What is given beside the key stays as it is. @throws {FlotillaError} BAD_USER_INPUT when the text is not a ref. */
export function withKey<Input extends ByRef>(input: Input): Input & { instance: string | null } {
  return { ...input, ...toKey(input) };
}

/** The contract writes none as an empty text. Keys are read before: an empty one is wrong, not none. */
export function withoutEmpty<Input extends object>(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== '')) as Input;
}
