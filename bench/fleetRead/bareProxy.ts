/**
 * The least that a process in the middle can cost: it asks every member what it was asked itself, and answers with their
 * answers side by side. No schema, no check, no merge.
 *
 * Arguments: `bytes` passes the answers on unread, `json` parses them and writes them again, as whoever looks at a row
 * must; then the members' addresses.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';

const [, , mode, ...urls] = process.argv;
const pools = urls.map((url) => new Pool(url));
const headers = { 'content-type': 'application/json', accept: 'application/json' };

const server = createServer(async (request, response) => {
  const body = await text(request);
  const answers = await Promise.all(pools.map((pool) => ask(pool, body)));
  const joined = mode === 'json' ? rewrite(answers) : Buffer.concat(answers);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': joined.length });
  response.end(joined);
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
process.once('disconnect', () => process.exit());

async function ask(pool: Pool, body: string): Promise<Buffer> {
  const response = await pool.request({ path: '/graphql', method: 'POST', headers, body });
  return Buffer.from(await response.body.arrayBuffer());
}

function rewrite(answers: readonly Buffer[]): Buffer {
  return Buffer.from(JSON.stringify(answers.map((answer) => JSON.parse(answer.toString('utf8')))));
}
