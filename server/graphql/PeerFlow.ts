/**
 * Writes to a WebSocket at the pace of its reader.
 *
 * The network takes several megabytes for a peer that has stopped to read, and what it has taken is no sign of a reader. A pong
 * is: it says that everything before its ping was read. Every conforming peer answers pings by itself.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Bytes that may be on their way to a reader; so many in the time that a pong takes are the most that it can be sent. */
const MAX_UNREAD_BYTES = 262_144;
/** Bytes from one question whether they were read to the next. */
const PING_BYTES = MAX_UNREAD_BYTES / 4;
/** Bytes that wait in this process before a sender waits for the network. */
const MAX_BUFFERED_BYTES = 16_384;

/**
 * One connection.
 *
 * 1. A peer that does not say what it has read is sent 256 KiB and, for each of its operations, one message more.
 * 2. What is sent in one turn of the event loop is one write, as long as it is not more than 16 KiB.
 */
export class PeerFlow {
  readonly #connection: WebSocket;
  readonly #socket: Duplex;
  #sentBytes = 0;
  #pingedBytes = 0;
  #readBytes = 0;
  #isCorked = false;
  /** Senders that wait for room, or for the end. */
  #waiting: PromiseWithResolvers<void> | undefined;

  /** @param socket under `connection` */
  constructor(connection: WebSocket, socket: Duplex) {
    this.#connection = connection;
    this.#socket = socket;
    connection.on('pong', (payload) => this.#acknowledge(Number(payload)));
    connection.once('close', () => this.#wake());
  }

  /**
   * Resolves when the peer may be sent more. On a connection that is closing it resolves with its end, for a stream that always has
   * a next value would otherwise be read without ever letting the end come. A failed write is followed by that end, too.
   */
  async send(text: string): Promise<void> {
    const connection = this.#connection;
    if (connection.readyState === connection.OPEN) this.#write(text);
    while (connection.readyState !== connection.CLOSED && !this.#hasRoom()) {
      this.#waiting ??= Promise.withResolvers();
      await this.#waiting.promise;
    }
  }

  /** Asks the peer what it has read. */
  ping(): void {
    this.#pingedBytes = this.#sentBytes;
    this.#connection.ping(String(this.#sentBytes));
  }

  #write(text: string): void {
    this.#cork();
    this.#connection.send(text, () => this.#wake());
    this.#sentBytes += Buffer.byteLength(text);
    if (this.#sentBytes - this.#pingedBytes >= PING_BYTES) this.ping();
  }

  #hasRoom(): boolean {
    const { readyState, bufferedAmount, OPEN } = this.#connection;
    return (
      readyState === OPEN &&
      bufferedAmount <= MAX_BUFFERED_BYTES &&
      this.#sentBytes - this.#readBytes < MAX_UNREAD_BYTES
    );
  }

  /** Until all that is ready now was sent. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  /** A peer that answers pings late answers for the earlier ones as well; one that makes numbers up has read no more than it was sent. */
  #acknowledge(bytes: number): void {
    if (!(bytes > this.#readBytes && bytes <= this.#pingedBytes)) return;
    this.#readBytes = bytes;
    this.#wake();
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
