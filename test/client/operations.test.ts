/** Every method of the client on a real worker and a real manager, for itself and for its member. */
import { mkdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ClientError, createClient, type FlotillaClient } from '../../client/index.ts';
import { CLIENT_OPERATIONS } from '../../schema/generated/clientOperations.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

type Method = keyof typeof CLIENT_OPERATIONS;
type Name = 'alpha' | 'hq';

/** What an input is made of: a ref and a name that nobody else has, and the client of the instance that will answer. */
interface Things {
  readonly holder: FlotillaClient;
  readonly ref: string;
  readonly name: string;
  readonly repo: string;
}

const { operations } = readContract();
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
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

const TRACKER = new Set<Method>([
  'postWorkItemComment',
  'getTicket',
  'createTicket',
  'closeTicket',
  'createPullRequest',
  'getPullRequestStatus',
  'listPullRequestThreads',
  'resolveReviewThread',
  'mergePullRequest',
  'listPullRequestChecks',
  'markPullRequestReady',
]);

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
    if (instance === undefined || method === 'getConfigSchema') continue;
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
  if (TRACKER.has(method) || method === 'restart') {
    const detail = expect.stringContaining(CLIENT_OPERATIONS[method].operationId);
    return { status: 501, code: 'NOT_SUPPORTED', detail };
  }
  const isRegistry = method === 'registerInstance' || method === 'unregisterInstance';
  return isRegistry && asked === 'alpha' ? { status: 400, code: 'BAD_USER_INPUT' } : undefined;
}

async function perform(method: Method, asked: Name, instance: Name | undefined): Promise<unknown> {
  count += 1;
  const holder = clients[instance ?? asked];
  const name = `thing-${count}`;
  const input = await inputOf(method, { holder, name, ref: `github:client/${asked}#${count}`, repo });
  const call = clients[asked][method] as (...args: unknown[]) => Promise<unknown>;
  return CLIENT_OPERATIONS[method].takesInput ? call(input, instance) : call(instance);
}

async function inputOf(method: Method, { holder, ref, name, repo }: Things): Promise<object> {
  const plan = { repo, workItem: ref };
  switch (method) {
    case 'getWorkItem':
    case 'getSession':
    case 'sessionTranscript':
    case 'closeSession':
      await register(holder, ref);
      return { ref };
    case 'registerSession':
      return { ref, harness: 'flotilla', harnessSessionId: '' };
    case 'replySession':
      await register(holder, ref);
      return { ref, text: 'Hello' };
    case 'controlSession':
      await register(holder, ref);
      return { ref, verb: 'pause' };
    case 'linkSessionPullRequest':
      await register(holder, ref);
      return { ref, pullRequest: `${ref}9` };
    case 'createStandingSession':
      return { name };
    case 'getStandingSession':
    case 'deleteStandingSession':
      await holder.createStandingSession({ name });
      return { name };
    case 'controlStandingSession':
      await holder.createStandingSession({ name });
      return { name, verb: 'restart' };
    case 'sayToStandingSession':
      await holder.createStandingSession({ name });
      return { name, text: 'Hello' };
    case 'updateConfig':
      return { patch: { log: { level: 'info' } } };
    case 'controlDaemon':
      return { daemon: 'heartbeat', verb: 'start' };
    case 'registerInstance':
      return { name, url: `http://127.0.0.1:1/${name}` };
    case 'unregisterInstance':
      if (holder === clients.hq) await holder.registerInstance({ name, url: `http://127.0.0.1:1/${name}` });
      return { name };
    case 'postWorkItemComment':
      return { ref, body: 'A word' };
    case 'createTicket':
      return { repository: 'octo/repo', title: 'A ticket' };
    case 'createPullRequest':
      return { ref, title: 'A change', head: 'topic' };
    case 'resolveReviewThread':
      return { ref, thread: 't1' };
    case 'graphShow':
      await register(holder, ref, repo);
      await holder.graphRepos({ ...plan, repositories: [repo] });
      return { repo };
    case 'graphCheck':
    case 'graphAdvance':
    case 'graphRepos':
    case 'graphComplete':
      await register(holder, ref, repo);
      return plan;
    case 'graphForce':
      await register(holder, ref, repo);
      return { ...plan, toNode: 'first', reason: 'It is done elsewhere' };
    case 'graphSkip':
      await register(holder, ref, repo);
      return { ...plan, nodes: ['first'], reason: 'It is not needed' };
    case 'repoScenarios':
      return { repo, glob: ['**/*.feature', '**/*.test.ts'] };
    case 'repoInstructions':
    case 'repoCritics':
    case 'repoReviewPolicy':
      return { repo };
    case 'repoCriticRun':
      return { repo, name: 'strict' };
    case 'queryEvents':
      return { type: ['task.*', 'session.*'], limit: 5 };
    default:
      return { ref };
  }
}

async function register(holder: FlotillaClient, ref: string, cwd?: string): Promise<void> {
  await holder.registerSession({ ref, harness: 'flotilla', harnessSessionId: '', cwd });
}

function expectDocumented(operationId: string, document: unknown): void {
  const validate = ajv.compile(
    operations.find((known) => known.operationId === operationId)?.answer ?? false,
  );
  validate(document);
  expect(validate.errors ?? [], JSON.stringify(document)).toEqual([]);
}
