/** Every operation of the REST contract on a worker and on a manager, with `instance` and without, own and proxied. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KNOWN_OPERATIONS, type KnownOperation } from '../contract/knownOperations.ts';
import {
  type ContractInput,
  contractCall,
  expectDocumented,
  TRACKER_OPERATIONS,
} from '../support/contractCall.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Who is asked, what it is told, who then answers. */
interface Call {
  readonly title: string;
  readonly asked: 'hq' | 'alpha';
  readonly instance: string | undefined;
  readonly answers: 'hq' | 'alpha';
}

const CALLS: readonly Call[] = [
  { title: 'a worker, without instance', asked: 'alpha', instance: undefined, answers: 'alpha' },
  { title: 'a worker, by its own name', asked: 'alpha', instance: 'alpha', answers: 'alpha' },
  { title: 'a manager, without instance', asked: 'hq', instance: undefined, answers: 'hq' },
  { title: 'a manager, by its own name', asked: 'hq', instance: 'hq', answers: 'hq' },
  { title: 'a manager, for its member', asked: 'hq', instance: 'alpha', answers: 'alpha' },
];

/** By-instance answers of an instance itself that are stamped nevertheless (spec/manager.md § 10.1). */
const STAMPED = new Set(['registerSession', 'createStandingSession', 'controlDaemon']);

/** What an instance of ours answers without fail, but not with 200. */
const STATUSES: Readonly<Record<string, number>> = {
  restart: 501,
  ...Object.fromEntries([...TRACKER_OPERATIONS].map((id) => [id, 501])),
};

const checkout = temporaryDirectory();
let fleet: ProcessFleet;
let calls = 0;

beforeAll(async () => {
  mkdirSync(`${checkout.path}/repo`);
  const config = {
    checkouts: { roots: [checkout.path] },
    critics: [{ name: 'strict', prompt: 'Look for mistakes' }],
  };
  fleet = await ProcessFleet.start({ workers: { alpha: config }, manager: config });
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  checkout[Symbol.dispose]();
});

const WITH_INSTANCE = KNOWN_OPERATIONS.filter(takesInstance);
const WITHOUT_INSTANCE = KNOWN_OPERATIONS.filter(
  (operation) => !takesInstance(operation) && operation.id !== 'streamEvents',
);

/*
 * Feature: REST contract
 * Scenario: $id answers on both roles, for itself and for a member
 *   Requirement: spec/manager.md#R2.1
 *   Requirement: spec/manager.md#R2.5
 *   Requirement: spec/manager.md#R2.6
 *   Requirement: spec/manager.md#R2.7
 *   Requirement: spec/manager.md#T1
 *   Given a manager hq and its worker alpha, and an operation that takes instance
 *   When it is asked of alpha without instance and by its own name, and of hq without, by its own and by the name of alpha
 *   Then each answer has the documented shape, or is 501 where an instance has no tracker
 *   And what hq was told for alpha was done by alpha, is stamped with its name, and is audited with it
 */
test.each(WITH_INSTANCE)('$id answers on both roles, for itself and for a member', async (known) => {
  for (const call of CALLS) {
    const { status, body } = await perform(known, call);
    expect([call.title, status, body]).toEqual([call.title, STATUSES[known.id] ?? 200, expect.anything()]);
    if (status !== 200) {
      expect(body.detail, call.title).toContain(known.id);
      continue;
    }
    expectDocumented(known.id, body);
    for (const row of [body].flat()) {
      if (known.id === 'getConfigSchema') continue;
      expect(row.instance, call.title).toBe(stampOf(known, call));
    }
  }
});

/*
 * Feature: REST contract
 * Scenario: $id for a name that is no instance is 404 on both roles
 *   Requirement: spec/manager.md#A6
 *   Requirement: spec/manager.md#T1
 *   Given a manager hq and its worker alpha, and an operation that takes instance
 *   When it is asked of either for an instance that there is not
 *   Then it is 404 naming it
 */
test.each(WITH_INSTANCE)('$id for a name that is no instance is 404 on both roles', async (known) => {
  for (const asked of ['alpha', 'hq'] as const) {
    const { status, body } = await request(known, asked, {
      ...(await inputOf(known, asked)),
      instance: 'nobody',
    });
    expect([asked, status], JSON.stringify(body)).toEqual([asked, 404]);
    expect(body.detail).toContain('"nobody"');
  }
});

/*
 * Feature: REST contract
 * Scenario: $id answers on both roles
 *   Requirement: spec/manager.md#R2.2
 *   Requirement: spec/manager.md#T1
 *   Given a manager hq and its worker alpha, and an operation that takes no instance
 *   When it is asked of each
 *   Then each answer has the documented shape, and every row of hq's lists is stamped
 */
test.each(WITHOUT_INSTANCE)('$id answers on both roles', async (known) => {
  const isWrite = known.route.startsWith('POST');
  if (isWrite) {
    const refused = await request(known, 'alpha', await inputOf(known, 'alpha'));
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toContain('instance.role');
  }
  for (const asked of isWrite ? (['hq'] as const) : (['alpha', 'hq'] as const)) {
    const { status, body } = await request(known, asked, await inputOf(known, asked));
    expect([asked, status], JSON.stringify(body)).toEqual([asked, 200]);
    expectDocumented(known.id, body);
    if (!Array.isArray(body)) continue;
    const stamps = new Set(body.map(({ instance }: { instance?: string }) => instance));
    if (asked === 'alpha') expect(stamps.has('hq')).toBe(false);
    else expect([...stamps].filter((stamp) => stamp !== 'hq' && stamp !== 'alpha')).toEqual([]);
  }
});

function takesInstance({ query = '', body = '' }: KnownOperation): boolean {
  return `${query} ${body}`.includes('instance=""');
}

/** Who the answer says it is from; a worker says nothing of itself. */
function stampOf(known: KnownOperation, { asked, answers }: Call): string | undefined {
  if (asked === 'alpha') return undefined;
  if (answers === 'alpha') return 'alpha';
  const isKeyed = known.class === 'by-ref' || known.class === 'by-standing-name';
  return isKeyed || STAMPED.has(known.id) ? 'hq' : undefined;
}

async function perform(known: KnownOperation, { asked, instance, answers }: Call): Promise<Answer> {
  const input = await inputOf(known, answers);
  const answer = await request(known, asked, { ...input, ...(instance !== undefined && { instance }) });
  if (asked === 'hq' && answers === 'alpha' && known.id !== 'health') {
    // The last call of each operation, and the only one that goes to a member.
    await expect.poll(() => lastAudit(known)).toMatchObject({ status: answer.status, instance: 'alpha' });
  }
  return answer;
}

/** The newest `api.request` of the operation in the manager's own log. */
async function lastAudit({ route }: KnownOperation): Promise<Record<string, unknown> | undefined> {
  const path = `/api/v1/${route.split(' ')[1]}`;
  const response = await fetch(`${fleet.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: '{ events(last: 200, filter: { types: ["api.request"] }) { nodes { instance data } } }',
    }),
  });
  const { data } = (await response.json()) as {
    data: { events: { nodes: { instance: string; data: Record<string, unknown> }[] } };
  };
  const found = data.events.nodes.findLast((event) => event.instance === 'hq' && event.data.path === path);
  return found?.data;
}

/** A request that the instance can fulfil, each on things of its own. */
async function inputOf({ id }: KnownOperation, holder: 'hq' | 'alpha'): Promise<ContractInput> {
  calls += 1;
  const things = {
    ref: `github:matrix/${holder}#${calls}`,
    name: `call-${calls}`,
    repo: `${checkout.path}/repo`,
  };
  const { input, before } = contractCall(id, things);
  for (const [needed, its] of before) {
    const asked = needed === 'registerInstance' ? 'hq' : holder;
    const { status, body } = await request(operation(needed), asked, its);
    expect(status, JSON.stringify(body)).toBe(200);
  }
  return input;
}

function operation(id: string): KnownOperation {
  const found = KNOWN_OPERATIONS.find((known) => known.id === id);
  if (!found) throw new Error(`There is no ${id}`);
  return found;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape that it reads.
  readonly body: any;
}

async function request(
  { route }: KnownOperation,
  asked: 'hq' | 'alpha',
  input: ContractInput,
): Promise<Answer> {
  const [method, path] = route.split(' ');
  const url = `${fleet.instance(asked).url}/api/v1/${path}`;
  const response =
    method === 'GET'
      ? await fetch(`${url}?${toQuery(input)}`)
      : await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(input),
        });
  return { status: response.status, body: await response.json() };
}

/** Lists repeat their name. */
function toQuery(input: ContractInput): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const one of [value].flat()) query.append(name, String(one));
  }
  return query;
}
