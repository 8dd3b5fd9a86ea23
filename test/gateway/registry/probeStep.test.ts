import { describe, expect, test } from 'vitest';
import type { IdentityAnswer, MemberResult } from '../../../gateway/member/Member.ts';
import type { MemberState } from '../../../gateway/registry/MemberRegistry.ts';
import { failureStep, type ProbeStep, probeStep } from '../../../gateway/registry/probeStep.ts';
import type { NewEvent } from '../../../subgraph/index.ts';

type Result = MemberResult<IdentityAnswer>;

const answer = (answered: IdentityAnswer): Result => ({ kind: 'answer', answer: answered });
const document = (body: unknown): Result => answer({ kind: 'document', body, version: '' });
const status = (code: number, isJson: boolean, detail = ''): Result =>
  answer({ kind: 'status', status: code, isJson, detail });
const failure = (kind: 'transport' | 'timeout', reason: string): Result => ({
  kind: 'failure',
  failure: { kind, reason },
});

const LIVE = document({ name: 'alpha', role: 'worker' });
const DOWN = failure('transport', 'connection refused');
const OTHER = document({ name: 'beta', role: 'manager' });

describe('probeStep(): what came back decides the state', () => {
  const foreign = (text: string) => `not an instance of this product: ${text}`;
  test.each<[string, Result, MemberState, string, boolean]>([
    ['right name, role worker', LIVE, 'live', '', false],
    ['right name, no role', document({ name: 'alpha' }), 'live', '', false],
    ['other name', document({ name: 'beta' }), 'mismatched', 'answers as beta, registered as alpha', false],
    ['empty name', document({ name: '' }), 'mismatched', 'answers as (unnamed), registered as alpha', false],
    [
      'name that is no text',
      document({ name: 1 }),
      'mismatched',
      'answers as (unnamed), registered as alpha',
      false,
    ],
    [
      'ill-formed name',
      document({ name: 'http://x/' }),
      'mismatched',
      'answers as (unnamed), registered as alpha',
      false,
    ],
    [
      'right name, role manager',
      document({ name: 'alpha', role: 'manager' }),
      'mismatched',
      'answers as alpha in the role manager, a worker is expected, registered as alpha',
      false,
    ],
    ['HTTP 400 with JSON', status(400, true, 'no'), 'mismatched', foreign('HTTP 400: no'), false],
    [
      'HTTP 404 with JSON',
      status(404, true, 'Not Found'),
      'mismatched',
      foreign('HTTP 404: Not Found'),
      false,
    ],
    [
      'somebody who is refused',
      answer({ kind: 'refused', reason: 'its card demands OAuth 2.0' }),
      'mismatched',
      'its card demands OAuth 2.0',
      false,
    ],
    ['HTTP 404 with HTML', status(404, false), 'mismatched', foreign('HTTP 404'), false],
    ['HTTP 409', status(409, true), 'mismatched', foreign('HTTP 409'), false],
    ['HTTP 302', status(302, false), 'unreachable', 'HTTP 302', false],
    ['HTTP 401', status(401, true, 'who?'), 'unreachable', 'HTTP 401: who?', false],
    ['HTTP 403', status(403, true), 'unreachable', 'HTTP 403', false],
    ['HTTP 422', status(422, true), 'unreachable', 'HTTP 422', false],
    ['HTTP 500 with HTML', status(500, false), 'unreachable', 'HTTP 500', false],
    ['HTTP 503', status(503, true, 'full'), 'unreachable', 'HTTP 503: full', false],
    [
      '2xx, not JSON',
      answer({ kind: 'malformed', reason: 'the answer is not JSON' }),
      'unreachable',
      'the answer is not JSON',
      true,
    ],
    ['2xx, no object', document([1]), 'unreachable', 'the answer is not an object', true],
    [
      'over the bound',
      answer({ kind: 'malformed', reason: 'the answer is larger than 16777216 bytes' }),
      'unreachable',
      'the answer is larger than 16777216 bytes',
      true,
    ],
    ['refused', DOWN, 'unreachable', 'connection refused', false],
    ['timeout', failure('timeout', 'timed out'), 'unreachable', 'timed out', false],
  ])('%s', (_, result, state, detail, isMalformed) => {
    const { condition, events } = probeStep('alpha', state, result);
    expect({ state: condition.state, detail: 'detail' in condition ? condition.detail : '' }).toEqual({
      state,
      detail,
    });
    const malformed = {
      type: 'instance.malformed',
      level: 'ERROR',
      source: 'registry',
      data: { instance: 'alpha', operation: 'getInstance', reason: detail },
    };
    expect(events).toEqual(isMalformed ? [malformed] : []);
  });

  test('a live member has its identity and its version', () => {
    const result = answer({ kind: 'document', body: { name: 'alpha', sessionCount: 3 }, version: '4.5.6' });
    expect(probeStep('alpha', undefined, result).condition).toEqual({
      state: 'live',
      version: '4.5.6',
      identity: { name: 'alpha', role: 'worker', mode: '', managed: [], sessionCount: 3 },
    });
  });
});

describe('probeStep(): the change of state decides the event', () => {
  const recovered: NewEvent = {
    type: 'instance.recovered',
    level: 'INFO',
    source: 'registry',
    data: { instance: 'alpha' },
  };
  const unreachable: NewEvent = {
    type: 'instance.unreachable',
    level: 'ERROR',
    source: 'registry',
    data: { instance: 'alpha', reason: 'connection refused' },
  };
  const mismatched: NewEvent = {
    type: 'instance.mismatched',
    level: 'ERROR',
    source: 'registry',
    data: { instance: 'alpha', reported: 'beta', role: 'manager' },
  };
  test.each<[previous: MemberState | undefined, next: string, result: Result, events: ProbeStep['events']]>([
    [undefined, 'live', LIVE, []],
    [undefined, 'unreachable', DOWN, [unreachable]],
    [undefined, 'mismatched', OTHER, [mismatched]],
    ['live', 'live', LIVE, []],
    ['live', 'unreachable', DOWN, [unreachable]],
    ['live', 'mismatched', OTHER, [mismatched]],
    ['unreachable', 'live', LIVE, [recovered]],
    ['unreachable', 'unreachable', DOWN, []],
    ['unreachable', 'mismatched', OTHER, [mismatched]],
    ['mismatched', 'live', LIVE, [recovered]],
    ['mismatched', 'unreachable', DOWN, [unreachable]],
    ['mismatched', 'mismatched', OTHER, []],
  ])('from %s to %s', (previous, _, result, events) => {
    expect(probeStep('alpha', previous, result).events).toEqual(events);
  });

  test('an answer that is malformed from the first is told as that, and as unreachable', () => {
    const { events } = probeStep('alpha', undefined, document(null));
    expect(events.map(({ type }) => type)).toEqual(['instance.malformed', 'instance.unreachable']);
  });

  test('a failed call is told as a failed probe is', () => {
    expect(failureStep('alpha', 'live', 'connection refused')).toEqual({
      condition: { state: 'unreachable', detail: 'connection refused', isMalformed: false },
      events: [unreachable],
    });
    expect(failureStep('alpha', 'unreachable', 'connection refused').events).toEqual([]);
  });
});
