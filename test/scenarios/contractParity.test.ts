/** The contract that an instance serves, and what it answers, on both roles (spec/manager.md §§ 12, 24). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Contract, toContract } from '../../server/rest/Contract.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { KNOWN_OPERATIONS } from '../contract/knownOperations.ts';
import { openMcpClient } from '../support/openMcpClient.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

let alpha: RunningInstance;
let hq: RunningInstance;

beforeAll(async () => {
  alpha = await RunningInstance.start('instance: { name: alpha }');
  hq = await RunningInstance.start('instance: { name: hq, role: manager }');
});

afterAll(async () => {
  await alpha?.[Symbol.asyncDispose]();
  await hq?.[Symbol.asyncDispose]();
});

/*
 * Feature: REST contract
 * Scenario: both roles serve one contract, with the routes of the fleet and the parameter instance
 *   Requirement: spec/manager.md#T3
 *   Requirement: spec/manager.md#M10
 *   Given a worker and a manager
 *   When each is asked for the contract that it serves
 *   Then both documents are the authored one, and its operations are those that clients know
 *   And it has the routes that list, register and unregister instances
 *   And instance is a parameter of every operation that is about one instance, and of no other
 */
test('both roles serve one contract, with the routes of the fleet and the parameter instance', async () => {
  for (const { url } of [alpha, hq]) {
    const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Contract['document'];
    expect(document).toEqual(readContract().document);
    const { operations } = toContract(document);
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      KNOWN_OPERATIONS.map(({ id }) => id).sort(),
    );
    expect(Object.keys(document.paths as object)).toEqual(
      expect.arrayContaining([
        '/api/v1/instances',
        '/api/v1/instances/register',
        '/api/v1/instances/unregister',
      ]),
    );
    const served = operations.filter(
      ({ parameters, body }) =>
        parameters.some(({ name }) => name === 'instance') ||
        'instance' in ((body?.properties as object) ?? {}),
    );
    expect(served.map(({ operationId }) => operationId).sort()).toEqual(
      KNOWN_OPERATIONS.filter(({ query = '', body = '' }) => `${query} ${body}`.includes('instance=""'))
        .map(({ id }) => id)
        .sort(),
    );
  }
});

/*
 * Feature: REST contract
 * Scenario: no operation of the contract is without a route on either role
 *   Requirement: spec/manager.md#T3
 *   Requirement: spec/manager.md#M10
 *   Given a worker and a manager
 *   When each documented operation is sent without what it needs, and so is one that is not documented
 *   Then every documented one answers for itself, and the other is 404, or 405 where the path has another method
 */
test('no operation of the contract is without a route on either role', async () => {
  for (const { url } of [alpha, hq]) {
    for (const { operationId, method, path } of readContract().operations) {
      const status = await statusOf(`${url}${path}`, method);
      expect([404, 405], `${operationId} of ${url}`).not.toContain(status);
    }
    expect(await statusOf(`${url}/api/v1/nothing`, 'GET')).toBe(404);
    expect(await statusOf(`${url}/api/v1/instances`, 'POST')).toBe(405);
  }
});

/*
 * Feature: REST contract
 * Scenario: agents of both roles have one list of tools, word for word
 *   Requirement: spec/manager.md#T3
 *   Given a worker and a manager
 *   When an agent at each lists the tools
 *   Then the lists are equal, with descriptions and the schemas of arguments
 */
test('agents of both roles have one list of tools, word for word', async () => {
  const [ofAlpha, ofHq] = await Promise.all([toolsOf(alpha), toolsOf(hq)]);
  expect(ofHq).toEqual(ofAlpha);
  expect(ofAlpha.length).toBeGreaterThan(0);
});

/** Of a request that says nothing but where it goes. */
async function statusOf(url: string, method: string): Promise<number> {
  const { status, body } = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
  await body?.cancel();
  return status;
}

async function toolsOf({ url }: RunningInstance) {
  await using agent = await openMcpClient(url);
  return (await agent.client.listTools()).tools;
}
