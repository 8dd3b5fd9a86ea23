/** A stream whose every value is mapped, and whose end by an error is one more value. */

export interface StreamMapping<From, To> {
  map(value: From): To;
  /** The last value of a stream whose source throws. */
  onError(error: unknown): To;
  /** The reader has left: has to end what the source may be waiting for, since a generator that waits does not hear of it. */
  onReturn(): void;
}

/** Pulls the source only when it is pulled itself. */
export function mapStream<From, To>(
  source: AsyncIterable<From>,
  { map, onError, onReturn }: StreamMapping<From, To>,
): AsyncGenerator<To> {
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    isOver = true;
    onReturn();
    // What a wait throws when it is cut is no news to a reader that has left.
    await iterator.return?.().catch(() => undefined);
    return { value: undefined, done: true };
  };
  return {
    async next() {
      if (isOver) return { value: undefined, done: true };
      try {
        const { value, done } = await iterator.next();
        if (!done) return { value: map(value), done: false };
        isOver = true;
        return { value: undefined, done: true };
      } catch (error) {
        if (isOver) return { value: undefined, done: true };
        isOver = true;
        return { value: onError(error), done: false };
      }
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
