/**
 * An async generator whose `return()` works while it waits.
 *
 * A plain generator that is suspended in an `await` queues `return()` behind it: a quiet subscription would never
 * end. Here `return()` first aborts the signal that the generator was given, which ends the wait.
 */
export function closableIterable<T>(generate: (signal: AbortSignal) => AsyncGenerator<T>): AsyncGenerator<T> {
  const controller = new AbortController();
  const inner = generate(controller.signal);
  const close = async (): Promise<IteratorResult<T>> => {
    controller.abort(new DOMException('The reader has left', 'AbortError'));
    try {
      return await inner.return(undefined);
    } catch {
      // Nobody is left to be told: what a wait throws when it is cut is no news.
      return { value: undefined, done: true };
    }
  };
  return {
    next: () => inner.next(),
    return: close,
    throw: close,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}
