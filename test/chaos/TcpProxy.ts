/** A place between two programs where their connections can be cut, and made to carry nothing. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const TARGET_HOST = '127.0.0.1';

/**
 * The same port on another address of this machine: an instance wants requests that name its own port (docs/guides/security.md).
 * Linux has all of 127.0.0.0/8; elsewhere the address has to be added to the loopback interface.
 */
export const PROXY_HOST = '127.0.0.2';
/** One more of them: the same program under another address. */
export const OTHER_PROXY_HOST = '127.0.0.3';

interface Pair {
  readonly client: Socket;
  readonly target: Socket;
}

export class TcpProxy implements AsyncDisposable {
  /** Where it is reached. */
  readonly url: string;
  /** Where it is reached as well. */
  readonly otherUrl: string;
  readonly #servers: readonly Server[];
  readonly #pairs = new Set<Pair>();
  #isStalled = false;

  /** Resolves when it listens for what is meant for `port`, there or not. */
  static async open(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    const [server, otherServer] = proxy.#servers as [Server, Server];
    await once(server.listen(port, PROXY_HOST), 'listening');
    await once(otherServer.listen(port, OTHER_PROXY_HOST), 'listening');
    return proxy;
  }

  private constructor(port: number) {
    this.url = `http://${PROXY_HOST}:${port}`;
    this.otherUrl = `http://${OTHER_PROXY_HOST}:${port}`;
    const join = (client: Socket): void => this.#join(client, port);
    this.#servers = [0, 1].map(() => createServer({ allowHalfOpen: true }, join));
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
    const closed = this.#servers.map((server) => once(server, 'close'));
    for (const server of this.#servers) server.close();
    await Promise.all(closed);
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
