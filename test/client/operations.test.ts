/** Every method of the client on a real worker and a real manager, for itself and for its member. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ClientError, createClient, type FlotillaClient } from '../../client/index.ts';
import { CLIENT_OPERATIONS } from '../../schema/generated/clientOperations.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { contractCall, expectDocumented, TRACKER_OPERATIONS } from '../support/contractCall.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

type Method = keyof typeof CLIENT_OPERATIONS;
type Name = 'alpha' | 'hq';

const { operations } = readContract();
const METHODS = Object.keys(CLIENT_OPERATIONS) as Method[];

const checkout = temporaryDirectory();
const repo = `${checkout.path}/repo`;
let alpha: RunningInstance;
let hq: RunningInstance;
let clients: Readonly<Record<Name, FlotillaClient>>;
let count = 0;

beforeAll(async () => {
  mkdirSync(repo);
  const shared = `checkouts: { roots: [${checkout.path}] }\ncritics: [{ name: strict, prompt: Look }]\n`;
  alpha = await RunningInstance.start(`instance: { name: alpha }\n${shared}`);
  hq = await RunningInstance.start(
    `instance:\n  name: hq\n  role: manager\n  manager:\n    instances: [{ name: alpha, url: '${alpha.url}' }]\n${shared}`,
  );
  clients = { alpha: createClient({ url: alpha.url }), hq: createClient({ url: hq.url }) };
  await vi.waitFor(
    async () => expect((await clients.hq.instances()).instances).toMatchObject([{}, { state: 'live' }]),
    { timeout: 15_000 },
  );
});

afterAll(async () => {
  await hq?.[Symbol.asyncDispose]();
  await alpha?.[Symbol.asyncDispose]();
  checkout[Symbol.dispose]();
});

test('there is a method for each operation of the contract whose answer is a document', () => {
  const names = operations.map(({ operationId }) => operationId).filter((id) => id !== 'streamEvents');
  expect(Object.values(CLIENT_OPERATIONS).map(({ operationId }) => operationId)).toEqual(names);
  for (const method of METHODS) expect(clients.hq[method], method).toBeTypeOf('function');
});

test.each(METHODS)('%s answers with the document of the contract on both roles', async (method) => {
  for (const [asked, instance] of [['alpha'], ['hq'], ['hq', 'alpha']] as [Name, Name?][]) {
    const { takesInstance, operationId } = CLIENT_OPERATIONS[method];
    if (instance !== undefined && !takesInstance) continue;
    const answer = perform(method, asked, instance);
    const refusal = refusalOf(method, asked);
    if (refusal) {
      const error = await answer.catch((reason: unknown) => reason);
      expect(error, asked).toBeInstanceOf(ClientError);
      expect(error, asked).toMatchObject(refusal);
      continue;
    }
    const document = await answer;
    expectDocumented(operationId, document);
    if (instance === undefined) continue;
    for (const row of [document].flat()) expect(row, method).toMatchObject({ instance: 'alpha' });
  }
});

test('a call for a name that is no instance is an error that names it', async () => {
  const error = await clients.hq.health('nobody').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
    detail: expect.stringContaining('"nobody"'),
  });
});

test('a ref that two instances hold is an error with its candidates, and the instance decides', async () => {
  const ref = 'github:client/both#1';
  for (const holder of [clients.alpha, clients.hq]) await register(holder, ref);
  const error = await clients.hq.controlSession({ ref, verb: 'pause' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 409, code: 'CONFLICT', candidates: ['hq', 'alpha'] });
  expect(await clients.hq.controlSession({ ref, verb: 'pause' }, 'alpha')).toMatchObject({
    workItem: ref,
    instance: 'alpha',
  });
});

test('a request of another shape is an error that says where', async () => {
  const wrong = { ref: 'github:client/shape#1' } as Parameters<FlotillaClient['replySession']>[0];
  const error = await clients.alpha.replySession(wrong).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    status: 422,
    code: 'VALIDATION_FAILED',
    detail: expect.stringContaining('body.text'),
    problems: [{ loc: ['body', 'text'] }],
  });
});

function refusalOf(method: Method, asked: Name): object | undefined {
  if (TRACKER_OPERATIONS.has(method) || method === 'restart') {
    const detail = expect.stringContaining(CLIENT_OPERATIONS[method].operationId);
    return { status: 501, code: 'NOT_SUPPORTED', detail };
  }
  const isRegistry = method === 'registerInstance' || method === 'unregisterInstance';
  return isRegistry && asked === 'alpha' ? { status: 400, code: 'BAD_USER_INPUT' } : undefined;
}

async function perform(method: Method, asked: Name, instance: Name | undefined): Promise<unknown> {
  count += 1;
  const things = { ref: `github:client/${asked}#${count}`, name: `thing-${count}`, repo };
  const { input, before } = contractCall(CLIENT_OPERATIONS[method].operationId, things);
  for (const [id, needed] of before) {
    const holder = id === 'registerInstance' ? clients.hq : clients[instance ?? asked];
    await methodOf(holder, id as Method)(needed);
  }
  const call = methodOf(clients[asked], method);
  return CLIENT_OPERATIONS[method].takesInput ? call(input, instance) : call(instance);
}

/** The method, whatever its arguments are. */
function methodOf(client: FlotillaClient, method: Method): (...args: unknown[]) => Promise<unknown> {
  return client[method] as (...args: unknown[]) => Promise<unknown>;
}

async function register(holder: FlotillaClient, ref: string): Promise<void> {
  await holder.registerSession({ ref, harness: 'flotilla', harnessSessionId: '' });
}
