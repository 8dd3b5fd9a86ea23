import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MemberEvent } from '../../../gateway/member/Member.ts';
import { MemberWindow } from '../../../gateway/stream/MemberWindow.ts';
import { range } from './openFanIn.ts';

test('MemberWindow gives, from every position that it covers, exactly the events after it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 8 }), (bursts) => {
      const window = new MemberWindow(10);
      let end = 10;
      for (const count of bursts) {
        window.append(range(end + 1, end + count).map(toEvent), end + count);
        end += count;
      }
      for (const position of [window.floor, window.floor + 1, Math.floor((window.floor + end) / 2), end]) {
        expect(readAfter(window, position)).toEqual(range(position + 1, end));
      }
    }),
  );
});

test('MemberWindow holds 2,048 events; the floor is the last one that has left', () => {
  const window = new MemberWindow(0);
  window.append(range(1, 3000).map(toEvent), 3000);
  expect({ floor: window.floor, seen: window.seen }).toEqual({ floor: 952, seen: 3000 });
  expect(readAfter(window, window.floor)).toHaveLength(2048);
});

test('MemberWindow holds 2 MiB of event data', () => {
  const window = new MemberWindow(0);
  const data = 'x'.repeat(1024 * 1024 - 2);
  window.append(
    range(1, 5).map((offset) => ({ ...toEvent(offset), data })),
    5,
  );
  expect(readAfter(window, window.floor)).toEqual([4, 5]);
});

test('MemberWindow passes over what it has seen', () => {
  const window = new MemberWindow(0);
  window.append([1, 2].map(toEvent), 2);
  window.append([1, 2, 3].map(toEvent), 3);
  expect(readAfter(window, 0)).toEqual([1, 2, 3]);
});

test('MemberWindow may have seen further than its events', () => {
  const window = new MemberWindow(0);
  window.append([toEvent(2)], 7);
  expect(window.seen).toBe(7);
  window.append([toEvent(8)], 8);
  expect(readAfter(window, 0)).toEqual([2, 8]);
});

function readAfter(window: MemberWindow, position: number): number[] {
  const offsets: number[] = [];
  for (let event = window.after(position); event; event = window.after(event.offset))
    offsets.push(event.offset);
  return offsets;
}

function toEvent(offset: number): MemberEvent {
  return {
    offset,
    type: 'task.updated',
    at: '',
    level: 'INFO',
    ref: null,
    source: 'tasks',
    pid: 1,
    data: {},
  };
}
