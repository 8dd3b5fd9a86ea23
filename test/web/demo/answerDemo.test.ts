import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { answerDemo } from '../../../web/src/demo/answerDemo.ts';

const WEB = join(import.meta.dirname, '../../../web/src');
const NOW_MS = Date.UTC(2026, 0, 1);

/** Name and kind of every operation of the page. */
const OPERATIONS = globSync('**/*.graphql.ts', { cwd: WEB })
  .flatMap((path) => [...readFileSync(join(WEB, path), 'utf8').matchAll(/graphql\(`([^`]+)`\)/g)])
  .flatMap(([, text = '']) => parse(text).definitions)
  .flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? [{ name: definition.name?.value ?? '', kind: definition.operation }]
      : [],
  );

test.each(OPERATIONS.filter(({ kind }) => kind === 'query'))('answerDemo() answers $name', ({ name }) => {
  expect(answerDemo({ operationName: name }, NOW_MS)).toHaveProperty('data');
});

test.each(OPERATIONS.filter(({ kind }) => kind === 'mutation'))('answerDemo() refuses $name', ({ name }) => {
  const answer = answerDemo({ operationName: name }, NOW_MS);
  expect(answer).toMatchObject({ errors: [{ message: expect.stringMatching(/^Cannot /) }] });
  expect(answer).not.toHaveProperty('data');
});

test('answerDemo() refuses the writers of the registry as a worker does', () => {
  expect(answerDemo({ operationName: 'RegisterInstance' }, NOW_MS)).toMatchObject({
    errors: [{ message: expect.stringContaining('instance.role'), extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

test('answerDemo() filters the list of tasks', () => {
  const list = (filter: object) => {
    const answer = answerDemo({ operationName: 'TaskList', variables: { filter } }, NOW_MS);
    return (answer as { data: { tasks: { nodes: { state: string }[] } } }).data.tasks.nodes;
  };
  expect(list({}).length).toBeGreaterThan(2);
  expect(list({ states: ['COMPLETED'] }).map(({ state }) => state)).toEqual(['COMPLETED']);
  expect(list({ instances: ['elsewhere'] })).toEqual([]);
});
