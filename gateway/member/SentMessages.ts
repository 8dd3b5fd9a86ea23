/**
 * Messages that were sent to a member that would not know a repeated one.
 *
 * A repeated id is answered without sending again, for the newest 1,000 and for as long as the manager runs. A message whose sending
 * throws is not remembered: who must not send it again resolves with what went wrong.
 */
import { LRUCache } from 'lru-cache';

const MAX_MESSAGES = 1000;

export interface Sent<Answer> {
  readonly answer: Answer;
  /** The id was there already; nothing was sent. */
  readonly isDuplicate: boolean;
}

/** `Answer` is what is kept of an answer. */
export class SentMessages<Answer> {
  readonly #answers = new LRUCache<string, Promise<Answer>>({ max: MAX_MESSAGES });

  /** Those that come with the same key while the first one is under way share its answer, and its failure. */
  async once(key: string, send: () => Promise<Answer>): Promise<Sent<Answer>> {
    const known = this.#answers.get(key);
    if (known) return { answer: await known, isDuplicate: true };
    const sending = send();
    this.#answers.set(key, sending);
    try {
      return { answer: await sending, isDuplicate: false };
    } catch (error) {
      this.#answers.delete(key);
      throw error;
    }
  }
}
