/** A worker behind the REST contract only: its identity, its newest events and its stream, whose ids are its log's offsets. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toIsoTime } from '../../lib/Clock.ts';
import type { EventRecord } from '../../subgraph/index.ts';
import type { TestWorker } from './createTestWorker.ts';

export interface ContractServer extends AsyncDisposable {
  readonly url: string;
}

export async function createContractServer(worker: TestWorker): Promise<ContractServer> {
  const { log } = worker;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://contract');
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    switch (pathname) {
      case '/api/v1/instance': {
        const { version: _, ...identity } = await worker.identity();
        return json(200, { ...identity, role: 'worker' });
      }
      case '/api/v1/health':
        return json(200, { status: 'ok', version: '1.2.3' });
      case '/api/v1/events':
        return json(200, log.read({ limit: Number(searchParams.get('limit')), keep: 'newest' }).map(toRow));
      case '/api/v1/stream':
        return stream(worker, response, request.headers['last-event-id']);
      default:
        return json(404, { detail: 'Not Found' });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function stream({ log }: TestWorker, response: ServerResponse, lastId: unknown): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 3000\n\n');
  const wanted = lastId === undefined ? log.end() : Number(lastId);
  const isKept = wanted >= log.start() && wanted <= log.end();
  const after = isKept ? wanted : log.end();
  if (!isKept) response.write(`event: desync\ndata: {"reason":"truncated","cursor":${after}}\n\n`);
  for await (const { records } of log.watch({ after, signal: left.signal })) {
    for (const record of records) {
      response.write(`id: ${record.offset}\nevent: log\ndata: ${JSON.stringify(toRow(record))}\n\n`);
    }
  }
}

function toRow({ atMs, type, level, ref, source, pid, data }: EventRecord) {
  const ts = toIsoTime(atMs);
  return {
    ts,
    source,
    event: type,
    level: level.toLowerCase(),
    pid,
    ...(ref && { work_item: ref }),
    ...data,
  };
}
