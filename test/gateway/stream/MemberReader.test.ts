/** A reader that is further than its feed while the feed catches up: the page that it asks for may be late. */
import { expect, test } from 'vitest';
import type { Member, MemberAnswer, MemberEventPage, MemberResult } from '../../../gateway/member/Member.ts';
import { answered } from '../../../gateway/member/memberFailure.ts';
import { MemberFeed } from '../../../gateway/stream/MemberFeed.ts';
import { MemberReader } from '../../../gateway/stream/MemberReader.ts';
import { AsyncQueue } from '../../../lib/AsyncQueue.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { settled } from '../../support/until.ts';

/** A member whose answers and whose live events come when the test says so. */
class StagedMember implements Member {
  readonly name = 'alpha';
  readonly live = new AsyncQueue<MemberEventPage>(10);
  readonly #calls: ((answer: MemberResult<MemberAnswer>) => void)[] = [];

  execute(): Promise<MemberResult<MemberAnswer>> {
    return new Promise((resolve) => this.#calls.push(resolve));
  }

  /** Answers the oldest call: the events of its page, of a log from 1 to `newest`. */
  answer({ page, newest }: { readonly page: readonly number[]; readonly newest: number }): void {
    const data = {
      page: { nodes: page.map(toEvent) },
      newest: { nodes: [{ offset: newest }] },
      oldest: { nodes: [{ offset: 1 }] },
    };
    this.#calls.shift()?.(answered({ data, errors: [] }));
  }

  tell(...offsets: readonly number[]): void {
    this.live.push({ events: offsets.map(toEvent), seen: offsets.at(-1) as number });
  }

  watch(): AsyncIterable<MemberEventPage> {
    return this.live;
  }

  identify(): never {
    throw new Error('Nobody probes here');
  }
}

function toEvent(offset: number) {
  return { offset, type: 'task.status', at: '', level: 'INFO', ref: null, source: 'tasks', pid: 1, data: {} };
}

/** The feed has seen up to 3, the reader up to 5, and has asked for what comes after 5. */
async function openAhead() {
  const member = new StagedMember();
  const shared = {
    clock: new FakeClock(),
    ids: { newId: () => 'id', random: () => 0.5 },
    timeoutMs: () => 1000,
    onChange: () => {},
  };
  const feed = new MemberFeed({ ...shared, member, startAt: 3, logger: silentLogger });
  feed.setLive(true);
  member.answer({ page: [], newest: 5 });
  await settled();
  const reader = new MemberReader({ ...shared, feed, position: 5 });
  expect(reader.take()).toBeUndefined();
  return {
    member,
    reader,
    [Symbol.dispose]() {
      reader[Symbol.dispose]();
      feed[Symbol.dispose]();
    },
  };
}

test('MemberReader takes nothing twice when its page comes after the feed has told the same', async () => {
  using ahead = await openAhead();
  ahead.member.tell(4, 5, 6, 7);
  await settled();
  expect([ahead.reader.take(), ahead.reader.take()]).toMatchObject([
    { event: { offset: 6 } },
    { event: { offset: 7 } },
  ]);

  ahead.member.answer({ page: [6, 7], newest: 7 });
  await settled();

  expect(ahead.reader.take()).toBeUndefined();
  expect(ahead.reader.position).toBe(7);
});

test('MemberReader does not take an empty page for a cut log when the feed has got further meanwhile', async () => {
  using ahead = await openAhead();
  ahead.member.tell(4, 5, 6);
  await settled();

  ahead.member.answer({ page: [], newest: 5 });
  await settled();

  expect(ahead.reader.take()).toMatchObject({ kind: 'event', event: { offset: 6 } });
});
