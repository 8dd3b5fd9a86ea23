/** Maps what a source yields, several items at once, and yields the results in the order of the items. */
import { closableIterable } from '../../lib/closableIterable.ts';

/**
 * At most `limit` items are ahead of the reader, mapped or being mapped. The source has to take `next` before the last
 * one has settled, and its `return` has to end those that wait, as `closableIterable` does.
 */
export function mapInOrder<T, R>(
  source: AsyncIterable<T>,
  limit: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const iterator = source[Symbol.asyncIterator]();
  const leave = (): void => void iterator.return?.();
  const pull = async (): Promise<IteratorResult<R>> => {
    const { value, done } = await iterator.next();
    return done ? { value: undefined, done } : { value: await map(value), done: false };
  };
  return closableIterable((closed) => {
    closed.addEventListener('abort', leave, { once: true });
    return pulled(pull, limit);
  });
}

async function* pulled<R>(pull: () => Promise<IteratorResult<R>>, limit: number): AsyncGenerator<R> {
  const ahead: Promise<IteratorResult<R>>[] = [];
  for (;;) {
    while (ahead.length < limit) {
      const result = pull();
      // A failure is told in its turn, or to nobody when the reader has left before.
      result.catch(() => {});
      ahead.push(result);
    }
    const result = await (ahead.shift() as Promise<IteratorResult<R>>);
    if (result.done) return;
    yield result.value;
  }
}
