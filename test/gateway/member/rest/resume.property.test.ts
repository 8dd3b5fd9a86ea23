/** Any cut of a REST member's stream and any resume give the same events, once and in order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { record } from '../../../support/RestServer.ts';
import { type OpenRestMember, openRestMember, openWatch } from './openRestMember.ts';

/** What is appended between two connections; `private` is in the log and never on a stream. */
const batch = fc.array(fc.constantFrom('public', 'private', 'öffentlich'), { maxLength: 6 });

test('a watch that is cut and resumed anywhere gives every event once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), async (batches) => {
      await using alpha = await openRestMember();
      const seen: string[] = [];
      let position = 0;
      for (const kinds of batches) {
        append(alpha, kinds);
        await using watch = openWatch(alpha.member, position);
        // Each connection leaves a record of its own, behind what was there when it came.
        for (let isThere = false; !isThere; ) {
          const page = await watch.page();
          expect(page.desync).toBeUndefined();
          for (const { type, data } of page.events) {
            if (type === 'stream.subscribed') isThere = true;
            else seen.push(String((data as { n: number }).n));
          }
          position = page.seen;
        }
      }
      expect(seen).toEqual(publicOf(batches));
    }),
    { numRuns: 30 },
  );
});

test('pages of the log and the stream that goes on behind them meet without a gap', async () => {
  await fc.assert(
    fc.asyncProperty(batch, fc.integer({ min: 1, max: 4 }), async (kinds, first) => {
      await using alpha = await openRestMember();
      append(alpha, kinds);
      await using watch = openWatch(alpha.member, undefined);
      const { seen: floor } = await watch.page();
      const read: string[] = [];
      for (let position = 0; position < floor; ) {
        const result = await alpha.member.readLog?.(
          { after: position, first },
          { signal: new AbortController().signal },
        );
        if (result?.kind !== 'answer') throw new Error('A page was expected');
        const { events, end = events.at(-1)?.offset ?? position } = result.answer;
        const own = events.filter(({ offset }) => offset <= floor);
        read.push(...own.map(({ data }) => String((data as { n: number }).n)));
        expect(end).toBeGreaterThan(position);
        position = end;
      }
      expect(read).toEqual(publicOf([kinds]));
    }),
    { numRuns: 20 },
  );
});

let number = 0;

function append({ server }: OpenRestMember, kinds: readonly string[]): void {
  if (server.end === 0) number = 0;
  for (const kind of kinds) {
    number += 1;
    server.append(record(kind === 'private' ? 'api.request' : 'task.updated', { n: number, kind }));
  }
}

function publicOf(batches: readonly (readonly string[])[]): string[] {
  return batches.flat().flatMap((kind, index) => (kind === 'private' ? [] : [String(index + 1)]));
}
