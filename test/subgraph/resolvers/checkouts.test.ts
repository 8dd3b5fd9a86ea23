/** Checkouts and critics, through the schema of a worker. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckout, type TestCheckout } from '../../support/checkout.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { openWorker } from '../../support/openWorker.ts';

const FEATURE = '/*\n * Feature: Refunds\n * Scenario: half of it\n * Requirement: R3\n */\n';
const CRITICS = `critics:
  - { name: style, prompt: Look for style. }
  - { name: money, prompt: Look for money., model: m2, enabled: false }
`;

/** The part of the configuration that names the root of a checkout. */
const rootsOf = ({ root }: TestCheckout): string => `checkouts:\n  roots: [${root}]\n`;

test('repoScenarios and repoInstructions read a checkout', async () => {
  using checkout = createCheckout({
    'a.test.ts': FEATURE,
    'AGENTS.md': 'Be brief.',
    'docs/more.md': 'Be kind.',
  });
  await using open = await openWorker({ config: rootsOf(checkout) });
  const repo = checkout.path;
  const { repoScenarios } = await open.ask(
    `{ repoScenarios(repo: "${repo}", globs: []) { instance answer } }`,
  );
  expect(repoScenarios).toMatchObject({
    instance: null,
    answer: {
      repo,
      scenarios: [{ name: 'half of it', requirements: ['R3'], path: 'a.test.ts' }],
      truncated: false,
    },
  });
  const { configured, asked } = await open.ask(`{
    configured: repoInstructions(repo: "${repo}") { answer }
    asked: repoInstructions(repo: "${repo}", docs: ["docs/more.md"], onMissing: "error") { answer }
  }`);
  expect(configured.answer).toEqual({
    repo,
    onMissing: 'warn',
    docs: [
      { path: 'AGENTS.md', resolvedOk: true, text: 'Be brief.', detail: null },
      { path: 'CLAUDE.md', resolvedOk: false, text: null, detail: 'it is not there' },
    ],
  });
  expect(asked.answer.docs).toMatchObject([{ path: 'docs/more.md', text: 'Be kind.' }]);
});

test('without configured roots the directory that the instance was started in is the root', async () => {
  using elsewhere = createCheckout({ 'AGENTS.md': 'x' });
  await using open = await openWorker();
  const query = (repo: string): string =>
    `{ repoInstructions(repo: "${repo}", docs: ["README.md"]) { answer } }`;
  const { repoInstructions } = await open.ask(query(process.cwd()));
  expect(repoInstructions.answer.docs).toMatchObject([{ resolvedOk: true }]);
  expect((await open.refusal(query(elsewhere.path))).code).toBe('BAD_USER_INPUT');
});

test('repoCritics and repoReviewPolicy list who could review', async () => {
  using checkout = createCheckout();
  await using open = await openWorker({ config: rootsOf(checkout) + CRITICS, model: new FakeModel([]) });
  const { repoCritics, repoReviewPolicy } = await open.ask(`{
    repoCritics(repo: "${checkout.path}") { answer } repoReviewPolicy(repo: "${checkout.path}") { answer }
  }`);
  const row = { harness: 'flotilla', binary: '', available: true, error: null };
  expect(repoCritics.answer).toEqual([
    { name: 'style', model: 'd', enabled: true, ...row },
    { name: 'money', model: 'm2', enabled: false, ...row },
  ]);
  expect(repoReviewPolicy.answer).toEqual({
    repo: checkout.path,
    critics: [{ name: 'style', model: 'd', tokens: 60_000, timeoutSeconds: 300 }],
  });
});

test('runCritic reviews the changes, is written to the log and counts for the budget of the instance', async () => {
  using checkout = createCheckout({ 'a.txt': 'one\n', 'docs/ask.md': 'Look for money.' });
  checkout.commit();
  checkout.write({ 'a.txt': 'two\n' });
  const model = new FakeModel([{ text: 'Line 1 is wrong.' }, { text: 'Never asked.' }]);
  const budget = 'budgets:\n  instance: { turns: 1 }\n';
  await using open = await openWorker({ config: rootsOf(checkout) + CRITICS + budget, model });
  const text = `mutation {
    runCritic(repo: "${checkout.path}", name: "style", prompt: "All of it.", promptFile: "docs/ask.md", cwd: ".") { answer }
  }`;
  const { runCritic } = await open.ask(text);
  expect(runCritic.answer).toEqual({
    name: 'style',
    harness: 'flotilla',
    repo: checkout.path,
    outcome: 'reviewed',
    model: 'd',
    base: 'HEAD',
    review: 'Line 1 is wrong.',
    truncated: false,
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, cost: null },
    exitCode: 0,
    messages: [{ stream: 'out', text: 'Line 1 is wrong.' }],
  });
  expect(model.requests[0]?.instructions).toMatch(/All of it\.\n\nLook for money\.$/);
  const { events } = await open.ask('{ events(filter: { types: ["critic.*"] }) { nodes { type data } } }');
  expect(events.nodes).toEqual([
    {
      type: 'critic.reviewed',
      data: { critic: 'style', model: 'd', repo: checkout.path, inputTokens: 0, outputTokens: 0 },
    },
  ]);
  expect((await open.ask(text)).runCritic.answer).toMatchObject({
    outcome: 'refused',
    exitCode: 1,
    messages: [
      { stream: 'err', text: 'the instance has made 1 model turns today, fewer than 1 are expected' },
    ],
  });
  expect(model.requests).toHaveLength(1);
});

test('runCritic tells its critic what the task is', async () => {
  using checkout = createCheckout({ 'a.txt': 'one\n' });
  checkout.commit();
  checkout.write({ 'a.txt': 'two\n' });
  const model = new FakeModel([{ text: 'Fine.' }]);
  await using open = await openWorker({ config: rootsOf(checkout) + CRITICS, model });
  await open.ask(
    'mutation { createTask(input: { ref: "github:o/r#1", name: "Refund", goal: "Pay back" }) { ref } }',
  );
  await open.ask(
    `mutation { runCritic(repo: "${checkout.path}", name: "style", workItem: "github:o/r#1") { answer } }`,
  );
  expect(JSON.stringify(model.requests[0]?.input)).toContain('Pay back');
  const { events } = await open.ask('{ events(filter: { types: ["critic.*"] }) { nodes { ref } } }');
  expect(events.nodes).toEqual([{ ref: 'github:o/r#1' }]);
});

test.each([
  ['a critic that is not configured', 'name: "x"', 'NOT_FOUND'],
  ['a work item that is not there', 'name: "style", workItem: "o/r#9"', 'NOT_FOUND'],
  ['a prompt outside of the checkout', 'name: "style", promptFile: "../x.md"', 'BAD_USER_INPUT'],
  ['a prompt that is no document', 'name: "style", promptFile: ".env"', 'BAD_USER_INPUT'],
  ['a directory outside of the checkout', 'name: "style", cwd: ".."', 'BAD_USER_INPUT'],
  ['a time that is none', 'name: "style", timeout: 0', 'BAD_USER_INPUT'],
])('runCritic refuses %s', async (_what, args, code) => {
  using checkout = createCheckout({ '.env': 'KEY=1' });
  await using open = await openWorker({ config: rootsOf(checkout) + CRITICS });
  const { code: told } = await open.refusal(
    `mutation { runCritic(repo: "${join(checkout.path)}", ${args}) { answer } }`,
  );
  expect(told).toBe(code);
});
