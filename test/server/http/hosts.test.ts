import { expect, test } from 'vitest';
import { isOwnHost, isOwnOrigin } from '../../../server/http/hosts.ts';

const LOOPBACK = { host: '127.0.0.1', port: 4114 };
const PUBLIC = { host: '0.0.0.0', port: 4114 };

test.each([
  ['localhost:4114', true],
  ['127.0.0.1:4114', true],
  ['[::1]:4114', true],
  ['LOCALHOST:4114', true],
  ['localhost:4115', false],
  ['localhost', false],
  ['evil.example:4114', false],
  ['localhost.evil.example:4114', false],
  ['127.0.0.1@evil.example:4114', false],
  ['', false],
  [undefined, false],
])('isOwnHost() on loopback takes %j: %s', (host, expected) => {
  expect(isOwnHost(host, LOOPBACK)).toBe(expected);
});

test('isOwnHost() takes the default port from its absence', () => {
  expect(isOwnHost('localhost', { host: 'localhost', port: 80 })).toBe(true);
});

test('isOwnHost() takes any name where other machines can reach the bind', () => {
  expect(isOwnHost('fleet.example', PUBLIC)).toBe(true);
});

test.each([
  [undefined, 'localhost:4114', LOOPBACK, true],
  ['http://localhost:4114', 'localhost:4114', LOOPBACK, true],
  ['http://localhost:5173', '127.0.0.1:4114', LOOPBACK, true],
  ['https://evil.example', 'localhost:4114', LOOPBACK, false],
  ['null', 'localhost:4114', LOOPBACK, false],
  ['https://fleet.example', 'fleet.example', PUBLIC, true],
  ['https://evil.example', 'fleet.example', PUBLIC, false],
  ['http://localhost:5173', 'fleet.example', PUBLIC, false],
])('isOwnOrigin() takes %j for the host %j: %#', (origin, host, bind, expected) => {
  expect(isOwnOrigin(origin, host, bind)).toBe(expected);
});
