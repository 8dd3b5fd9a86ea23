import { expect, test } from 'vitest';
import { preferredMediaType } from '../../../server/http/preferredMediaType.ts';

const OFFERS = ['application/json', 'application/graphql-response+json', 'text/html'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
  ['application/json;q=0.5, application/graphql-response+json;q=0.6', 'application/graphql-response+json'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  [BROWSER, 'text/html'],
  ['*/*, application/json;q=0', 'application/graphql-response+json'],
  ['application/json;q=2', undefined],
  ['image/png', undefined],
])('preferredMediaType() reads %j as %s', (accept, expected) => {
  expect(preferredMediaType(accept, OFFERS)).toBe(expected);
});
