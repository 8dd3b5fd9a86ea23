/** A member's SDL, as it tells it itself (design § 3 "Version skew"). */
import { parse } from 'graphql';
import type { MemberAnswer, MemberRequest } from './Member.ts';

/** Longest SDL that is taken, in characters. */
const MAX_SDL = 1_000_000;

const SDL_TEXT = 'query sdl { _service { sdl } }';
/** Asks a member for its SDL. */
export const SDL_REQUEST: MemberRequest = {
  text: SDL_TEXT,
  document: parse(SDL_TEXT, { noLocation: true }),
  operationName: 'sdl',
  variables: {},
};

/** The SDL in the answer to `SDL_REQUEST`; undefined when it holds none, or one that is too long. */
export function readSdl({ data }: MemberAnswer): string | undefined {
  const sdl = (data?._service as { readonly sdl?: unknown } | null | undefined)?.sdl;
  return typeof sdl === 'string' && sdl.length <= MAX_SDL ? sdl : undefined;
}
