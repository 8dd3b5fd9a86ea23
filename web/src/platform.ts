/** The browser's time and chance, injected so that everything else can be tested without it. */

export interface Platform {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Calls `callback` once after `delayMs`; the result cancels it. */
  schedule(delayMs: number, callback: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
  /** An id that was never used before. */
  newId(): string;
}

export const browserPlatform: Platform = {
  nowMs: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  // `randomUUID` is missing where the page comes over plain HTTP from another machine.
  newId: () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-'),
};
