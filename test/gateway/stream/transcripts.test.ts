import { describe, expect, test } from 'vitest';
import type {
  Member,
  MemberEventPage,
  MemberLogPage,
  MemberLogRange,
  MemberResult,
  TranscriptTick,
} from '../../../gateway/member/Member.ts';
import { answered, failed } from '../../../gateway/member/memberFailure.ts';
import { toStreamRecord } from '../../../gateway/stream/StreamRecord.ts';
import { toIsoTime } from '../../../lib/Clock.ts';
import type { EventRecord } from '../../../subgraph/index.ts';
import { CableMember } from '../../support/CableMember.ts';
import { settled, until } from '../../support/until.ts';
import { offsetsOf, openFanIn, range, summarize } from './openFanIn.ts';

const ONE = 'o/r#1';
const TWO = 'o/r#2';

/** A member whose stream tells transcripts, each with the next events. */
class TellingMember extends CableMember {
  readonly tellsTranscripts = true;
  /** What each watch was asked for. */
  readonly asked: { readonly after: number | undefined; readonly transcripts: readonly string[] }[] = [];
  ticks: TranscriptTick[] = [];

  override async *watch(options: Parameters<Member['watch']>[0]): AsyncGenerator<MemberEventPage> {
    this.asked.push({ after: options.after, transcripts: options.transcripts ?? [] });
    for await (const page of super.watch(options)) {
      yield { ...page, transcripts: this.ticks };
      this.ticks = [];
    }
  }
}

/** One that pages its log while it is watched, and whose watches take their time to end. */
class PagingMember extends TellingMember {
  closing: Promise<void> | undefined;

  override async *watch(options: Parameters<Member['watch']>[0]): AsyncGenerator<MemberEventPage> {
    try {
      yield* super.watch(options);
    } finally {
      await this.closing;
    }
  }

  readonly readLog = async ({ after, first }: MemberLogRange): Promise<MemberResult<MemberLogPage>> => {
    if (this.watches === 0) return failed({ kind: 'notSupported', reason: 'not watched' });
    const { log } = this.worker;
    const toEvent = ({ atMs, ref, ...record }: EventRecord) => ({
      ...record,
      at: toIsoTime(atMs),
      ref: ref ?? null,
    });
    return answered({ events: log.read({ after, limit: first }).map(toEvent), newest: log.end(), start: 0 });
  };
}

async function openTelling(
  held: readonly string[] = [ONE, TWO],
  MemberKind: typeof TellingMember = TellingMember,
) {
  const fan = openFanIn(['alpha'], { MemberKind });
  await fan.ready();
  const member = fan.member('alpha') as TellingMember;
  member.worker.managed.push(...held);
  await fan.registry.refresh({ signal: new AbortController().signal });
  return { fan, member, log: fan.log('alpha') };
}

describe('ticks of a member that tells them', () => {
  test('go to those who watch the ref, with a cursor that names no place of theirs', async () => {
    const { fan, member, log } = await openTelling();
    await using _fan = fan;
    await using watching = fan.subscribe({ transcripts: new Set([ONE]) });
    await using other = fan.subscribe({ transcripts: new Set([TWO]) });
    await using plain = fan.subscribe();
    await fan.watched();
    member.ticks = [{ ref: ONE, totalLines: 7 }];
    log.add(1);
    expect(summarize(await watching.take(2)).sort()).toEqual(['alpha 1', `transcript alpha ${ONE} 7`]);
    expect(watching.cursor).toBe('alpha=1,hq=0');
    expect(summarize(await other.take(1))).toEqual(['alpha 1']);
    expect(summarize(await plain.take(1))).toEqual(['alpha 1']);
    expect(await other.poll()).toEqual([]);
    expect(await plain.poll()).toEqual([]);
  });

  test('one that the member was not asked for is told to nobody', async () => {
    const { fan, member, log } = await openTelling([ONE]);
    await using _fan = fan;
    await using reader = fan.subscribe({ transcripts: new Set([ONE, TWO]) });
    await fan.watched();
    member.ticks = [{ ref: TWO, totalLines: 7 }];
    log.add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 1']);
    expect(await reader.poll()).toEqual([]);
  });

  test('a subscriber that did not read is told the newest length alone', async () => {
    const { fan, member, log } = await openTelling();
    await using _fan = fan;
    await using reader = fan.subscribe({ transcripts: new Set([ONE]), filter: { types: ['none'] } });
    await fan.watched();
    for (const totalLines of [7, 8, 9]) {
      member.ticks = [{ ref: ONE, totalLines }];
      log.add(1);
      await until(() => member.ticks.length === 0);
    }
    await settled();
    expect(summarize(await reader.poll())).toEqual([`transcript alpha ${ONE} 9`]);
  });

  test('on the wire they are records without an offset of their own', () => {
    const item = { kind: 'transcript', instance: 'alpha', tick: { ref: ONE, totalLines: 9 } } as const;
    const record = toStreamRecord({ ...item, cursor: 'alpha=4,hq=2' }, { ownName: 'hq', nowMs: 0 });
    expect(record).toMatchObject({
      type: 'stream.transcript',
      level: 'DEBUG',
      cursor: 'alpha=4,hq=2',
      instance: 'alpha',
      offset: 4,
      ref: ONE,
      data: { totalLines: 9 },
    });
  });
});

describe('the upstream of a member that tells them', () => {
  test('asks for what is watched and held there, from the first connection on', async () => {
    const { fan, member } = await openTelling([ONE]);
    await using _fan = fan;
    await using _reader = fan.subscribe({ transcripts: new Set([ONE, TWO]) });
    await fan.watched();
    expect(member.asked.map(({ transcripts }) => transcripts)).toEqual([[ONE]]);
  });

  test('is connected to anew from where it was when more is watched, and nobody misses or gets twice', async () => {
    const { fan, member, log } = await openTelling();
    await using _fan = fan;
    await using first = fan.subscribe({ transcripts: new Set([ONE]) });
    await fan.watched();
    log.add(3);
    expect(offsetsOf(await first.take(3), 'alpha')).toEqual(range(1, 3));
    await using second = fan.subscribe({ after: 'alpha=0,hq=0', transcripts: new Set([TWO]) });
    await using third = fan.subscribe({ transcripts: new Set([TWO]) });
    expect(member.opened).toBe(1);
    log.add(2);
    await settled();
    fan.clock.advance(1000);
    log.add(2);
    await until(() => member.asked.length === 2);
    log.add(2);
    expect(offsetsOf(await first.take(6), 'alpha')).toEqual(range(4, 9));
    expect(offsetsOf(await second.takeEvents(9), 'alpha')).toEqual(range(1, 9));
    expect(offsetsOf(await third.take(6), 'alpha')).toEqual(range(4, 9));
    expect(await first.poll()).toEqual([]);
    expect(member.asked[1]).toEqual({ after: 5, transcripts: [ONE, TWO] });
    expect(member.watches).toBe(1);
  });

  test('while it is connected to anew, pages are not asked for', async () => {
    const { fan, member, log } = await openTelling([ONE, TWO], PagingMember);
    await using _fan = fan;
    log.add(5);
    await using first = fan.subscribe({ transcripts: new Set([ONE]) });
    await fan.watched();
    log.add(1);
    expect(offsetsOf(await first.take(1), 'alpha')).toEqual([6]);
    const closing = Promise.withResolvers<void>();
    (member as PagingMember).closing = closing.promise;
    fan.clock.advance(1000);
    await using second = fan.subscribe({ after: 'alpha=0,hq=0', transcripts: new Set([TWO]) });
    await until(() => member.watches === 0);
    expect(await second.poll()).toEqual([]);
    closing.resolve();
    expect(summarize(await second.take(6))).toEqual(range(1, 6).map((offset) => `alpha ${offset}`));
  });

  test('before a position of it is known, what may lie between two connections is told', async () => {
    const { fan, member, log } = await openTelling([ONE, TWO], PagingMember);
    await using _fan = fan;
    log.add(1);
    await using first = fan.subscribe({ transcripts: new Set([ONE]) });
    await fan.watched();
    await using _second = fan.subscribe({ transcripts: new Set([TWO]) });
    fan.clock.advance(1000);
    await until(() => member.asked.length === 2 && member.watches === 1);
    log.add(1);
    expect(summarize(await first.take(2))).toEqual(['desync alpha joined', 'alpha 2']);
  });

  test('is asked for 64 at most, those that were watched first', async () => {
    const refs = range(1, 70).map((number) => `o/r#${number}`);
    const { fan, member } = await openTelling(refs);
    await using _fan = fan;
    await using _first = fan.subscribe({ transcripts: new Set(refs.slice(10, 70)) });
    await using _second = fan.subscribe({ transcripts: new Set(refs.slice(0, 10)) });
    await fan.watched();
    expect(member.asked.at(-1)?.transcripts).toEqual([...refs.slice(10, 70), ...refs.slice(0, 4)]);
  });

  test('what nobody watches any more leaves with the next change, not at once', async () => {
    const { fan, member } = await openTelling();
    await using _fan = fan;
    await using _stays = fan.subscribe();
    const leaves = fan.subscribe({ transcripts: new Set([ONE]) });
    await fan.watched();
    await leaves[Symbol.asyncDispose]();
    fan.clock.advance(2000);
    await settled();
    expect(member.opened).toBe(1);
    await using _comes = fan.subscribe({ transcripts: new Set([TWO]) });
    await until(() => member.asked.length === 2);
    expect(member.asked[1]?.transcripts).toEqual([TWO]);
  });

  test('a ref that the member comes to hold is asked for from the next probe on', async () => {
    const { fan, member } = await openTelling([]);
    await using _fan = fan;
    await using _reader = fan.subscribe({ transcripts: new Set([ONE]) });
    await fan.watched();
    expect(member.asked[0]?.transcripts).toEqual([]);
    member.worker.managed.push(ONE);
    for (let second = 0; second < 20 && member.asked.length === 1; second += 1) {
      fan.clock.advance(1000);
      await settled();
    }
    expect(member.asked[1]?.transcripts).toEqual([ONE]);
  });
});

test('a member whose stream tells none is not connected to anew', async () => {
  await using fan = openFanIn(['alpha']);
  await fan.ready();
  await using _first = fan.subscribe({ transcripts: new Set([ONE]) });
  await fan.watched();
  await using _second = fan.subscribe({ transcripts: new Set([TWO]) });
  fan.clock.advance(5000);
  await settled();
  expect(fan.member('alpha').opened).toBe(1);
});
