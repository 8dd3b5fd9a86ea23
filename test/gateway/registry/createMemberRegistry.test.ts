import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createMemberRegistry } from '../../../gateway/registry/createMemberRegistry.ts';
import type { FleetEntry } from '../../../gateway/registry/MemberRegistry.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { StateFileError } from '../../../lib/StateDatabase.ts';
import { CableMember } from '../../support/CableMember.ts';
import { createTestWorker } from '../../support/createTestWorker.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { settled, until } from '../../support/until.ts';

const INTERVAL_MS = 15_000;
const TIMEOUT_MS = 10_000;

describe('MemberRegistry.fleet()', () => {
  test('has the own half first, always live, and then the members in the order of the configuration', async () => {
    await using fleet = openFleet(['beta', 'alpha']);
    const entries = await fleet.read();
    expect(
      entries.map(({ member, isLocal, url, state }) => ({ name: member.name, isLocal, url, state })),
    ).toEqual([
      { name: 'hq', isLocal: true, url: 'http://127.0.0.1:4114', state: 'live' },
      { name: 'beta', isLocal: false, url: 'http://beta:4114', state: 'live' },
      { name: 'alpha', isLocal: false, url: 'http://alpha:4114', state: 'live' },
    ]);
  });

  test('knows who each of them is', async () => {
    await using fleet = openFleet(['alpha'], ({ worker }) => worker.managed.push('o/r#1'));
    const [own, alpha] = await fleet.read();
    expect(own?.identity).toMatchObject({ name: 'hq', role: 'manager', managed: [] });
    expect(alpha).toMatchObject({
      version: '1.2.3',
      identity: { name: 'alpha', role: 'worker', mode: 'open', managed: [{ ref: 'o/r#1' }], sessionCount: 1 },
    });
  });

  test('waits for a member that was never probed', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.hang());
    const read = fleet.read();
    await until(() => fleet.member('alpha').probing === 1);
    fleet.clock.advance(TIMEOUT_MS);
    expect((await read)[1]).toMatchObject({ state: 'unreachable', detail: 'timed out', identity: undefined });
  });

  test('is not kept waiting when it is hasty, and has no finding then that is too old', async () => {
    await using fleet = openFleet(['alpha', 'beta'], (member) => {
      if (member.name === 'beta') member.hang();
    });
    await settled();
    const hasty = () => fleet.registry.fleet({ signal: new AbortController().signal, isHasty: true });
    const first = hasty();
    await until(() => fleet.member('beta').probing === 1);
    fleet.clock.advance(500);
    const unknown = { state: 'unreachable', detail: 'its probe has not ended', identity: undefined };
    expect((await first).slice(1)).toMatchObject([{ state: 'live' }, unknown]);

    fleet.member('alpha').hang();
    fleet.clock.advance(INTERVAL_MS);
    const second = hasty();
    await until(() => fleet.member('alpha').probing === 1);
    fleet.clock.advance(500);
    expect((await second)[1]).toMatchObject(unknown);
  });

  test('costs no request while the last probe is fresh, and one when it is not', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.clock.advance(INTERVAL_MS * 0.6);
    await fleet.read();
    expect(fleet.member('alpha').probes).toBe(1);
    fleet.clock.advance(INTERVAL_MS * 0.4);
    await fleet.read();
    expect(fleet.member('alpha').probes).toBe(2);
  });

  test('a hundred readers of a stale fleet share one probe per member', async () => {
    await using fleet = openFleet(['alpha', 'beta']);
    await fleet.read();
    fleet.clock.advance(INTERVAL_MS);
    await Promise.all(Array.from({ length: 100 }, () => fleet.read()));
    expect([fleet.member('alpha').probes, fleet.member('beta').probes]).toEqual([2, 2]);
  });

  test('probes at most 8 members at a time', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `m${index}`);
    await using fleet = openFleet(names, (member) => member.hang());
    const probing = () => names.reduce((sum, name) => sum + fleet.member(name).probing, 0);
    const read = fleet.read();
    for (let wave = 0; wave < 3; wave += 1) {
      await settled();
      expect(probing()).toBe(wave < 2 ? 8 : 4);
      fleet.clock.advance(TIMEOUT_MS);
    }
    expect((await read).filter(({ state }) => state === 'unreachable')).toHaveLength(20);
  });

  test('renews in the background once two thirds of the interval are over', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.member('alpha').hang();
    fleet.clock.advance((INTERVAL_MS * 2) / 3);
    expect((await fleet.read())[1]).toMatchObject({ state: 'live' });
    expect(fleet.member('alpha').probing).toBe(1);
  });

  test('a member that stays hung keeps no read waiting, while it is probed again', async () => {
    await using fleet = openFleet(['alpha', 'beta'], (member) => {
      if (member.name === 'beta') member.hang();
    });
    const first = fleet.read();
    await until(() => fleet.member('beta').probing === 1);
    fleet.clock.advance(TIMEOUT_MS);
    await first;
    fleet.clock.advance(INTERVAL_MS);
    expect((await fleet.read()).map(({ state }) => state)).toEqual(['live', 'live', 'unreachable']);
    expect(fleet.member('beta').probing).toBe(1);
  });

  test('never serves a live member from a probe that is older than the interval', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.member('alpha').hang();
    fleet.clock.advance(INTERVAL_MS);
    const read = fleet.read();
    await until(() => fleet.member('alpha').probing === 1);
    fleet.clock.advance(TIMEOUT_MS);
    expect((await read)[1]).toMatchObject({ state: 'unreachable', detail: 'timed out' });
  });

  test('does not wait at all for a member that was down already', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.cut());
    await fleet.read();
    fleet.member('alpha').hang();
    fleet.clock.advance(INTERVAL_MS);
    expect((await fleet.read())[1]).toMatchObject({ state: 'unreachable', detail: 'connection refused' });
    expect(fleet.member('alpha').probing).toBe(1);
  });

  test('has a member that is back within an interval, though nobody has read meanwhile', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.cut());
    await fleet.read();
    fleet.member('alpha').plug();
    fleet.clock.advance(INTERVAL_MS);
    await settled();
    expect((await fleet.read())[1]).toMatchObject({ state: 'live', detail: '' });
    expect(fleet.member('alpha').probes).toBe(2);
  });

  test('a reader with patience waits that long, has no member then that is not known, and the probe goes on', async () => {
    await using fleet = openFleet(['alpha', 'beta']);
    await fleet.read();
    fleet.member('beta').hang();
    fleet.clock.advance(INTERVAL_MS);
    const read = fleet.registry.fleet({ signal: fleet.signal, patienceMs: 1000 });
    await settled();
    fleet.clock.advance(1000);
    expect((await read).slice(1)).toMatchObject([
      { state: 'live' },
      { state: 'unreachable', detail: 'its probe has not ended', identity: undefined },
    ]);
    expect(fleet.member('beta').probing).toBe(1);
  });

  test('members that hang do not hold up the probe of one that answers', async () => {
    const down = Array.from({ length: 12 }, (_, index) => `down${index}`);
    await using fleet = openFleet([...down, 'alpha'], (member) => {
      if (member.name !== 'alpha') member.cut();
    });
    await fleet.read();
    for (const name of down) fleet.member(name).hang();
    fleet.clock.advance(INTERVAL_MS);
    const read = fleet.read();
    await until(() => fleet.member('alpha').probes === 2);
    fleet.clock.advance(500);
    expect((await read).at(-1)).toMatchObject({ state: 'live' });
  });

  test('gives up with its caller, and leaves the shared probe alone', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.hang());
    const controller = new AbortController();
    const read = fleet.registry.fleet({ signal: controller.signal });
    await settled();
    controller.abort(new Error('gone'));
    await expect(read).rejects.toThrow('gone');
    expect(fleet.member('alpha').probing).toBe(1);
  });

  test('reads the own identity again when something has happened', async () => {
    await using fleet = openFleet([]);
    await fleet.read();
    fleet.worker.managed.push('o/r#1');
    fleet.worker.log.add(1);
    expect((await fleet.read())[0]?.identity?.managed).toMatchObject([{ ref: 'o/r#1' }]);
  });

  test('a failure of the own half is the failure of the read', async () => {
    await using fleet = openFleet([]);
    fleet.worker.log.add(1);
    fleet.worker.identity = () => Promise.reject(new Error('broken'));
    await expect(fleet.read()).rejects.toThrow('broken');
  });
});

describe('MemberRegistry: findings', () => {
  test('members are probed from the start, before anybody asks', async () => {
    await using fleet = openFleet(['alpha']);
    expect(fleet.registry.snapshot().map(({ member }) => member.name)).toEqual(['hq']);
    await until(() => fleet.registry.snapshot().length === 2);
    expect(fleet.registry.snapshot()[1]).toMatchObject({ state: 'live' });
  });

  test('a failed call makes a member unreachable until its next probe', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.clock.advance(INTERVAL_MS / 2);
    fleet.registry.reportFailure('alpha', 'timed out');
    expect((await fleet.read())[1]).toMatchObject({ state: 'unreachable', detail: 'timed out' });
    fleet.clock.advance(INTERVAL_MS * 0.6);
    expect((await fleet.read())[1]).toMatchObject({ state: 'unreachable' });
    expect(fleet.member('alpha').probes).toBe(1);
    fleet.clock.advance(INTERVAL_MS * 0.4);
    await settled();
    expect((await fleet.read())[1]).toMatchObject({ state: 'live' });
  });

  test('each change of state is one event, without the address', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.registry.reportFailure('alpha', 'connection reset');
    fleet.registry.reportFailure('alpha', 'connection reset');
    fleet.clock.advance(INTERVAL_MS);
    await fleet.read();
    expect(fleet.events()).toEqual([
      {
        type: 'instance.unreachable',
        source: 'registry',
        data: { instance: 'alpha', reason: 'connection reset' },
      },
      { type: 'instance.recovered', source: 'registry', data: { instance: 'alpha' } },
    ]);
  });

  test('something else at the address is told by its name', async () => {
    await using fleet = openFleet(['alpha'], undefined, () => 'impostor');
    expect((await fleet.read())[1]).toMatchObject({
      state: 'mismatched',
      detail: 'answers as impostor, registered as alpha',
    });
    expect(fleet.events()).toEqual([
      {
        type: 'instance.mismatched',
        source: 'registry',
        data: { instance: 'alpha', reported: 'impostor', role: 'worker' },
      },
    ]);
  });

  test('an expired identity is read again before the next use', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.member('alpha').worker.managed.push('o/r#1');
    fleet.registry.expire('alpha');
    expect((await fleet.read())[1]?.identity?.managed).toMatchObject([{ ref: 'o/r#1' }]);
  });

  test('a probe that was on the way when the identity expired does not renew it', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.clock.advance(INTERVAL_MS);
    fleet.member('alpha').hang();
    const before = fleet.read();
    await until(() => fleet.member('alpha').probing === 1);
    fleet.registry.expire('alpha');
    fleet.member('alpha').plug();
    const after = fleet.read();
    fleet.clock.advance(TIMEOUT_MS);
    await before;
    expect((await after)[1]).toMatchObject({ state: 'live' });
    expect(fleet.member('alpha').probes).toBe(3);
  });

  test('refresh() probes every member, however fresh', async () => {
    await using fleet = openFleet(['alpha', 'beta']);
    await fleet.read();
    await fleet.registry.refresh({ signal: fleet.signal });
    expect([fleet.member('alpha').probes, fleet.member('beta').probes]).toEqual([2, 2]);
  });

  test('parallel calls of refresh() share their probes', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    const { registry, signal } = fleet;
    await Promise.all(Array.from({ length: 100 }, () => registry.refresh({ signal })));
    expect(fleet.member('alpha').probes).toBeLessThanOrEqual(3);
  });

  test('an answer that was dropped is told once, with the operation', async () => {
    await using fleet = openFleet(['alpha']);
    const [, alpha] = await fleet.read();
    fleet.member('alpha').execute = async () => ({
      kind: 'failure',
      failure: { kind: 'malformed', reason: 'the answer is not JSON' },
    });
    const text = 'query ListTasks { commands { name } }';
    const request = { text, document: parse(text), operationName: 'ListTasks', variables: {} };
    await alpha?.member.execute(request, { signal: fleet.signal });
    expect(fleet.events()).toEqual([
      {
        type: 'instance.malformed',
        source: 'registry',
        data: { instance: 'alpha', operation: 'ListTasks', reason: 'the answer is not JSON' },
      },
    ]);
  });

  test('a probe that fails by a defect makes the member unreachable and nobody else', async () => {
    await using fleet = openFleet(['alpha', 'beta'], (member) => {
      if (member.name === 'alpha') member.identify = () => Promise.reject(new Error('a defect'));
    });
    expect((await fleet.read()).map(({ state }) => state)).toEqual(['live', 'unreachable', 'live']);
  });

  test('a log that cannot be written changes nothing of what is found', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.cut());
    fleet.worker.log.append = () => {
      throw new StateFileError('store.write_failed', 'Cannot write');
    };
    expect((await fleet.read())[1]).toMatchObject({ state: 'unreachable', detail: 'connection refused' });
    fleet.member('alpha').plug();
    await fleet.registry.refresh({ signal: fleet.signal });
    expect((await fleet.read())[1]).toMatchObject({ state: 'live' });
    fleet.registry.reportFailure('alpha', 'timed out');
    expect((await fleet.read())[1]).toMatchObject({ state: 'unreachable', detail: 'timed out' });
  });

  test('what a member says of itself is masked in its row and in the event', async () => {
    await using fleet = openFleet(['alpha', 'beta'], (member) => {
      member.identify = async () => ({
        kind: 'answer',
        answer:
          member.name === 'alpha'
            ? { kind: 'status', status: 503, isJson: true, detail: 'no database at password=hunter2hunter2' }
            : { kind: 'document', version: 'sk-abcdefgh12345678', body: { name: 'beta' } },
      });
    });
    const [, alpha, beta] = await fleet.read();
    const detail = 'HTTP 503: no database at password=[REDACTED]';
    expect(alpha).toMatchObject({ state: 'unreachable', detail });
    expect(beta).toMatchObject({ state: 'live', version: '[REDACTED]' });
    expect(fleet.events()).toMatchObject([
      { type: 'instance.unreachable', data: { instance: 'alpha', reason: detail } },
    ]);
  });
});

describe('MemberRegistry: schemas', () => {
  const identifying = (name: string) => (member: CableMember) => {
    member.identify = async () => ({
      kind: 'answer',
      answer: { kind: 'document', version: '1', body: { name, interfaces: { graphql: '/graphql' } } },
    });
  };

  test('the SDL of a member with another schema is read by the probe, before anything else is asked', async () => {
    await using fleet = openFleet(['alpha'], identifying('alpha'));
    const [, alpha] = await fleet.read();
    expect(alpha?.schema?.hash).toBeUndefined();
    expect(fleet.member('alpha').calls).toBe(1);
    await fleet.read();
    expect(fleet.member('alpha').calls).toBe(1);
  });

  test('nothing is asked of what does not answer to its name', async () => {
    await using fleet = openFleet(['alpha'], identifying('other'));
    expect((await fleet.read())[1]).toMatchObject({ state: 'mismatched', schema: undefined });
    expect(fleet.member('alpha').calls).toBe(0);
  });
});

describe('MemberRegistry: edits of the configuration', () => {
  test('a member that was added is there with the next read', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.edit(['alpha', 'beta']);
    expect((await fleet.read()).map(({ member }) => member.name)).toEqual(['hq', 'alpha', 'beta']);
    expect(fleet.member('alpha').probes).toBe(1);
  });

  test('a member that was removed is closed and forgotten', async () => {
    await using fleet = openFleet(['alpha', 'beta']);
    await fleet.read();
    fleet.edit(['beta']);
    expect((await fleet.read()).map(({ member }) => member.name)).toEqual(['hq', 'beta']);
    expect(fleet.member('alpha').isClosed).toBe(true);
    expect(fleet.member('beta').isClosed).toBe(false);
  });

  test('a probe that ends after its member was removed is not told', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.hang());
    await until(() => fleet.member('alpha').probing === 1);
    fleet.edit([]);
    await fleet.read();
    fleet.clock.advance(TIMEOUT_MS);
    await settled();
    expect(fleet.events()).toEqual([]);
  });

  test('a known name under a new address starts blank', async () => {
    await using fleet = openFleet(['alpha'], (member) => member.cut());
    await fleet.read();
    const before = fleet.member('alpha');
    fleet.edit([{ name: 'alpha', url: 'http://elsewhere:4114' }]);
    expect((await fleet.read())[1]).toMatchObject({ state: 'unreachable', url: 'http://elsewhere:4114' });
    expect(before.isClosed).toBe(true);
    expect(fleet.member('alpha').probes).toBe(1);
  });

  test('interval and timeout are read with every use', async () => {
    await using fleet = openFleet(['alpha']);
    await fleet.read();
    fleet.worker.edit({ probeIntervalSeconds: 1 });
    fleet.clock.advance(1000);
    await fleet.read();
    expect(fleet.member('alpha').probes).toBe(2);
  });
});

describe('MemberRegistry.changes()', () => {
  test('wakes when a member joins, changes state and leaves, and not otherwise', async () => {
    await using fleet = openFleet([]);
    let wakes = 0;
    const controller = new AbortController();
    const watching = (async () => {
      for await (const _ of fleet.registry.changes(controller.signal)) wakes += 1;
    })();
    const wakesOf = async (act: () => unknown): Promise<number> => {
      const before = wakes;
      await act();
      await settled();
      return wakes - before;
    };
    expect(await wakesOf(() => fleet.read())).toBe(0);
    fleet.edit(['alpha']);
    // It joins, and then it is live.
    expect(await wakesOf(() => fleet.read())).toBeGreaterThanOrEqual(1);
    fleet.clock.advance(INTERVAL_MS);
    expect(await wakesOf(() => fleet.read())).toBe(0);
    expect(await wakesOf(() => fleet.registry.reportFailure('alpha', 'timed out'))).toBe(1);
    fleet.edit([]);
    expect(await wakesOf(() => fleet.read())).toBe(1);
    controller.abort();
    await watching;
  });
});

describe('MemberRegistry: closing', () => {
  test('ends probes and watchers, and closes every member; twice is fine', async () => {
    const fleet = openFleet(['alpha'], (member) => member.hang());
    await until(() => fleet.member('alpha').probing === 1);
    const changes = fleet.registry.changes(fleet.signal)[Symbol.asyncIterator]();
    const next = changes.next();
    await fleet.registry[Symbol.asyncDispose]();
    await fleet.registry[Symbol.asyncDispose]();
    expect(await next).toEqual({ value: undefined, done: true });
    await until(() => fleet.member('alpha').probing === 0);
    expect(fleet.member('alpha').isClosed).toBe(true);
    expect(fleet.events()).toEqual([]);
    expect(fleet.clock.timers).toBe(0);
  });
});

type Registered = string | { readonly name: string; readonly url: string };

/** A registry of cable members, with `hq` as its own half. */
function openFleet(
  registered: readonly Registered[],
  prepare: (member: CableMember) => unknown = () => {},
  answersAs: (name: string) => string = (name) => name,
) {
  const clock = new FakeClock();
  const toInstance = (entry: Registered) =>
    typeof entry === 'string' ? { name: entry, url: `http://${entry}:4114` } : entry;
  const worker = createTestWorker({ name: 'hq', clock, instances: registered.map(toInstance) });
  const members = new Map<string, CableMember>();
  const registry = createMemberRegistry({
    worker,
    clock,
    logger: silentLogger,
    ownName: 'hq',
    ownUrl: 'http://127.0.0.1:4114',
    createMember: ({ name }) => {
      const member = new CableMember(createTestWorker({ name: answersAs(name), clock }), name);
      members.set(name, member);
      prepare(member);
      return member;
    },
  });
  const { signal } = new AbortController();
  return {
    clock,
    worker,
    registry,
    signal,
    read: (): Promise<readonly FleetEntry[]> => registry.fleet({ signal }),
    member: (name: string): CableMember => members.get(name) as CableMember,
    edit: (instances: readonly Registered[]) => worker.edit({ instances: instances.map(toInstance) }),
    events: () => worker.log.read({ limit: 1000 }).map(({ type, source, data }) => ({ type, source, data })),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
    },
  };
}
