/** GraphQL over HTTP, by the audits of the reference implementation: no error and no warning, whatever the role. */
import { readFileSync } from 'node:fs';
import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { CLIENT_LIMITS, MEMBER_LIMITS } from '../../server/graphql/documentLimits.ts';
import { fakeWorker } from '../server/support/FakeWorker.ts';
import { fakeManager } from '../server/support/fakeManager.ts';
import { serveFaces } from '../server/support/serveFaces.ts';

/** The notices that docs/graphql-over-http.md gives the reasons of. */
const EXPLAINED = ['5A70', '6A70', 'D6D5'];

test.each([['worker'], ['manager']])('a %s passes the GraphQL over HTTP audits', async (role) => {
  const worker = fakeWorker();
  const manager = role === 'manager' ? fakeManager({ worker }) : undefined;
  await using served = await serveFaces({ worker, manager });
  const results = await Promise.all(
    serverAudits({ url: `${served.url}/graphql` }).map((audit) => audit.fn()),
  );
  expect(results.length).toBeGreaterThan(55);
  const others = results.filter(({ status }) => status !== 'ok');
  expect(others.filter(({ status }) => status !== 'notice')).toEqual([]);
  expect(others.map(({ id }) => id).sort()).toEqual(EXPLAINED);
});

test('docs/graphql-over-http.md names the audits with a notice and the limits', () => {
  const text = readFileSync(new URL('../../docs/graphql-over-http.md', import.meta.url), 'utf8');
  for (const id of EXPLAINED) expect(text).toContain(`\`${id}\``);
  const rows = [...text.matchAll(/^\| [a-z ]+ +\| +([\d,]+) \| +([\d,]+) \|$/gm)].map(
    ([, worker, manager]) => [Number(worker?.replace(',', '')), Number(manager?.replace(',', ''))],
  );
  const limits = Object.keys(CLIENT_LIMITS) as (keyof typeof CLIENT_LIMITS)[];
  expect(rows.slice(0, limits.length)).toEqual(limits.map((key) => [MEMBER_LIMITS[key], CLIENT_LIMITS[key]]));
});
