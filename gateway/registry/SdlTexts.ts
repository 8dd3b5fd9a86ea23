/**
 * The SDLs of members of other versions, one copy of each: a thousand members of one version tell the same text.
 *
 * Texts are compared whole: the hash that a member claims for its own is no proof that it is that of another one's. Of more than 32
 * different ones the copy of the one that was told least recently is no longer found, and stays with those who have it.
 */
import { LRUCache } from 'lru-cache';

const MAX_TEXTS = 32;

export class SdlTexts {
  readonly #texts = new LRUCache<string, string>({ max: MAX_TEXTS });

  /** The copy to keep in place of an equal text. */
  share(sdl: string): string {
    const known = this.#texts.get(sdl);
    if (known === undefined) this.#texts.set(sdl, sdl);
    return known ?? sdl;
  }
}
