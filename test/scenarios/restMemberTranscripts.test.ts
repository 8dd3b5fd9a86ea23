/** Transcripts that clients of a manager watch, of members of the REST contract and of ours (spec/manager.md § 14.5). */
import { expect, test } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { openRestFleet } from '../support/openRestFleet.ts';
import { record } from '../support/RestServer.ts';

/** Managed by the service, as it was recorded. */
const THEIRS = 'github:octo/repo#15';
const ALSO_THEIRS = 'github:octo/repo#16';
/** Of the worker of ours. */
const OURS = 'github:o/r#1';

type Frames = Awaited<ReturnType<typeof readFrames>>;

/*
 * Feature: Members of the REST contract
 * Scenario: the growth of a transcript is told to those who watch it, wherever it is kept
 *   Requirement: spec/manager.md#R2.8
 *   Given a manager over a worker of ours and a service of the contract
 *   When one client watches a transcript of each, and another client none
 *   Then the service is asked for its own, on one connection
 *   And the first client has a frame without a position for each that grows, and the other one has none
 */
test('the growth of a transcript is told to those who watch it, wherever it is kept', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  using plain = await readFrames(`${fleet.url}/api/v1/stream`);
  using watching = await readFrames(streamOf(fleet.url, THEIRS, OURS));
  await rest.untilStreams(1);
  await untilAsked(rest, [THEIRS]);
  rest.send(tick(THEIRS, 41));
  expect(await nextTick(watching)).toEqual({ id: undefined, data: { ref: THEIRS, totalLines: 41 } });
  await fleet.worker('alpha').ask(`mutation { sendMessage(ref: "${OURS}", text: "hello") { ref } }`);
  const grown = await nextTick(watching);
  expect(grown).toEqual({ id: undefined, data: { ref: OURS, totalLines: expect.any(Number) } });
  expect(rest.streams).toBe(1);

  rest.append(record('after.it'));
  const kinds: string[] = [];
  for await (const { event, data } of plain.frames) {
    kinds.push(event ?? '');
    if (JSON.parse(data).event === 'after.it') break;
  }
  expect(new Set(kinds)).toEqual(new Set(['log']));
});

/*
 * Feature: Members of the REST contract
 * Scenario: a client that watches another transcript costs nobody an event
 *   Requirement: spec/manager.md#R2.8
 *   Given a client that watches a transcript of the service, and has seen some of its events
 *   When another client comes, with a cursor that is behind and another transcript of the service
 *   And the service writes all the time
 *   Then the service is asked for both transcripts on one connection, from where the first one ended
 *   And each client has every event of it once, and no desync
 */
test('a client that watches another transcript costs nobody an event', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const work = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => record('work.done', { n: from + index }));
  const [begin] = rest.append(record('begin'));
  rest.append(...work(0, 10));
  using first = await readFrames(streamOf(fleet.url, THEIRS));
  await rest.untilStreams(1);
  rest.append(...work(10, 20));
  expect(await workUntil(first, 19)).toEqual(work(10, 20).map(({ n }) => n));

  using second = await readFrames(streamOf(fleet.url, ALSO_THEIRS), {
    'last-event-id': `alpha=0,hq=0,rest=${begin}`,
  });
  let n = 20;
  while (!isAsked(rest, [THEIRS, ALSO_THEIRS])) {
    rest.append(record('work.done', { n }));
    n += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await rest.untilStreams(1);
  rest.append(record('work.done', { n }));
  const all = Array.from({ length: n + 1 }, (_, index) => index);
  expect(await workUntil(second, n)).toEqual(all);
  expect(await workUntil(first, n)).toEqual(all.slice(20));
  rest.send(tick(ALSO_THEIRS, 7));
  expect(await nextTick(second)).toEqual({ id: undefined, data: { ref: ALSO_THEIRS, totalLines: 7 } });
});

function streamOf(url: string, ...refs: readonly string[]): string {
  return `${url}/api/v1/stream?${new URLSearchParams(refs.map((ref): [string, string] => ['transcript', ref]))}`;
}

function tick(ref: string, totalLines: number): string {
  return `event: transcript\ndata: ${JSON.stringify({ ref, totalLines })}\n\n`;
}

type Rest = Awaited<ReturnType<typeof openRestFleet>>['rest'];

/** Whether a stream of the service was asked for exactly these transcripts. */
function isAsked(rest: Rest, refs: readonly string[]): boolean {
  return rest
    .asked('/api/v1/stream')
    .some(({ path }) => String(new URL(path, rest.url).searchParams.getAll('transcript')) === String(refs));
}

async function untilAsked(rest: Rest, refs: readonly string[]): Promise<void> {
  while (!isAsked(rest, refs)) await new Promise((resolve) => setImmediate(resolve));
  await rest.untilStreams(1);
}

/** The next frame of a transcript; what else comes is passed over. */
async function nextTick(
  frames: Frames,
): Promise<{ readonly id: string | undefined; readonly data: unknown }> {
  for (;;) {
    const [frame] = await frames.take(1);
    if (frame?.event === 'transcript') return { id: frame.id, data: JSON.parse(frame.data) };
  }
}

/** Numbers of the work that comes up to and with `last`, and desyncs. */
async function workUntil(frames: Frames, last: number): Promise<(number | string)[]> {
  const told: (number | string)[] = [];
  for (;;) {
    const [frame] = await frames.take(1);
    const { event, n, reason } = JSON.parse(frame?.data ?? '{}');
    if (frame?.event === 'desync') told.push(`desync ${reason}`);
    if (event !== 'work.done') continue;
    told.push(n);
    if (n === last) return told;
  }
}
