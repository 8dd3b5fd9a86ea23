/** Whatever happens to the members, the fan-in and its readers: a reader that resumes sees each member's log once, in order, whole. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamItem } from '../../../gateway/stream/FleetStream.ts';
import { settled } from '../../support/until.ts';
import { type FanIn, type FanInReader, offsetsOf, openFanIn, range } from './openFanIn.ts';

const MEMBERS = ['alpha', 'beta'] as const;
const START = 'alpha=0,beta=0,hq=0';

type Happening =
  | { readonly kind: 'append'; readonly member: (typeof MEMBERS)[number]; readonly count: number }
  | { readonly kind: 'drop' | 'cut' | 'plug' | 'hang'; readonly member: (typeof MEMBERS)[number] }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'read'; readonly reader: number; readonly count: number }
  | { readonly kind: 'resume'; readonly reader: number }
  | { readonly kind: 'restart' };

const member = fc.constantFrom(...MEMBERS);
const reader = fc.integer({ min: 0, max: 1 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('append'), member, count: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('drop', 'cut', 'plug', 'hang'), member }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait'), seconds: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read'), reader, count: fc.integer({ min: 1, max: 600 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume'), reader }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
);

test('any cut of the stream and resume gives the same sequence', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (happenings) => {
      await using fleet = openFanIn(MEMBERS);
      const histories = [new History(fleet), new History(fleet)];
      for (const each of happenings) await happen(fleet, histories, each);
      for (const name of MEMBERS) fleet.member(name).plug();
      for (const history of histories) {
        await history.readToTheEnd();
        for (const name of MEMBERS) {
          expect(offsetsOf(history.items, name)).toEqual(range(1, fleet.log(name).end()));
        }
        expect(history.items.filter(({ kind }) => kind === 'desync')).toEqual([]);
        await history.leave();
      }
    }),
    { numRuns: 60 },
  );
});

async function happen(fleet: FanIn, histories: readonly History[], each: Happening): Promise<void> {
  switch (each.kind) {
    case 'append':
      fleet.log(each.member).add(each.count);
      return;
    case 'wait':
      fleet.clock.advance(each.seconds * 1000);
      await settled();
      return;
    case 'read':
      await histories[each.reader]?.read(each.count);
      return;
    case 'resume':
      await histories[each.reader]?.resume();
      return;
    case 'restart':
      await fleet.restart();
      for (const history of histories) await history.resume();
      return;
    default:
      fleet.member(each.member)[each.kind]();
  }
}

/** What one client has seen over all of its connections. */
class History {
  readonly items: StreamItem[] = [];
  readonly #fleet: FanIn;
  #reader: FanInReader;

  constructor(fleet: FanIn) {
    this.#fleet = fleet;
    this.#reader = fleet.subscribe({ after: START });
  }

  async read(count: number): Promise<void> {
    this.items.push(...(await this.#reader.poll(count)));
  }

  /** As a client does: after the last item that it has. */
  async resume(): Promise<void> {
    await this.leave();
    this.#reader = this.#fleet.subscribe({ after: this.items.at(-1)?.cursor ?? START });
  }

  async readToTheEnd(): Promise<void> {
    const { clock } = this.#fleet;
    const isComplete = (): boolean =>
      MEMBERS.every((name) => (offsetsOf(this.items, name).at(-1) ?? 0) >= this.#fleet.log(name).end());
    for (let turn = 0; turn < 100 && !isComplete(); turn += 1) {
      await this.read(Number.MAX_SAFE_INTEGER);
      clock.advance(5000);
    }
    await this.read(Number.MAX_SAFE_INTEGER);
  }

  async leave(): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
  }
}
