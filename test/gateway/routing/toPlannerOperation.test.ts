import { GraphQLError, parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { toPlannerOperation } from '../../../gateway/routing/toPlannerOperation.ts';
import { SUPERGRAPH } from '../../support/fakeFleet.ts';

function protect(text: string) {
  const document = parse(text);
  const operation = toPlannerOperation({ document, text }, SUPERGRAPH.apiSchema);
  return {
    ...operation,
    isSame: operation.document === document,
    text: print(operation.document).replaceAll(/\s+/g, ' '),
  };
}

test('toPlannerOperation() leaves an operation as it is when nothing of it is dangerous', () => {
  expect(
    protect('query ($x: Boolean!) { a: tasks { nodes { title: name ref @include(if: $x) id } } }').isSame,
  ).toBe(true);
});

test('toPlannerOperation() renames aliases that are names of fields of their type, and nothing else', () => {
  const { text, restore } = protect(
    '{ task(ref: "r") { ref: name mine: ref instance owner { name: url } } }',
  );
  expect(text).toBe(
    '{ task(ref: "r") { fleet_renamed_ref: name mine: ref instance owner { fleet_renamed_name: url } } }',
  );
  const answer = {
    task: { fleet_renamed_ref: 'n', mine: 'r', instance: 'a', owner: { fleet_renamed_name: 'u' } },
  };
  expect(restore({ data: answer }).data).toEqual({
    task: { ref: 'n', mine: 'r', instance: 'a', owner: { name: 'u' } },
  });
});

test('toPlannerOperation() restores lists, fragments and errors, and never looks into JSON', () => {
  const { restore } = protect(
    '{ tasks { nodes { ...T } } } fragment T on Task { ref: name record settings { model: effort } }',
  );
  const row = {
    fleet_renamed_ref: 'n',
    record: { fleet_renamed_ref: 1 },
    settings: { fleet_renamed_model: 'LOW' },
  };
  const path = ['tasks', 'nodes', 0, 'fleet_renamed_ref'];
  const { data, errors } = restore({
    data: { tasks: { nodes: [row, null] } },
    errors: [
      new GraphQLError('alpha: fleet_renamed_ref is bad', { path, extensions: { code: 'MEMBER_ERROR' } }),
    ],
  });
  expect(data).toEqual({
    tasks: { nodes: [{ ref: 'n', record: { fleet_renamed_ref: 1 }, settings: { model: 'LOW' } }, null] },
  });
  expect(errors?.map(({ message, path, extensions }) => ({ message, path, extensions }))).toEqual([
    {
      message: 'alpha: ref is bad',
      path: ['tasks', 'nodes', 0, 'ref'],
      extensions: { code: 'MEMBER_ERROR' },
    },
  ]);
});

test('toPlannerOperation() gives the variable "representations" another name', () => {
  const { text, variables } = protect('query ($representations: ID!) { task(ref: $representations) { id } }');
  expect(text).toBe(
    'query ($fleet_renamed_representations: ID!) { task(ref: $fleet_renamed_representations) { id } }',
  );
  expect(variables({ representations: 'r', other: 1 })).toEqual({
    fleet_renamed_representations: 'r',
    other: 1,
  });
});

test('toPlannerOperation() decides literal conditions and keeps objects of which everything may be left out', () => {
  const { text, restore } = protect(
    'query ($x: Boolean!) { task(ref: "r") { name @skip(if: true) id @include(if: $x) } commands { name @include(if: true) } }',
  );
  expect(text).toBe(
    'query ($x: Boolean!) { task(ref: "r") { id @include(if: $x) fleet_renamed___filler: __typename } commands { name } }',
  );
  expect(
    restore({ data: { task: { fleet_renamed___filler: 'Task' }, commands: [{ name: 'c' }] } }).data,
  ).toEqual({
    task: {},
    commands: [{ name: 'c' }],
  });
});
