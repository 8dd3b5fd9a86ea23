import { GraphQLError, Kind, locatedError } from 'graphql';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../lib/Logger.ts';
import { createRedactor } from '../../../lib/redact.ts';
import { conflict, FlotillaError } from '../../../schema/errors.ts';
import { createErrorFormatter, toGraphQLError } from '../../../server/errors/toGraphQLError.ts';

const NODE = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'task' } } as const;

test('toGraphQLError() tells ours with code, details and path', () => {
  const error = conflict('Cannot find task: two hold it', { candidates: ['alpha', 'beta'] });
  expect(toGraphQLError(locatedError(error, [NODE], ['task']))).toEqual({
    formatted: {
      message: 'Cannot find task: two hold it',
      path: ['task'],
      extensions: { code: 'CONFLICT', candidates: ['alpha', 'beta'] },
    },
  });
});

test('toGraphQLError() passes on what a gateway says of a member, without transport and stack', () => {
  const error = new GraphQLError('alpha is not live', {
    extensions: {
      code: 'MEMBER_UNAVAILABLE',
      instance: 'alpha',
      stacktrace: ['at x'],
      http: { status: 502 },
    },
  });
  expect(toGraphQLError(error).formatted.extensions).toEqual({
    code: 'MEMBER_UNAVAILABLE',
    instance: 'alpha',
  });
});

test.each([
  ['a plain error', new Error('password is hunter2')],
  ['a located plain error', locatedError(new Error('password is hunter2'), [NODE], ['task'])],
  ['an error of ours that is a defect', new FlotillaError('INTERNAL_SERVER_ERROR', 'password is hunter2')],
  ['a scalar that cannot be serialised', locatedError(new GraphQLError('hunter2'), [NODE], ['task'])],
  ['a code that nobody knows', new GraphQLError('hunter2', { extensions: { code: 'DOWNSTREAM' } })],
  ['what is no error', 'hunter2'],
])('toGraphQLError() masks %s', (_title, error) => {
  const { formatted, defect } = toGraphQLError(error);
  expect(formatted.message).toBe('Internal server error');
  expect(formatted.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' });
  expect(defect).toBeDefined();
});

test('toGraphQLError() takes what graphql-js refuses by its node for the mistake of the client', () => {
  const error = new GraphQLError('Variable "$ref" is wrong', { nodes: NODE });
  expect(toGraphQLError(error).formatted.extensions).toEqual({ code: 'BAD_USER_INPUT' });
});

test('toGraphQLError() does not take a cancellation for a defect', () => {
  const { formatted, defect } = toGraphQLError(new DOMException('gone', 'AbortError'));
  expect(formatted.extensions).toEqual({ code: 'UNAVAILABLE' });
  expect(defect).toBeUndefined();
});

test.each([
  [false, 'Cannot query field "taks" on type "Query".'],
  [true, 'Cannot query field "taks" on type "Query". Did you mean "task" or "tasks"?'],
])('createErrorFormatter() suggests names in development only: %s', (isDevelopment, message) => {
  const error = new GraphQLError(
    'Cannot query field "taks" on type "Query". Did you mean "task" or "tasks"?',
    {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
  );
  expect(createErrorFormatter({ logger: silentLogger, isDevelopment })(error).message).toBe(message);
});

test('createErrorFormatter() masks credentials in what a member or a subgraph said, and nothing in what is said of the request', () => {
  const tell = createErrorFormatter({
    logger: silentLogger,
    isDevelopment: false,
    redact: createRedactor(['hunter2!']),
  });
  const details = { instance: 'alpha', reason: 'password=hunter2!', candidates: ['o/r#1'] };
  const said = new FlotillaError('MEMBER_ERROR', 'alpha: Bearer sk-live-0123456789 of hunter2! is refused', {
    details,
  });
  expect(tell(locatedError(said, [NODE], ['task']))).toEqual({
    message: 'alpha: Bearer [REDACTED] of [REDACTED] is refused',
    path: ['task'],
    extensions: {
      code: 'MEMBER_ERROR',
      instance: 'alpha',
      reason: 'password=[REDACTED]',
      candidates: ['o/r#1'],
    },
  });
  const joined = new FlotillaError('MEMBER_ERROR', 'reviews: hunter2! is wrong', {
    details: { subgraph: 'reviews' },
  });
  expect(tell(joined).message).toBe('reviews: [REDACTED] is wrong');
  const own = new FlotillaError('BAD_USER_INPUT', 'Cannot read config: service.token: expected text');
  expect(tell(own).message).toBe('Cannot read config: service.token: expected text');
});
