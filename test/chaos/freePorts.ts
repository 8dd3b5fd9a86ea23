/** Ports for instances that die and come back: nobody may take them meanwhile. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those would be in the way of a restart. */
const FIRST = 21_000;
const LAST = 31_000;

/** Ports that are free now, on every address of this machine. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  // Runs at the same time begin at different places.
  for (let port = FIRST + ((process.pid * 37) % (LAST - FIRST - 500)); ports.length < count; port += 1) {
    if (port > LAST) throw new Error(`Fewer than ${count} ports are free`);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
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
