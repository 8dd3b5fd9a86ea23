/** A place between two programs where their connections can be cut, and made to carry nothing. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const TARGET_HOST = '127.0.0.1';

/**
 * The same port on another address of this machine: an instance wants requests that name its own port (docs/guides/security.md).
 * Linux has all of 127.0.0.0/8; elsewhere the address has to be added to the loopback interface.
 */
export const PROXY_HOST = '127.0.0.2';

interface Pair {
  readonly client: Socket;
  readonly target: Socket;
}

export class TcpProxy implements AsyncDisposable {
  /** Where it is reached. */
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #isStalled = false;

  /** Resolves when it listens for what is meant for `port`, there or not. */
  static async open(port: number): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true });
    const proxy = new TcpProxy(server, port);
    await once(server.listen(port, PROXY_HOST), 'listening');
    return proxy;
  }

  private constructor(server: Server, port: number) {
    this.url = `http://${PROXY_HOST}:${port}`;
    this.#server = server;
    server.on('connection', (client) => this.#join(client, port));
  }

  /** Resets every connection. */
  cut(): void {
    for (const { client, target } of this.#pairs) {
      client.resetAndDestroy();
      target.resetAndDestroy();
    }
  }

  /** From now on connections are made and carry nothing. */
  stall(): void {
    this.#isStalled = true;
    for (const { client, target } of this.#pairs) {
      client.unpipe().pause();
      target.unpipe().pause();
    }
  }

  /** What was held back goes on. */
  resume(): void {
    this.#isStalled = false;
    for (const pair of this.#pairs) carry(pair);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #join(client: Socket, port: number): void {
    const target = connect({ port, host: TARGET_HOST, allowHalfOpen: true });
    const pair = { client, target };
    this.#pairs.add(pair);
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      socket.setNoDelay(true);
      // What became of one side becomes of the other.
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
    if (!this.#isStalled) carry(pair);
  }
}

function carry({ client, target }: Pair): void {
  client.pipe(target);
  target.pipe(client);
}
