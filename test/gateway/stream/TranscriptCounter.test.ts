import { expect, test } from 'vitest';
import type { MemberEvent, TranscriptTick } from '../../../gateway/member/Member.ts';
import { TranscriptCounter } from '../../../gateway/stream/TranscriptCounter.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeMember } from '../../support/FakeMember.ts';
import { settled } from '../../support/until.ts';

const REF = 'o/r#1';
const FAILURE = { kind: 'failure', failure: { kind: 'transport', reason: 'gone' } } as const;

function anEvent(type: string, ref: string | null = REF): MemberEvent {
  return { offset: 1, type, ref, at: '', level: 'INFO', source: '', pid: 1, data: {} };
}

function openCounter() {
  const counts: (number | undefined)[] = [];
  const ticks: TranscriptTick[] = [];
  const member = new FakeMember('alpha', () => {
    const totalLines = counts.shift();
    if (totalLines === undefined) return FAILURE;
    return { kind: 'answer', answer: { data: { transcript: { totalLines } }, errors: [] } };
  });
  const closed = new AbortController();
  const counter = new TranscriptCounter({
    member,
    clock: new FakeClock(),
    timeoutMs: () => 1000,
    signal: closed.signal,
    onTick: (tick) => ticks.push(tick),
  });
  counter.watch(new Set([REF]));
  return { counts, ticks, member, counter, closed };
}

test('an event of the task is a question, and another length is a tick', async () => {
  const { counts, ticks, member, counter } = openCounter();
  counts.push(3, 3, 4);
  for (let count = 0; count < 3; count += 1) {
    counter.see([anEvent('task.status')]);
    await settled();
  }
  expect(member.requests.map(({ variables }) => variables)).toEqual([
    { ref: REF },
    { ref: REF },
    { ref: REF },
  ]);
  expect(ticks).toEqual([
    { ref: REF, totalLines: 3 },
    { ref: REF, totalLines: 4 },
  ]);
});

test('what happens while a question is under way is one more question', async () => {
  const { counts, ticks, member, counter } = openCounter();
  counts.push(3, 9);
  for (let count = 0; count < 100; count += 1) counter.see([anEvent('task.toolCalled')]);
  await settled();
  expect(member.requests).toHaveLength(2);
  expect(ticks.at(-1)).toEqual({ ref: REF, totalLines: 9 });
});

test('events of nothing that is watched ask nothing', async () => {
  const { member, counter } = openCounter();
  counter.see([anEvent('task.status', 'o/r#2'), anEvent('config.updated'), anEvent('task.status', null)]);
  await settled();
  expect(member.requests).toEqual([]);
});

test('a count that fails is no tick, and the next event asks again', async () => {
  const { counts, ticks, counter } = openCounter();
  counts.push(undefined, 5);
  counter.see([anEvent('task.status')]);
  await settled();
  expect(ticks).toEqual([]);
  counter.see([anEvent('task.status')]);
  await settled();
  expect(ticks).toEqual([{ ref: REF, totalLines: 5 }]);
});

test('a ref that is no longer watched has no tick, and one that is watched again has one of any length', async () => {
  const { counts, ticks, counter } = openCounter();
  counts.push(3, 3);
  counter.see([anEvent('task.status')]);
  await settled();
  counter.watch(new Set());
  counter.watch(new Set([REF]));
  counter.see([anEvent('task.status')]);
  await settled();
  expect(ticks).toHaveLength(2);
});

test('nothing is asked once the feed is closed', async () => {
  const { member, counter, closed } = openCounter();
  closed.abort();
  counter.see([anEvent('task.status')]);
  await settled();
  expect(member.requests).toEqual([]);
});
