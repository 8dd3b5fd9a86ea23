import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createLocalMember } from '../../../gateway/member/LocalMember.ts';
import { systemClock } from '../../../lib/Clock.ts';
import { type LogFields, silentLogger } from '../../../lib/Logger.ts';
import { memberSuite } from '../../suites/memberSuite.ts';
import { createTestWorker } from '../../support/createTestWorker.ts';

memberSuite('LocalMember', async () => {
  const worker = createTestWorker({ name: 'alpha', clock: systemClock });
  return {
    worker,
    member: createLocalMember({ name: 'alpha', worker, logger: silentLogger }),
    async [Symbol.asyncDispose]() {},
  };
});

test('LocalMember: a call past its deadline is answered though the worker never answers', async () => {
  const worker = createTestWorker({ name: 'alpha', clock: systemClock });
  const stuck = { ...worker, identity: () => new Promise<never>(() => {}) };
  const member = createLocalMember({ name: 'alpha', worker: stuck, logger: silentLogger });
  const controller = new AbortController();
  const result = member.identify({ signal: controller.signal });
  controller.abort(new DOMException('too late', 'TimeoutError'));
  expect(await result).toMatchObject({ kind: 'failure', failure: { kind: 'timeout' } });
});

test('LocalMember: a defect of a resolver is logged with its cause and answered without its text', async () => {
  const worker = createTestWorker({ name: 'alpha', clock: systemClock });
  const schema = worker.schemaWith({
    Query: {
      commands: () => {
        throw new Error('the password is 4711');
      },
    },
  });
  const logged: LogFields[] = [];
  const logger = { ...silentLogger, error: (fields: LogFields) => logged.push(fields) };
  const member = createLocalMember({ name: 'alpha', worker, schema, logger });
  const text = '{ commands { name } }';
  const request = { text, document: parse(text), variables: {} };
  const result = await member.execute(request, { signal: new AbortController().signal });
  expect(result).toEqual({
    kind: 'answer',
    answer: {
      data: null,
      errors: [
        {
          message: 'Internal server error',
          path: ['commands'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
    },
  });
  expect(logged).toMatchObject([{ err: { message: 'the password is 4711' } }]);
});

test('LocalMember: a variable that does not fit its type is the fault of the caller', async () => {
  const worker = createTestWorker({ name: 'alpha', clock: systemClock });
  const member = createLocalMember({ name: 'alpha', worker, logger: silentLogger });
  const text = 'query ($first: Int!) { events(first: $first) { nodes { offset } } }';
  const request = { text, document: parse(text), variables: { first: 'many' } };
  const result = await member.execute(request, { signal: new AbortController().signal });
  expect(result).toMatchObject({ answer: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] } });
});
