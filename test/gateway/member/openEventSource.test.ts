/** A member that says more than anybody can read: what of it is taken, and what stays with the member. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openEventSource } from '../../../gateway/member/openEventSource.ts';
import { StreamPace } from '../../../gateway/member/StreamPace.ts';
import { createAddressGuard } from '../../../lib/AddressGuard.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const PIECE_BYTES = 65_536;
const MEBIBYTE = 1_048_576;
/** More than the sockets of any machine hold. */
const MOST_HELD_BYTES = 128 * MEBIBYTE;
/** Turns of the event loop in which nothing was taken: nothing will be. */
const QUIET_TURNS = 200;

/** Answers whoever asks with copies of one frame, without a pause, for as long as the network takes them. */
class FloodServer implements AsyncDisposable {
  /** Bytes that the network has taken. */
  taken = 0;
  readonly #piece: Buffer;
  readonly #server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (): void => {
      response.write(this.#piece, (error) => {
        if (error) return;
        this.taken += this.#piece.length;
        write();
      });
    };
    write();
  });

  static async start(frame: string): Promise<FloodServer> {
    const flood = new FloodServer(frame);
    flood.#server.listen(0, '127.0.0.1');
    await once(flood.#server, 'listening');
    return flood;
  }

  private constructor(frame: string) {
    this.#piece = Buffer.from(frame.repeat(Math.ceil(PIECE_BYTES / frame.length)));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Reads without a pause. */
class Reader implements AsyncDisposable {
  frames = 0;
  readonly #controller = new AbortController();
  readonly #done: Promise<void>;

  constructor({ origin }: FloodServer, clock: FakeClock, stepsPerSecond: number) {
    this.#done = this.#read(origin, clock, new StreamPace(clock, stepsPerSecond));
  }

  async #read(origin: string, clock: FakeClock, pace: StreamPace): Promise<void> {
    const batches = openEventSource({
      origin,
      method: 'GET',
      path: '/',
      token: undefined,
      guard: createAddressGuard(),
      clock,
      keepAliveMs: 1_000_000,
      pace,
      signal: this.#controller.signal,
    });
    for await (const frames of batches) this.frames += frames.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort();
    await this.#done;
  }
}

/** Resolves once the reader waits for its pace: beside that only the silence is waited for. */
async function untilPaced(clock: FakeClock): Promise<void> {
  await clock.waiting(2);
}

test('of a flood as much is read as the pace allows, however much is there', async () => {
  const clock = new FakeClock();
  await using flood = await FloodServer.start('data: {}\n\n');
  await using reader = new Reader(flood, clock, 1_000);
  await untilPaced(clock);
  expect(reader.frames).toBeGreaterThan(900);
  expect(reader.frames).toBeLessThanOrEqual(1_000);
  for (let passedMs = 0; passedMs < 2_000; passedMs += 100) {
    clock.advance(100);
    await untilPaced(clock);
  }
  expect(reader.frames).toBeGreaterThan(2_900);
  expect(reader.frames).toBeLessThanOrEqual(3_000);
});

test('a frame is as much work as it is long', async () => {
  const clock = new FakeClock();
  await using flood = await FloodServer.start(`data: ${'x'.repeat(MEBIBYTE / 2)}\n\n`);
  await using reader = new Reader(flood, clock, 1_000);
  await untilPaced(clock);
  // 4 MiB are a thousand steps.
  expect(reader.frames).toBeGreaterThan(4);
  expect(reader.frames).toBeLessThanOrEqual(8);
});

test('what is not read stays with the member', async () => {
  const clock = new FakeClock();
  await using flood = await FloodServer.start(`data: ${'x'.repeat(1_000)}\n\n`);
  await using _reader = new Reader(flood, clock, 100);
  await untilPaced(clock);
  for (let quiet = 0, before = 0; quiet < QUIET_TURNS && flood.taken < MOST_HELD_BYTES; ) {
    await setImmediate();
    quiet = flood.taken === before ? quiet + 1 : 0;
    before = flood.taken;
  }
  expect(flood.taken).toBeLessThan(MOST_HELD_BYTES);
});

test('others have their turns while a flood is read', async () => {
  const clock = new FakeClock();
  await using flood = await FloodServer.start('data: {}\n\n');
  await using reader = new Reader(flood, clock, 100_000);
  let most = 0;
  for (let before = 0; reader.frames < 10_000; before = reader.frames) {
    await setImmediate();
    most = Math.max(most, reader.frames - before);
  }
  expect(most).toBeLessThanOrEqual(64);
});
