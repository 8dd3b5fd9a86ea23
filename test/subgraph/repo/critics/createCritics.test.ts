/** Critics: what their model is asked, what a run uses, and everything that a run refuses. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../lib/redact.ts';
import { ConfigSchema } from '../../../../schema/config/ConfigSchema.ts';
import { ModelError } from '../../../../subgraph/models/ModelProvider.ts';
import type { Critics } from '../../../../subgraph/repo/critics/Critics.ts';
import { createCritics } from '../../../../subgraph/repo/critics/createCritics.ts';
import { openCheckout } from '../../../../subgraph/repo/openCheckout.ts';
import { createCheckout, type TestCheckout } from '../../../support/checkout.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakeModel, type FakeModelOptions, type FakeReply } from '../../../support/FakeModel.ts';

interface Setup extends FakeModelOptions {
  readonly replies?: readonly FakeReply[];
  readonly critic?: object;
  readonly reached?: string;
}

function setUp({ replies = [{ text: 'Line 1 is wrong.' }], critic = {}, reached, ...options }: Setup = {}) {
  const model = new FakeModel(replies, options);
  const clock = new FakeClock();
  const used: object[] = [];
  const { critics: configured } = ConfigSchema.parse({
    critics: [{ name: 'style', prompt: 'Look for style.', ...critic }],
  });
  const critics = createCritics({
    configured: () => configured,
    model,
    env: process.env,
    clock,
    redact: createRedactor(['hunter2!']),
    prices: () => [{ model: 'd', inputPerMillion: 1, outputPerMillion: 1 }],
    findReachedBudget: () => reached,
    countUsage: (response) => used.push(response),
  });
  return { critics, model, clock, used };
}

function changedCheckout(text = 'two\n'): TestCheckout {
  const checkout = createCheckout({ 'a.txt': 'one\n' });
  checkout.commit();
  checkout.write({ 'a.txt': text });
  return checkout;
}

const run = (critics: Critics, { path, root }: TestCheckout, more: object = {}) =>
  critics.run({ name: 'style', checkout: openCheckout(path, [root]), ...more });

describe('a run', () => {
  test('sends the prompt and the changes, and gives the review', async () => {
    using checkout = changedCheckout();
    const { critics, model, used } = setUp();
    expect(await run(critics, checkout)).toEqual({
      kind: 'reviewed',
      review: 'Line 1 is wrong.',
      model: 'd',
      base: 'HEAD',
      truncated: false,
      usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, costMicros: 0 },
    });
    const [request] = model.requests;
    expect(request).toMatchObject({ model: 'd', tools: [] });
    expect(request?.instructions).toContain('Look for style.');
    expect(JSON.stringify(request?.input)).toContain('-one\\n+two');
    expect(used).toMatchObject([{ model: 'd', usage: { costMicros: 0 } }]);
  });

  test('takes the prompt, the task and the model that it is given', async () => {
    using checkout = changedCheckout();
    const { critics, model } = setUp({ critic: { model: 'm2' } });
    const task = {
      ref: 'o/r#1',
      name: 'Refund',
      goal: 'Pay back',
      acceptanceCriteria: [{ text: 'All of it', met: false }],
    };
    await run(critics, checkout, { prompt: 'Look for money.', task });
    const [request] = model.requests;
    expect(request?.model).toBe('m2');
    expect(request?.instructions).toMatch(/Look for money\.$/);
    expect(request?.instructions).not.toContain('style');
    expect(JSON.stringify(request?.input)).toMatch(/Pay back.*\[ \] All of it/);
  });

  test('cuts the changes at its budget and says so', async () => {
    using checkout = changedCheckout('word\n'.repeat(20_000));
    const { critics, model } = setUp({ critic: { budget: { tokens: 1_000 } } });
    expect(await run(critics, checkout)).toMatchObject({ kind: 'reviewed', truncated: true });
    const [request] = model.requests;
    const characters = (request?.instructions.length ?? 0) + JSON.stringify(request?.input).length;
    expect(characters).toBeLessThan(5_000);
    expect(JSON.stringify(request?.input)).toContain('the rest does not fit');
  });

  test('sends no secret and shows none', async () => {
    using checkout = changedCheckout('password: hunter2!\n');
    const { critics, model } = setUp({ replies: [{ text: 'You wrote hunter2!' }] });
    expect(await run(critics, checkout)).toMatchObject({ review: 'You wrote [REDACTED]' });
    expect(JSON.stringify(model.requests)).not.toContain('hunter2!');
  });

  test('asks nobody when nothing differs', async () => {
    using checkout = changedCheckout('one\n');
    const { critics, model, used } = setUp();
    expect(await run(critics, checkout)).toEqual({ kind: 'unchanged', base: 'HEAD' });
    expect({ requests: model.requests, used }).toEqual({ requests: [], used: [] });
  });
});

describe('a run is refused', () => {
  test.each<[when: string, setup: Setup, reason: string, requests: number]>([
    ['when it is switched off', { critic: { enabled: false } }, 'the critic is switched off', 0],
    [
      'when its model is not allowed',
      { allowedModels: ['m9'] },
      'the model "d" is not allowed, one of m9',
      0,
    ],
    [
      'when the budget of the instance is used up',
      { reached: 'the instance has used 5 tokens' },
      'used 5 tokens',
      0,
    ],
    [
      'when the prompt fills its budget',
      { critic: { budget: { tokens: 1_000 }, prompt: 'x'.repeat(4_000) } },
      'a shorter one is expected',
      0,
    ],
    [
      'when the model fails',
      { replies: [new ModelError('provider.failed', 'no such model')] },
      'no such model',
      1,
    ],
    ['when the model says nothing', { replies: [{ text: ' ' }] }, 'the model gave no review', 1],
  ])('%s', async (_when, setup, reason, requests) => {
    using checkout = changedCheckout();
    const { critics, model } = setUp(setup);
    expect(await run(critics, checkout)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    });
    expect(model.requests).toHaveLength(requests);
  });

  test('in a directory without a repository', async () => {
    using checkout = createCheckout({ a: '' });
    const { critics } = setUp();
    expect(await run(critics, checkout)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('the changes cannot be read: the directory is in no git checkout'),
    });
  });

  test('what it used counts all the same', async () => {
    using checkout = changedCheckout();
    const { critics, used } = setUp({ replies: [{ text: '' }] });
    await run(critics, checkout);
    expect(used).toHaveLength(1);
  });

  test('when its time is over', async () => {
    using checkout = changedCheckout();
    const { critics, model, clock } = setUp();
    model.hold();
    const outcome = run(critics, checkout, { timeoutMs: 5_000 });
    await model.requested(1);
    clock.advance(5_000);
    expect(await outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Timed out after 5000 ms'),
    });
  });
});

describe('runs', () => {
  test('of an unknown critic are NOT_FOUND', async () => {
    using checkout = changedCheckout();
    await expect(run(setUp().critics, checkout, { name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are four at a time, and a stop ends them', async () => {
    using checkout = changedCheckout();
    const { critics, model } = setUp({ replies: Array.from({ length: 5 }, () => ({ text: 'x' })) });
    model.hold();
    const running = Array.from({ length: 4 }, () => run(critics, checkout));
    const ended = Promise.allSettled(running);
    await expect(run(critics, checkout)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    await model.requested(4);
    await critics[Symbol.asyncDispose]();
    for (const outcome of await ended) expect(outcome).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
    await expect(run(critics, checkout)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

test('list() tells the model in force and why it cannot be asked', () => {
  const { critics } = setUp({ allowedModels: ['m1'], defaultModel: 'm1', critic: { model: 'm2' } });
  expect(critics.list()).toEqual([
    {
      name: 'style',
      model: 'm2',
      enabled: true,
      available: false,
      error: 'the model "m2" is not allowed, one of m1 is expected',
      tokens: 60_000,
      timeoutSeconds: 300,
    },
  ]);
});
