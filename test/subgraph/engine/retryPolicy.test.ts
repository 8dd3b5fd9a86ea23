import { expect, test } from 'vitest';
import type { PerformableEffect } from '../../../subgraph/effects/EffectPerformer.ts';
import {
  finalCode,
  nextAttemptMs,
  planRecovery,
  toRetryPolicy,
} from '../../../subgraph/engine/retryPolicy.ts';
import { DEFAULT_RETRIES } from '../../support/openEngine.ts';

const CALL_MODEL: PerformableEffect = { kind: 'callModel', key: 'k' };
const CALL_TOOL: PerformableEffect = {
  kind: 'callTool',
  key: 'k',
  call: { callId: 'c', tool: 't', arguments: {} },
};
const RUN_COMMAND: PerformableEffect = {
  kind: 'runCommand',
  key: 'k',
  messageId: 'm',
  participant: 'alice',
  name: 'ping',
  args: '',
};
const FAILURE = { kind: 'failed', code: 'a.b', message: '', retryable: true } as const;

test.each([
  ['a model call', CALL_MODEL, false, 5],
  ['an idempotent tool', CALL_TOOL, true, 5],
  ['another tool', CALL_TOOL, false, 1],
  ['a command', RUN_COMMAND, true, 1],
])('%s may be attempted as often as the policy and its nature allow', (_, effect, isIdempotent, expected) => {
  expect(toRetryPolicy(DEFAULT_RETRIES, effect, isIdempotent).maximumAttempts).toBe(expected);
});

test('an override of one kind of effect leaves its other fields and the other kinds alone', () => {
  const retries = { ...DEFAULT_RETRIES, perActivity: { callModel: { maximumAttempts: 2 } } };
  expect(toRetryPolicy(retries, CALL_MODEL, false)).toEqual({
    initialMs: 1_000,
    coefficient: 2,
    maximumMs: 60_000,
    maximumAttempts: 2,
  });
  expect(toRetryPolicy(retries, CALL_TOOL, true).maximumAttempts).toBe(5);
});

test.each([
  { attempt: 1, random: 0.5, expected: 1_000 },
  { attempt: 3, random: 0.5, expected: 4_000 },
  { attempt: 3, random: 0, expected: 3_200 },
  { attempt: 4, random: 1, expected: 9_600 },
  { attempt: 5, random: 0.5, expected: undefined },
])('after failure $attempt with the random number $random the wait is $expected ms', (row) => {
  const policy = toRetryPolicy(DEFAULT_RETRIES, CALL_MODEL, false);
  expect(nextAttemptMs(policy, FAILURE, row)).toBe(row.expected);
});

test.each([
  ['longer than the policy says', 5_000, 5_000],
  ['shorter than the policy says', 10, 1_000],
  ['longer than the policy allows', 900_000, 60_000],
])("the provider's wish, %s", (_, retryAfterMs, expected) => {
  const policy = toRetryPolicy(DEFAULT_RETRIES, CALL_MODEL, false);
  expect(nextAttemptMs(policy, { ...FAILURE, retryAfterMs }, { attempt: 1, random: 0.5 })).toBe(expected);
});

test('a failure that is not retryable has no next attempt', () => {
  const policy = toRetryPolicy(DEFAULT_RETRIES, CALL_MODEL, false);
  expect(nextAttemptMs(policy, { ...FAILURE, retryable: false }, { attempt: 1, random: 0 })).toBeUndefined();
});

test('what one task tells another one is tried until it is told', () => {
  const effect = { kind: 'cancelChild', key: 'k', childId: 't.1', participant: 'alice', reason: '' } as const;
  const policy = toRetryPolicy(DEFAULT_RETRIES, effect, false);
  expect(nextAttemptMs(policy, FAILURE, { attempt: 1_000_000, random: 0.5 })).toBe(60_000);
});

test.each([
  ['one that had not begun', 0, false, 'start'],
  ['one that must not be repeated and may have been done', 1, false, 'unknown'],
  ['one with attempts left', 4, true, 'start'],
  ['one whose attempts are used up', 5, true, 'exhausted'],
] as const)('an effect that was pending when its process ended, %s', (_, attempts, mayRepeat, expected) => {
  const policy = toRetryPolicy(DEFAULT_RETRIES, CALL_MODEL, false);
  expect(planRecovery(policy, { attempts, isRepeatable: mayRepeat })).toBe(expected);
});

test.each([
  ['a tool that is not idempotent', CALL_TOOL, false, true, 'tool.not_retried'],
  ['an idempotent tool', CALL_TOOL, true, true, 'a.b'],
  ['a tool whose failure is final anyway', CALL_TOOL, false, false, 'a.b'],
  ['a model call', CALL_MODEL, false, true, 'a.b'],
] as const)('the code that ends %s', (_, effect, isIdempotent, retryable, expected) => {
  expect(finalCode(effect, { ...FAILURE, retryable }, isIdempotent)).toBe(expected);
});
