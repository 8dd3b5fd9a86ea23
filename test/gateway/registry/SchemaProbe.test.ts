import { expect, test } from 'vitest';
import { ownSchemaHash } from '../../../gateway/member/ownSchemaHash.ts';
import type { MemberIdentity } from '../../../gateway/registry/MemberRegistry.ts';
import { MAX_UNHASHED_PROBES, SchemaProbe } from '../../../gateway/registry/SchemaProbe.ts';
import { SdlTexts } from '../../../gateway/registry/SdlTexts.ts';
import { answeringData, FakeMember, failing } from '../../support/FakeMember.ts';

const SDL = 'type Query { one: Int }';
const { signal } = new AbortController();

function openProbe() {
  const member = new FakeMember('alpha', answeringData({ _service: { sdl: SDL } }));
  const schema = new SchemaProbe(new SdlTexts());
  const learn = (graphql: MemberIdentity['graphql'], wasLive = true) => {
    const identity = { name: 'alpha', role: 'worker', mode: 'open', managed: [], sessionCount: 0 } as const;
    return schema.learn(member, { identity: { ...identity, ...(graphql && { graphql }) }, wasLive, signal });
  };
  return { member, learn };
}

test('a member that speaks no GraphQL, or has our own schema, is asked nothing', async () => {
  const { member, learn } = openProbe();
  expect(await learn(undefined)).toBeUndefined();
  expect(await learn({ schemaHash: ownSchemaHash() })).toEqual({ hash: ownSchemaHash(), sdl: undefined });
  expect(member.requests).toEqual([]);
});

test('another schema is read once, and again when its hash changes', async () => {
  const { member, learn } = openProbe();
  const first = await learn({ schemaHash: 'a' });
  expect(first).toEqual({ hash: 'a', sdl: SDL });
  expect(await learn({ schemaHash: 'a' })).toBe(first);
  expect(member.requests).toHaveLength(1);
  member.answer = answeringData({ _service: { sdl: 'type Query { two: Int }' } });
  expect(await learn({ schemaHash: 'b' })).toEqual({ hash: 'b', sdl: 'type Query { two: Int }' });
  expect(await learn({ schemaHash: ownSchemaHash() })).toEqual({ hash: ownSchemaHash(), sdl: undefined });
  expect(member.requests).toHaveLength(2);
});

test('a member that was away is read again, whatever its hash', async () => {
  const { member, learn } = openProbe();
  const first = await learn({ schemaHash: 'a' });
  expect(await learn({ schemaHash: 'a' }, false)).not.toBe(first);
  expect(member.requests).toHaveLength(2);
});

test('a member without a hash is read again now and then', async () => {
  const { member, learn } = openProbe();
  for (let probe = 0; probe < MAX_UNHASHED_PROBES; probe += 1) await learn({ schemaHash: undefined });
  expect(member.requests).toHaveLength(1);
  await learn({ schemaHash: undefined });
  expect(member.requests).toHaveLength(2);
});

test('an SDL that was not answered is asked for by the next probe', async () => {
  const { member, learn } = openProbe();
  member.answer = () => failing({ kind: 'timeout', reason: 'timed out' });
  expect(await learn({ schemaHash: 'a' })).toEqual({ hash: 'a', sdl: undefined });
  member.answer = answeringData({ _service: { sdl: SDL } });
  expect(await learn({ schemaHash: 'a' })).toEqual({ hash: 'a', sdl: SDL });
});
