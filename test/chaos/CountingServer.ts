/** A server that tools call, which takes its time and counts: what is done twice is seen here, and nowhere else. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Random } from './Random.ts';

/** Longest time that one call takes, in milliseconds. */
const MAX_DELAY_MS = 500;

export class CountingServer implements AsyncDisposable {
  readonly url: string;
  /** Calls by path. */
  readonly calls = new Map<string, number>();
  readonly #server: Server;

  static async start(random: Random): Promise<CountingServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CountingServer(server, random);
  }

  private constructor(server: Server, random: Random) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async ({ url: path = '' }, response) => {
      // The call has taken effect, whether or not its answer arrives.
      this.calls.set(path, (this.calls.get(path) ?? 0) + 1);
      await setTimeout(random.integer(0, MAX_DELAY_MS));
      response.end('done');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
