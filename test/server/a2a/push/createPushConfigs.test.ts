import { expect, test } from 'vitest';
import { createAddressGuard } from '../../../../lib/AddressGuard.ts';
import { createPushConfigs } from '../../../../server/a2a/push/createPushConfigs.ts';
import type { PushConfig, PushConfigStore, PushOrigin, PushTarget } from '../../../../subgraph/index.ts';

const ALICE = { participant: 'alice' };
const URL_1 = 'http://127.0.0.1:9/hook';

test('PushConfigs.create() gives a record without an id one, and stores it with its place', async () => {
  const { configs, stored } = open();

  const created = await configs.create('t1', { url: URL_1, token: 'T', id: '' }, { ...ALICE, since: 42 });

  expect(created).toEqual({ id: 'id-1', taskId: 't1', url: URL_1, token: 'T' });
  expect(stored).toEqual([{ config: created, origin: { participant: 'alice', since: 42 } }]);
});

test('PushConfigs.create() keeps the id of the client', async () => {
  const { configs } = open();

  expect(await configs.create('t1', { id: 'mine', url: URL_1 }, ALICE)).toMatchObject({ id: 'mine' });
});

test('PushConfigs.check() accepts what can be stored, and stores nothing', () => {
  const { configs, stored } = open();

  configs.check({ id: 'mine', url: URL_1, token: 'T' });

  expect(stored).toEqual([]);
});

test('PushConfigs.create() has the sender look at what it has stored', async () => {
  const { configs, woken } = open();

  await configs.create('t1', { url: URL_1 }, ALICE);

  expect(woken).toEqual([{ number: 1, receiver: 'http://127.0.0.1:9' }]);
});

test.each(['http://169.254.169.254/latest', 'http://[fe80::1]/', 'http://0.0.0.0:80/'])(
  'PushConfigs.create() refuses the address %s, and stores nothing',
  async (url) => {
    const { configs, stored } = open();

    expect(() => configs.check({ url })).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
    await expect(configs.create('t1', { url }, ALICE)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(stored).toEqual([]);
  },
);

test('PushConfigs.create() refuses a URL that is none, and stores nothing', async () => {
  const { configs, stored } = open();

  expect(() => configs.check({ url: 'nowhere' })).toThrow(
    expect.objectContaining({ code: 'BAD_USER_INPUT' }),
  );
  await expect(configs.create('t1', { url: 'nowhere' }, ALICE)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  expect(stored).toEqual([]);
});

function open() {
  const stored: { readonly config: PushConfig; readonly origin?: PushOrigin | undefined }[] = [];
  const woken: PushTarget[] = [];
  const store = {
    put(config: PushConfig, origin?: PushOrigin) {
      stored.push({ config, origin });
      return { number: stored.length, receiver: new URL(config.url).origin };
    },
  } as unknown as PushConfigStore;
  let ids = 0;
  const configs = createPushConfigs({
    store,
    ids: { newId: () => `id-${++ids}`, random: () => 0 },
    guard: createAddressGuard(),
    onStored: (target) => woken.push(target),
  });
  return { configs, stored, woken };
}
