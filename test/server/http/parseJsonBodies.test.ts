/** What clients send as JSON, whatever carries it. */
import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { askGraphQL } from '../../support/askGraphQL.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { serveFaces } from '../support/serveFaces.ts';

const CLOSE = 'mutation ($ref: ID!) { closeSession(ref: $ref) { closed } }';
const CUT = { ref: 'o/r#\ud83d' };

test('half of a character is the replacement character, over HTTP and over a WebSocket', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  await askGraphQL(served.url, CLOSE, CUT);
  const url = `${served.url.replace('http', 'ws')}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
  await client.iterate({ query: CLOSE, variables: CUT }).next();
  await client.dispose();

  expect(worker.mutations.map(({ ref }) => ref)).toEqual(['o/r#\ufffd', 'o/r#\ufffd']);
});
