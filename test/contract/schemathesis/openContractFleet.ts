/** A manager and its worker, each a process of its own, with something behind every key that `schemathesis.toml` names. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../../client/index.ts';
import { createCheckout } from '../../support/checkout.ts';
import { ProcessFleet } from '../../support/ProcessFleet.ts';

/** Longest wait for the plan of a task, in milliseconds. */
const PLAN_MS = 20_000;

const STEPS = [
  { name: 'Look up', description: 'the order' },
  { name: 'Refund', description: 'the money', depends_on: ['Look up'] },
];

const FEATURE = `Feature: Refunds
  Scenario: a paid order is refunded
`;

export interface ContractFleet extends AsyncDisposable {
  /** Addresses by role. */
  readonly urls: Readonly<Record<'worker' | 'manager', string>>;
  /** What both may read. */
  readonly checkout: string;
  /** What the instances have warned of, by their names. */
  logs(): Readonly<Record<string, string>>;
}

/** A work item of each, one that both hold, a standing session of each, a plan, a critic, and a checkout with changes. */
export async function openContractFleet(): Promise<ContractFleet> {
  await using resources = new AsyncDisposableStack();
  const checkout = resources.use(createCheckout({ 'a.txt': 'one\n', 'AGENTS.md': 'Be brief.\n' }));
  checkout.write({ 'features/refunds.feature': FEATURE });
  checkout.commit();
  checkout.write({ 'a.txt': 'two\n' });
  const config = {
    log: { level: 'warn' },
    checkouts: { roots: [checkout.root] },
    critics: [{ name: 'style', prompt: 'Look for style.' }],
    scripted: {
      replies: [{ toolCalls: [{ tool: 'create_plan', arguments: { steps: STEPS } }] }, { text: 'planned' }],
    },
  };
  const fleet = resources.use(
    await ProcessFleet.start({
      workers: { alpha: { ...config, standingSessions: [{ name: 'shepherd' }] } },
      manager: { ...config, standingSessions: [{ name: 'clerk' }] },
    }),
  );
  const urls = { worker: fleet.instance('alpha').url, manager: fleet.url };
  await fillInstance(urls.worker, ['github:octo/repo#1', 'github:octo/repo#3'], checkout.path);
  await fillInstance(urls.manager, ['github:octo/repo#2', 'github:octo/repo#3'], checkout.path);
  const owned = resources.move();
  return {
    urls,
    checkout: checkout.path,
    logs: () => Object.fromEntries(fleet.instances.map(({ name, stderr }) => [name, stderr])),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A session of each ref, the first of which has a plan. */
async function fillInstance(url: string, refs: readonly string[], repo: string): Promise<void> {
  const client = createClient({ url });
  const { name } = await client.instance();
  for (const ref of refs) {
    await client.registerSession({ ref, harness: 'flotilla', harnessSessionId: '', cwd: repo }, name);
  }
  const [workItem = ''] = refs;
  await client.replySession({ ref: workItem, text: 'Refund the order' }, name);
  const deadline = performance.now() + PLAN_MS;
  while ((await client.graphCheck({ repo, workItem }, name)).nodes.length === 0) {
    if (performance.now() > deadline) throw new Error(`${workItem} has no plan after ${PLAN_MS} ms`);
    await sleep(25);
  }
}
