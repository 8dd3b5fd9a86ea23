import { describe, expect, test } from 'vitest';
import { checkPushConfig } from '../../../../server/a2a/push/checkPushConfig.ts';

describe('checkPushConfig() accepts a URL and leaves it as it is:', () => {
  test.each([
    'http://127.0.0.1:8080',
    'https://example.com/hooks/a2a?key=x%20y',
    'https://example.com?key=x',
    'HTTPS://Example.com/',
    'http://[::1]:9000/hook',
  ])('%s', (url) => {
    expect(checkPushConfig({ url })).toEqual({ url });
  });
});

describe('checkPushConfig() refuses a URL:', () => {
  test.each([
    '',
    'example.com/hook',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://example.com/#part',
    'http://example.com\\@evil.example/',
    'http://exa mple.com/',
    'http://example.com:99999/',
    `http://example.com/${'x'.repeat(2_048)}`,
  ])('%s', (url) => {
    expect(() => checkPushConfig({ url })).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', message: expect.stringContaining('"url"') }),
    );
  });
});

test('checkPushConfig() leaves empty fields out', () => {
  const url = 'http://a.example/';
  const authentication = { scheme: 'Bearer', credentials: '' };

  expect(checkPushConfig({ id: '', url, token: '', authentication })).toEqual({
    url,
    authentication: { scheme: 'Bearer' },
  });
});

describe('checkPushConfig() refuses what does not fit into a header or an address, and does not repeat it:', () => {
  test.each([
    ['id', { id: 'two\nlines' }],
    ['id', { id: 'x'.repeat(201) }],
    ['token', { token: 'secret\r\nX-Evil: 1' }],
    ['token', { token: ' secret' }],
    ['token', { token: 'sécret' }],
    ['token', { token: 's'.repeat(4_097) }],
    ['authentication.scheme', { authentication: { scheme: '', credentials: 'secret' } }],
    ['authentication.scheme', { authentication: { scheme: 'Bearer secret' } }],
    ['authentication.credentials', { authentication: { scheme: 'Basic', credentials: 'secret\n' } }],
    ['authentication.credentials', { authentication: { scheme: 'Basic', credentials: 's'.repeat(8_193) } }],
  ])('%s %j', (field, fields) => {
    const check = () => checkPushConfig({ url: 'http://a.example/', ...fields });

    expect(check).toThrow(`Cannot store the push configuration: "${field}"`);
    expect(check).not.toThrow('secret');
  });
});

test('checkPushConfig() accepts secrets of the greatest length', () => {
  const config = {
    url: 'http://a.example/',
    token: 't'.repeat(4_096),
    authentication: { scheme: 'Bearer', credentials: 'c'.repeat(8_192) },
  };

  expect(checkPushConfig(config)).toEqual(config);
});
