/**
 * Messages that were sent to a member whose contract knows no ids of messages.
 *
 * A repeated id is answered without sending again, for the newest 1,000 and for as long as the manager runs. A message whose
 * answer was lost is not remembered: whether it arrived is not known, and who sends it again wants it to.
 */
import { LRUCache } from 'lru-cache';
import type { Row } from './RestCalls.ts';

const MAX_MESSAGES = 1000;

export interface Sent {
  readonly answer: Row;
  /** The id was there already; nothing was sent. */
  readonly isDuplicate: boolean;
}

export class SentMessages {
  readonly #answers = new LRUCache<string, Promise<Row>>({ max: MAX_MESSAGES });

  /** Those that come with the same key while the first one is under way share its answer, and its failure. */
  async once(key: string, send: () => Promise<Row>): Promise<Sent> {
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
