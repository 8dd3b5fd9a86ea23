/** Agents at `/mcp` of a manager of two workers: the list of tools, their results, and where a call goes. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEVER_TOOLS, TOOLS } from '../../server/mcp/TOOLS.ts';
import { type McpClient, openMcpClient } from '../support/openMcpClient.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, awaitState, createTask } from '../support/taskClient.ts';

const ON_ALPHA = 'github:o/alpha#1';
const ON_BOTH = 'github:o/both#1';

let fleet: ProcessFleet;
let agent: McpClient;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: {}, beta: {} } });
  await park({ ref: ON_ALPHA, instance: 'alpha' });
  for (const instance of ['alpha', 'beta']) await park({ ref: ON_BOTH, instance });
  agent = await openMcpClient(fleet.url);
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

async function park(key: { readonly ref: string; readonly instance: string }): Promise<void> {
  await createTask(fleet.url, 'Refund the order', key);
  await awaitParked(fleet.url, key);
}

function call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  return agent.client.callTool({ name, arguments: args });
}

async function read(path: string): Promise<unknown> {
  const response = await fetch(`${fleet.url}/api/v1${path}`);
  return response.json();
}

/*
 * Feature: Agents
 * Scenario: agents have the same tools on both roles, and none that is a person's alone
 *   Requirement: spec/manager.md#R2.1
 *   Requirement: spec/manager.md#R4.5
 *   Given a manager hq and its worker alpha, and an agent at each that speaks the older and the newer revision of the protocol
 *   When each of them lists the tools
 *   Then all of them are told the same names, of which none registers, configures, restarts or forces anything
 *   And calling what is none is refused, and hq still has its members
 */
test("agents have the same tools on both roles, and none that is a person's alone", async () => {
  for (const { url } of [fleet.manager, fleet.instance('alpha')]) {
    for (const revision of ['older', 'newer'] as const) {
      await using other = await openMcpClient(url, { revision });
      const { tools } = await other.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    }
  }
  const words = TOOLS.map(({ name }) => name.replaceAll('_', ''));
  for (const never of NEVER_TOOLS) expect(words).not.toContain(never.toLowerCase());

  await expect(call('unregister_instance', { name: 'alpha' })).rejects.toThrow(
    'there is no "unregister_instance"',
  );
  const { structuredContent } = await call('list_instances');
  expect(structuredContent).toMatchObject({
    instances: [{ name: 'hq' }, { name: 'alpha' }, { name: 'beta' }],
  });
});

/*
 * Feature: Agents
 * Scenario: a tool answers with the document of its route
 *   Requirement: spec/manager.md#R3.2
 *   Given a manager hq, and alpha and beta that have tasks
 *   When an agent at hq reads lists, one work item and identities, with an instance and without one
 *   Then each result is the document that the route answers, as text and as structured content
 */
test('a tool answers with the document of its route', async () => {
  const ref = encodeURIComponent(ON_ALPHA);
  const pairs: [name: string, args: Record<string, unknown>, path: string][] = [
    ['list_work_items', {}, '/work-items'],
    ['list_sessions', { status: 'active' }, '/sessions?status=active'],
    ['list_attention', {}, '/attention'],
    ['daemon_status', {}, '/daemons'],
    ['query_events', { type: ['task.created'], limit: 2 }, '/events?type=task.created&limit=2'],
    ['list_instances', {}, '/instances'],
    ['get_instance', {}, '/instance'],
    ['get_instance', { instance: 'beta' }, '/instance?instance=beta'],
    ['get_work_item', { ref: ON_ALPHA }, `/work-items/one?ref=${ref}`],
    ['session_transcript', { ref: ON_ALPHA, tail: 1 }, `/sessions/transcript?ref=${ref}&tail=1`],
  ];
  for (const [name, args, path] of pairs) {
    // The fleet goes on probing its members: what changes between the two reads is read again.
    await awaitState(async () => {
      const { content, structuredContent, isError } = await call(name, args);
      expect(isError, name).toBeUndefined();
      expect(structuredContent, name).toEqual(await read(path));
      expect(content, name).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    });
  }
});

/*
 * Feature: Agents
 * Scenario: an agent acts where its ref is, and is told whom to name when several hold it
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.4
 *   Given a ref that only alpha holds, one that alpha and beta hold, and one that nobody holds
 *   When an agent at hq pauses the sessions of each
 *   Then the first is paused on alpha, the second is an error with its candidates, the third is one that says so
 *   And with an instance the second is paused there, and goes on on the other one
 */
test('an agent acts where its ref is, and is told whom to name when several hold it', async () => {
  const pause = (args: Record<string, unknown>) => call('control_session', { ...args, verb: 'pause' });
  expect(await pause({ ref: ON_ALPHA })).toMatchObject({
    structuredContent: { exitCode: 0, instance: 'alpha' },
  });

  expect(await pause({ ref: ON_BOTH })).toMatchObject({
    isError: true,
    structuredContent: { code: 'CONFLICT', candidates: ['alpha', 'beta'] },
  });
  expect(await pause({ ref: 'github:o/nobody#1' })).toMatchObject({
    isError: true,
    structuredContent: { code: 'NOT_FOUND' },
  });

  expect(await pause({ ref: ON_BOTH, instance: 'beta' })).toMatchObject({
    structuredContent: { exitCode: 0, instance: 'beta' },
  });
  const { structuredContent } = await call('list_sessions', { status: 'paused' });
  expect(structuredContent).toMatchObject([
    { ref: ON_ALPHA, instance: 'alpha' },
    { ref: ON_BOTH, instance: 'beta' },
  ]);
});

/*
 * Feature: Agents
 * Scenario: an agent is told what cannot be done and what is missing
 *   Requirement: spec/manager.md#R2.9
 *   Given a manager hq, and alpha and beta of which none has a tracker
 *   When an agent reads a ticket, calls with an argument that there is not, and beta dies
 *   Then the first two are results that say what is wrong
 *   And lists go on without the rows of beta and name it, and a call to beta is an error with its name
 */
test('an agent is told what cannot be done and what is missing', async () => {
  expect(await call('get_ticket', { ref: ON_ALPHA, instance: 'alpha' })).toMatchObject({
    isError: true,
    structuredContent: { code: 'NOT_SUPPORTED' },
  });
  expect(await call('get_work_item', { ref: ON_BOTH, instence: 'beta' })).toMatchObject({
    isError: true,
    structuredContent: { code: 'BAD_USER_INPUT', detail: expect.stringContaining('"instence"') },
  });

  await fleet.instance('beta').kill();
  await awaitState(async () => {
    const { structuredContent, content, _meta } = await call('list_work_items');
    expect(structuredContent).toMatchObject([{ instance: 'alpha' }, { instance: 'alpha' }]);
    expect(content.at(-1)).toMatchObject({ text: 'Incomplete: these instances did not answer: beta' });
    expect(_meta).toMatchObject({ 'dev.flotilla/unreachable': ['beta'] });
  });
  expect(await call('get_work_item', { ref: ON_BOTH, instance: 'beta' })).toMatchObject({
    isError: true,
    structuredContent: { code: 'MEMBER_UNAVAILABLE', instance: 'beta' },
  });

  // As it was before, for whoever asks next.
  await fleet.instance('beta').start();
  await awaitState(async () =>
    expect(await read('/instances')).toMatchObject({ instances: [{}, {}, { name: 'beta', state: 'live' }] }),
  );
});
