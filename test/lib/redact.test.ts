import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, redactDeep } from '../../lib/redact.ts';
import { startCpuWatch } from '../support/startCpuWatch.ts';

describe('createRedactor()', () => {
  test.each([
    ['a bearer token', 'Authorization: Bearer abc.def-123~x==', 'Authorization: Bearer [REDACTED]'],
    ['a bearer token in a sentence', 'sent bearer 0123456789 twice', 'sent bearer [REDACTED] twice'],
    ['a basic credential', 'authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [REDACTED]'],
    ['a key of a model provider', 'key sk-proj-0123456789 is bad', 'key [REDACTED] is bad'],
    ['a key of Temporal', 'with tmprl_abcdefgh.ij', 'with [REDACTED]'],
    ['a token of GitHub', `push ghp_${'a1B2'.repeat(9)} now`, 'push [REDACTED] now'],
    ['an OAuth token of GitHub', `gho_${'a1B2'.repeat(9)}`, '[REDACTED]'],
    ['a server token of GitHub', `(ghs_${'a1B2'.repeat(9)})`, '([REDACTED])'],
    ['a fine-grained token of GitHub', `github_pat_${'a1_B'.repeat(20)}.`, '[REDACTED].'],
    ['a key of AWS', `as AKIA${'A1B2'.repeat(4)}, so`, 'as [REDACTED], so'],
    ['a token of Slack', 'xoxb-1234567890-abcDEF and xoxp-0987654321', '[REDACTED] and [REDACTED]'],
    ['a key of Google', `?key=AIza${'aB-_3'.repeat(7)}&x=1`, '?key=[REDACTED]&x=1'],
    ['a web token', 'is eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl?', 'is [REDACTED]?'],
    [
      'a private key',
      'a\n-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\nMIIE+/=\n-----END RSA PRIVATE KEY-----\nb',
      'a\n[REDACTED]\nb',
    ],
    [
      'a private key in a JSON string',
      '"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n"',
      '"[REDACTED]\\n"',
    ],
    [
      'the lines of a private key that was cut off',
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3Bl'.repeat(16)}\n${'AAAA'.repeat(8)} …`,
      '[REDACTED] …',
    ],
    ['a header', 'X-Api-Key: 0123456789', 'X-Api-Key: [REDACTED]'],
    ['an assignment', 'API_KEY=0123456789 next', 'API_KEY=[REDACTED] next'],
    ['a query parameter', '/x?access_token=0123456789&page=2', '/x?access_token=[REDACTED]&page=2'],
    ['a JSON member', '{"password":"with \\" and space","a":1}', '{"password":"[REDACTED]","a":1}'],
    [
      'a JSON member in a JSON string',
      '"{\\"client_secret\\":\\"0123456789\\",\\"a\\":1}"',
      '"{\\"client_secret\\":\\"[REDACTED]\\",\\"a\\":1}"',
    ],
    ['a value in single quotes', "password = 'a long one' end", "password = '[REDACTED]' end"],
  ])('masks %s', (_what, text, expected) => {
    expect(createRedactor()(text)).toBe(expected);
  });

  test.each([
    'the token is expired',
    'password: short',
    'max_tokens: 40960000',
    'a risk-assessment-of-everything',
    'bearer of news',
    'secret',
    'the line -----BEGIN PUBLIC KEY----- stays',
    'ghp_short and AKIA-1 and xoxo-kisses-to-all',
    'eyJ.eyJ.eyJ',
    'AKIAABCDEFGHIJKLMNOPQRSTUVWXYZ',
    '',
  ])('leaves %j alone', (text) => {
    expect(createRedactor()(text)).toBe(text);
  });

  test('masks the given secrets wherever they stand, the longer one of two first', () => {
    const redact = createRedactor(['a+b(c', 'a+b(c)+more', 'tiny', 'x']);
    expect(redact('<a+b(c)+more> and a+b(c, tinyx')).toBe('<[REDACTED]> and [REDACTED], [REDACTED]x');
  });

  test('changes nothing when it is asked again', () => {
    const part = fc.constantFrom(
      'token',
      'Bearer ',
      ':',
      '=',
      '"',
      '\\',
      "'",
      ' ',
      'sk-',
      'ghp_',
      'eyJ',
      '.',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      '0123456789',
      '\n',
    );
    const redact = createRedactor(['0123']);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const once = redact(parts.join(''));
        expect(redact(once)).toBe(once);
        expect(once).not.toContain('0123');
      }),
    );
  });

  test.each([
    'bearer ',
    'token',
    'token:',
    `token${' '.repeat(9)}`,
    'sk-',
    'ghp_',
    'eyJ',
    'eyJaaaaa.',
    'eyJaaaaa.aaaaa.-',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----a',
    '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAA',
    '-----BEGIN A A A PRIVATE KEY',
    'api key="\\',
    'password=\\"',
    ' ',
  ])('takes a long text of %j as fast as any', (piece) => {
    const redact = createRedactor();
    const of = (length: number): number => {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      const cpuMs = startCpuWatch();
      redact(text);
      return cpuMs();
    };
    of(1_000_000);
    // Quadratic time would be minutes.
    expect(of(1_000_000)).toBeLessThan(2_000);
  });
});

describe('redactDeep()', () => {
  const redact = createRedactor(['hunter2']);

  test('redacts every string and masks what stands behind a secret name', () => {
    const value = {
      text: ['is hunter2', { deep: 'Bearer 0123456789' }],
      password: 'anything goes',
      accessToken: '0123456789',
      tokenEnv: 'ALPHA_TOKEN_NAME',
      count: 3,
      isSet: false,
      none: null,
    };
    expect(redactDeep(value, redact)).toEqual({
      text: ['is [REDACTED]', { deep: 'Bearer [REDACTED]' }],
      password: '[REDACTED]',
      accessToken: '[REDACTED]',
      tokenEnv: 'ALPHA_TOKEN_NAME',
      count: 3,
      isSet: false,
      none: null,
    });
    expect(value.password).toBe('anything goes');
  });

  test('keeps cycles, shared parts and values that are no JSON', () => {
    const at = new Date(0);
    const shared = { text: 'hunter2' };
    const value: Record<string, unknown> = { at, one: shared, two: shared };
    value.self = value;
    const copy = redactDeep(value, redact) as typeof value;
    expect(copy.self).toBe(copy);
    expect(copy.one).toEqual({ text: '[REDACTED]' });
    expect(copy.two).toBe(copy.one);
    expect(copy.at).toBe(at);
  });

  test('takes a value of any depth, and a prototype key for a key', () => {
    let deep: unknown = 'hunter2';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    let bottom = redactDeep(deep, redact);
    while (Array.isArray(bottom)) bottom = bottom[0];
    expect(bottom).toBe('[REDACTED]');
    const parsed: unknown = JSON.parse('{"__proto__":{"text":"hunter2"}}');
    expect(JSON.stringify(redactDeep(parsed, redact))).toBe('{"__proto__":{"text":"[REDACTED]"}}');
  });
});
