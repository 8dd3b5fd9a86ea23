/**
 * Whatever happens to the members, the fan-in and its readers: of each member's log a reader is told every event once and in order,
 * or that it was not.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFleetCursor } from '../../../gateway/cursor/FleetCursor.ts';
import type { StreamItem } from '../../../gateway/stream/FleetStream.ts';
import { settled } from '../../support/until.ts';
import { type FanIn, type FanInReader, offsetsOf, openFanIn, range } from './openFanIn.ts';

const MEMBERS = ['alpha', 'beta', 'gamma'] as const;
type Name = (typeof MEMBERS)[number];
const START = 'alpha=0,beta=0,gamma=0,hq=0';

interface Change {
  readonly kind: 'join' | 'leave';
  readonly member: Name;
}

type Incident =
  | { readonly kind: 'append'; readonly member: Name; readonly count: number }
  | { readonly kind: 'drop' | 'cut' | 'plug' | 'hang'; readonly member: Name }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'read'; readonly reader: number; readonly count: number }
  | { readonly kind: 'resume' | 'begin'; readonly reader: number }
  | { readonly kind: 'restart' };

const member = fc.constantFrom(...MEMBERS);
const reader = fc.integer({ min: 0, max: 1 });
const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 600 }));

/** Nobody joins or leaves, and who reads has begun with everything. */
const ordinary = [
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
    arbitrary: fc.record({ kind: fc.constant('read'), reader, count }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume'), reader }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
] as const;

const changing = [
  ...ordinary,
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('join', 'leave'), member }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('begin'), reader }) },
] as const;

test('any cut of the stream and resume gives the same sequence', { timeout: 120_000 }, async () => {
  const happenings: fc.Arbitrary<Incident[]> = fc.array(fc.oneof(...ordinary), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(happenings, async (each) => {
      await using fleet = openFanIn(MEMBERS);
      for (const { items } of await live(fleet, { happenings: each, joined: MEMBERS })) {
        for (const name of MEMBERS) {
          expect(offsetsOf(items, name)).toEqual(range(1, fleet.log(name).end()));
        }
        expect(items.filter(({ kind }) => kind === 'desync')).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test('members that join, leave and are down cause no gap that is not told, once', {
  timeout: 120_000,
}, async () => {
  const happenings: fc.Arbitrary<(Incident | Change)[]> = fc.array(fc.oneof(...changing), {
    minLength: 10,
    maxLength: 40,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(happenings, async (each) => {
      await using fleet = openFanIn(['alpha', 'beta']);
      for (const { chronicle } of await live(fleet, { happenings: each, joined: ['alpha', 'beta'] })) {
        for (const name of MEMBERS) {
          expect({ name, faults: faultsOf(chronicle, { name, end: fleet.log(name).end() }) }).toEqual({
            name,
            faults: [],
          });
        }
      }
    }),
    { numRuns: 60 },
  );
});

/** Lets everything happen to two readers; in the end all members are there, and are read to their ends. */
async function live(
  fleet: FanIn,
  {
    happenings,
    joined,
  }: { readonly happenings: readonly (Incident | Change)[]; readonly joined: readonly Name[] },
): Promise<readonly History[]> {
  const histories = [new History(fleet), new History(fleet)];
  const registered = new Set<Name>(joined);
  const change = (name: Name, isMember: boolean): void => {
    if (registered.has(name) === isMember) return;
    if (isMember) registered.add(name);
    else registered.delete(name);
    for (const history of histories) history.chronicle.push({ kind: 'changed', name });
    fleet.register([...registered]);
  };
  for (const each of happenings) {
    if (isChange(each)) change(each.member, each.kind === 'join');
    else await happen(fleet, histories, each);
  }
  for (const name of MEMBERS) {
    change(name, true);
    fleet.member(name)?.plug();
  }
  for (const history of histories) {
    await history.readToTheEnd();
    await history.leave();
  }
  return histories;
}

function isChange(happening: Incident | Change): happening is Change {
  return happening.kind === 'join' || happening.kind === 'leave';
}

async function happen(fleet: FanIn, histories: readonly History[], each: Incident): Promise<void> {
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
    case 'begin':
      await histories[each.reader]?.[each.kind]();
      return;
    case 'restart':
      await fleet.restart();
      for (const history of histories) await history.resume();
      return;
    default:
      fleet.member(each.member)?.[each.kind]();
  }
}

/** What a reader was told, and what it has to be judged by. */
type Entry =
  | StreamItem
  /** A subscription without a cursor, and the ends of the logs then. */
  | { readonly kind: 'begun'; readonly ends: ReadonlyMap<string, number> }
  | { readonly kind: 'changed'; readonly name: Name };

/** What one client has seen over all of its connections. */
class History {
  readonly chronicle: Entry[] = [];
  readonly #fleet: FanIn;
  #reader: FanInReader;
  #cursor: string | undefined = START;

  constructor(fleet: FanIn) {
    this.#fleet = fleet;
    this.#reader = fleet.subscribe({ after: START });
  }

  get items(): readonly StreamItem[] {
    return this.chronicle.filter((entry) => entry.kind !== 'begun' && entry.kind !== 'changed');
  }

  async read(count: number): Promise<void> {
    const items = await this.#reader.poll(count);
    this.chronicle.push(...items);
    this.#cursor = items.at(-1)?.cursor ?? this.#cursor;
  }

  /** As a client does: after the last item that it has. */
  async resume(): Promise<void> {
    if (this.#cursor === undefined) return this.begin();
    await this.leave();
    this.#reader = this.#fleet.subscribe({ after: this.#cursor });
  }

  /** From now on, whatever it had before. */
  async begin(): Promise<void> {
    await this.leave();
    this.#cursor = undefined;
    this.#reader = this.#fleet.subscribe();
    const ends = MEMBERS.map((name) => [name, this.#fleet.log(name).end()] as const);
    this.chronicle.push({ kind: 'begun', ends: new Map(ends) });
    // The members that are there tell the ends of their logs.
    await settled();
  }

  async readToTheEnd(): Promise<void> {
    const { clock } = this.#fleet;
    for (let turn = 0; turn < 100 && !this.#isComplete(); turn += 1) {
      await this.read(Number.MAX_SAFE_INTEGER);
      clock.advance(5000);
    }
    await this.read(Number.MAX_SAFE_INTEGER);
  }

  async leave(): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
  }

  #isComplete(): boolean {
    const cursor = parseFleetCursor(this.#cursor ?? START);
    return MEMBERS.every((name) => cursor.get(name) === this.#fleet.log(name).end());
  }
}

/** What is wrong with what was told of one member, whose log ends at `end`. */
function faultsOf(
  chronicle: readonly Entry[],
  { name, end }: { readonly name: Name; readonly end: number },
): readonly string[] {
  const faults: string[] = [];
  /** Everything up to here was told or need not be; after a beginning older events may come as well. */
  let seen = 0;
  let isBeginning = false;
  let isNew = name === 'gamma';
  for (const entry of chronicle) {
    if (entry.kind === 'begun') {
      seen = entry.ends.get(name) ?? 0;
      isBeginning = true;
    } else if (entry.kind === 'changed') {
      isNew ||= entry.name === name;
    } else if (entry.kind === 'desync') {
      if (entry.instance === undefined) faults.push(`a desync of nobody: ${entry.reason}`);
      if (entry.instance !== name) continue;
      const position = parseFleetCursor(entry.cursor).get(name) ?? -1;
      if (position <= seen && !isBeginning && !isNew) faults.push(`a desync without a gap at ${position}`);
      if (position < seen) faults.push(`a desync that goes back from ${seen} to ${position}`);
      [seen, isBeginning, isNew] = [position, false, false];
    } else if (entry.kind === 'event' && entry.instance === name) {
      const { offset } = entry.event;
      const isNext = isBeginning ? offset <= seen + 1 : offset === seen + 1;
      if (!isNext) faults.push(`${offset} after ${seen}`);
      [seen, isBeginning] = [offset, false];
    }
  }
  if (seen !== end) faults.push(`told up to ${seen} of ${end}`);
  return faults;
}
