/** Ports for instances that die and come back: nobody may take them meanwhile. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those would be in the way of a restart. */
const FIRST = 21_000;
const LAST = 31_000;

/** The port that is looked at next. Runs at the same time begin at different places. */
let next = FIRST + ((process.pid * 37) % (LAST - FIRST - 500));

/**
 * Ports that are free now, on every address of this machine. No two calls get the same one, also at the same time and of different
 * processes, as long as the process lives that has got it.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    if (next > LAST) throw new Error(`Fewer than ${count} ports are free`);
    const port = next;
    next += 1;
    if (await reserve(port)) ports.push(port);
  }
  return ports;
}

/** Nobody here uses datagrams: a socket for them stands for the port, and is gone with this process, however that ends. */
async function reserve(port: number): Promise<boolean> {
  const reservation = createSocket('udp4');
  try {
    reservation.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(reservation, 'listening');
  } catch {
    return false;
  }
  reservation.unref();
  const isOurs = await isFree(port);
  if (!isOurs) reservation.close();
  return isOurs;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
