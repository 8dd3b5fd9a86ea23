import { expect, test } from 'vitest';
import type { Member, MemberEvent, MemberLogPage } from '../../../gateway/member/Member.ts';
import { answered } from '../../../gateway/member/memberFailure.ts';
import { PageReads } from '../../../gateway/stream/PageReads.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { answering, FakeMember } from '../../support/FakeMember.ts';
import { settled } from '../../support/until.ts';
import { range } from './openFanIn.ts';

function anEvent(offset: number): MemberEvent {
  const at = '2026-01-01T00:00:00.000Z';
  return { offset, type: 'task.status', at, level: 'INFO', ref: null, source: 'tasks', pid: 1, data: {} };
}

/** The reads of a member whose log has so many events; `asked` are the positions after which the member was asked. */
function open(count: number, answer: Partial<MemberLogPage> = {}, pause?: () => Promise<void> | undefined) {
  const asked: number[] = [];
  const member: Member = Object.assign(new FakeMember('alpha', () => answering({ data: {}, errors: [] })), {
    readLog: async ({ after, first }: { after: number; first: number }) => {
      asked.push(after);
      const events = range(after + 1, Math.min(count, after + first)).map(anEvent);
      return answered({ events, newest: count, start: 0, ...answer });
    },
  });
  const signal = new AbortController().signal;
  const clock = new FakeClock();
  const reads = new PageReads({
    member,
    clock,
    timeoutMs: () => 1000,
    seen: () => count,
    ...(pause && { pause }),
    signal,
  });
  return { asked, reads };
}

async function offsetsFrom(reads: PageReads, position: number, epoch = 0): Promise<number[]> {
  const { result } = await reads.read({ epoch, position });
  return result.kind === 'answer' ? result.answer.events.map(({ offset }) => offset) : [];
}

test('PageReads gives who comes to a place in a page the rest of it, without asking the member', async () => {
  const { reads, asked } = open(2000);
  expect(await offsetsFrom(reads, 0)).toEqual(range(1, 500));
  expect(await offsetsFrom(reads, 120)).toEqual(range(121, 500));
  expect(await offsetsFrom(reads, 499)).toEqual([500]);
  expect(await offsetsFrom(reads, 500)).toEqual(range(501, 1000));
  expect(asked).toEqual([0, 500]);
});

test('PageReads gives the same events to all', async () => {
  const { reads } = open(2000);
  const one = (await reads.read({ epoch: 0, position: 0 })).result;
  const other = (await reads.read({ epoch: 0, position: 499 })).result;
  if (one.kind !== 'answer' || other.kind !== 'answer') throw new Error('An answer was expected');
  expect(other.answer.events[0]).toBe(one.answer.events[499]);
});

test('PageReads asks the end of a log again', async () => {
  const { reads, asked } = open(10);
  expect(await offsetsFrom(reads, 0)).toEqual(range(1, 10));
  expect(await offsetsFrom(reads, 10)).toEqual([]);
  expect(await offsetsFrom(reads, 10)).toEqual([]);
  expect(asked).toEqual([0, 10, 10]);
});

test('PageReads keeps nothing of another epoch, nor of a page that has a gap before it', async () => {
  const { reads, asked } = open(2000);
  await offsetsFrom(reads, 0);
  await offsetsFrom(reads, 0, 1);
  expect(asked).toEqual([0, 0]);
  const cut = open(2000, { start: 100 });
  await offsetsFrom(cut.reads, 0);
  await offsetsFrom(cut.reads, 50);
  expect(cut.asked).toEqual([0, 50]);
});

test('PageReads keeps four pages, and none that nobody asks for', async () => {
  const { reads, asked } = open(5000);
  for (const position of [0, 500, 1000, 1500, 2000]) await offsetsFrom(reads, position);
  await offsetsFrom(reads, 600);
  await offsetsFrom(reads, 100);
  expect(asked).toEqual([0, 500, 1000, 1500, 2000, 100]);
  asked.length = 0;
  reads.rest();
  await offsetsFrom(reads, 1600);
  reads.rest();
  await offsetsFrom(reads, 1600);
  await offsetsFrom(reads, 2100);
  expect(asked).toEqual([2100]);
  reads.rest();
  reads.rest();
  await offsetsFrom(reads, 2200);
  expect(asked).toEqual([2100, 2200]);
});

test('PageReads asks once for who comes while the answer is on its way', async () => {
  const { reads, asked } = open(2000);
  const [one, other] = await Promise.all([offsetsFrom(reads, 0), offsetsFrom(reads, 0)]);
  expect(other).toEqual(one);
  expect(asked).toEqual([0]);
});

test('PageReads waits for what a read has to wait for, and for what comes of that', async () => {
  const pauses = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let next = 0;
  const { reads, asked } = open(10, {}, () => pauses[next]?.promise);
  const offsets = offsetsFrom(reads, 0);
  for (const pause of pauses) {
    await settled();
    expect(asked).toEqual([]);
    next += 1;
    pause.resolve();
  }
  expect(await offsets).toEqual(range(1, 10));
});
