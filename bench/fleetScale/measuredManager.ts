/**
 * An instance whose heap can be asked for. Argument: the configuration. Its address on the first line answers `/url` with the
 * address of the instance, and `/heap` with the bytes that are used after garbage collection, planner thread not counted.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createInstance } from '../../server/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const [, , configPath = ''] = process.argv;
const instance = await createInstance({ configPath, port: 0 });
const server = createServer((request, response) => {
  if (request.url === '/url') return response.end(instance.url);
  // What is only held by a finalizer or a weak reference goes with the second one.
  collect();
  collect();
  return response.end(String(process.memoryUsage().heapUsed));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
});
process.once('disconnect', () => process.exit());
