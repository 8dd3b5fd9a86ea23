/** `_entities`, split by instance (design § 3). */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import { answering, failing } from '../../support/FakeMember.ts';
import { type FakeFleet, fleetOf } from '../../support/fakeFleet.ts';
import { fakeTasks } from '../../support/fakeInstance.ts';

const TEXT = `query ($representations: [_Any!]!, $first: Int) {
  _entities(representations: $representations) { __typename ... on Task { name history(first: $first) { nodes { __typename } } } }
}`;

function threeInstances(): FakeFleet {
  return fleetOf(['hq', 'alpha', 'beta'].map((name) => ({ name, tasks: fakeTasks(name, 2) })));
}

async function read(fleet: FakeFleet, keys: readonly (readonly [instance: string, ref: string])[]) {
  const representations = keys.map(([instance, ref]) => ({ __typename: 'Task', instance, ref }));
  const { data, errors = [] } = await fleet.source.execute({
    document: parse(TEXT),
    text: TEXT,
    variables: { representations, first: 1 },
    context: createFleetContext(new AbortController().signal),
  });
  const entities = data?._entities as ({ name?: string } | null)[];
  return {
    entities,
    names: entities?.map((entity) => entity?.name ?? null),
    errors: errors.map(({ path, extensions }) => [path, extensions.code]),
  };
}

test('each instance is asked once for what it has, duplicates once, and every place is filled', async () => {
  const fleet = threeInstances();
  const { entities, names, errors } = await read(fleet, [
    ['beta', 'o/beta#0'],
    ['alpha', 'o/alpha#1'],
    ['beta', 'o/beta#0'],
    ['beta', 'o/beta#1'],
  ]);
  expect(names).toEqual(['beta 0', 'alpha 1', 'beta 0', 'beta 1']);
  expect(errors).toEqual([]);
  expect(fleet.member('hq').requests).toEqual([]);
  expect(fleet.member('beta').requests.map(({ variables }) => variables)).toEqual([
    {
      fleet_hidden_representations: [
        { __typename: 'Task', instance: 'beta', ref: 'o/beta#0' },
        { __typename: 'Task', instance: 'beta', ref: 'o/beta#1' },
      ],
      first: 1,
    },
  ]);
  // The gateway merges what other subgraphs know into each of them.
  expect(entities[0]).not.toBe(entities[2]);
});

test('an entity that nobody has is null with one error at its place, and the list is never short', async () => {
  const fleet = threeInstances();
  fleet.registry.entries = fleet.registry.entries.map((entry) =>
    entry.member.name === 'alpha' ? { ...entry, state: 'unreachable' as const } : entry,
  );
  const { names, errors } = await read(fleet, [
    ['gamma', 'o/x#0'],
    ['beta', 'o/nothing#0'],
    ['beta', 'o/beta#1'],
    ['alpha', 'o/alpha#0'],
    ['', 'o/x#0'],
  ]);
  expect(names).toEqual([null, null, 'beta 1', null, null]);
  expect(errors).toEqual([
    [['_entities', 0], 'NOT_FOUND'],
    [['_entities', 1], 'NOT_FOUND'],
    [['_entities', 3], 'MEMBER_UNAVAILABLE'],
    [['_entities', 4], 'BAD_USER_INPUT'],
  ]);
});

test('a member that fails costs its own entities', async () => {
  const fleet = threeInstances();
  fleet.member('beta').answer = () => failing({ kind: 'transport', reason: 'connection refused' });
  fleet.member('alpha').answer = () => answering({ data: { _entities: [] }, errors: [] });
  const { names, errors } = await read(fleet, [
    ['hq', 'o/hq#0'],
    ['beta', 'o/beta#0'],
    ['alpha', 'o/alpha#0'],
  ]);
  expect(names).toEqual(['hq 0', null, null]);
  expect(errors).toEqual([
    [['_entities', 1], 'MEMBER_UNAVAILABLE'],
    [['_entities', 2], 'MEMBER_ERROR'],
  ]);
});
