/**
 * What a probe learns of its member's schema (design § 3 "Version skew").
 *
 * A member whose identity document carries the hash of our own schema costs nothing. Of any other, the SDL is read once, by
 * the probe that has confirmed its name and before it is asked anything else. A member whose hash has changed, or that was
 * away, may be another build: what was learned is forgotten. One that tells no hash is read again now and then as well.
 */
import type { Member, MemberCallOptions } from '../member/Member.ts';
import { ownSchemaHash } from '../member/ownSchemaHash.ts';
import { readSdl, SDL_REQUEST } from '../member/readSdl.ts';
import type { MemberIdentity, MemberSchema } from './MemberRegistry.ts';
import type { SdlTexts } from './SdlTexts.ts';

/** Probes in a row after which the SDL of a member without a hash is read again. */
export const MAX_UNHASHED_PROBES = 20;

export interface LearnOptions extends MemberCallOptions {
  readonly identity: MemberIdentity;
  /** Whether the finding before was live as well. */
  readonly wasLive: boolean;
}

export class SchemaProbe {
  readonly #texts: SdlTexts;
  #known: MemberSchema | undefined;
  /** The member has not answered for its SDL yet: the next probe asks again. */
  #isOwed = false;
  /** Since the SDL was read. */
  #probes = 0;

  /** @param texts what all members of a fleet share. */
  constructor(texts: SdlTexts) {
    this.#texts = texts;
  }

  /** The same object as before while nothing tells that the schema may be another. Undefined: the member speaks no GraphQL. */
  async learn(member: Member, options: LearnOptions): Promise<MemberSchema | undefined> {
    const { graphql } = options.identity;
    if (!graphql) {
      this.#known = undefined;
      return undefined;
    }
    const { schemaHash: hash } = graphql;
    this.#probes += 1;
    if (!this.#known || this.#known.hash !== hash || !options.wasLive) this.#forget(hash);
    else if (hash === undefined && this.#probes >= MAX_UNHASHED_PROBES) this.#isOwed = true;
    if (this.#isOwed) await this.#read(member, options);
    return this.#known;
  }

  #forget(hash: string | undefined): void {
    this.#known = { hash, sdl: undefined };
    this.#isOwed = hash !== ownSchemaHash();
  }

  /** A failure leaves what was known: calls that are refused show what is wrong with it. */
  async #read(member: Member, { signal }: LearnOptions): Promise<void> {
    const result = await member.execute(SDL_REQUEST, { signal });
    if (result.kind === 'failure') return;
    this.#isOwed = false;
    this.#probes = 0;
    const sdl = readSdl(result.answer);
    this.#known = { hash: this.#known?.hash, sdl: sdl === undefined ? undefined : this.#texts.share(sdl) };
  }
}
