/** The next turn of the event loop: what waits for a socket or a timer comes first. */

/** Resolves in a turn of its own. Between two pieces of long work it lets everybody else have theirs. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
