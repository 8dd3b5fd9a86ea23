import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ADDRESS_REFUSED, createAddressGuard, type ResolveHost } from '../../lib/AddressGuard.ts';

const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '169.254.0.1',
  '169.254.169.254',
  'fe80::1',
  'febf::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '224.0.0.251',
  '239.255.255.255',
  'ff02::1',
  '255.255.255.255',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:0.0.0.0',
  '::169.254.169.254',
  '::a9fe:a9fe',
  '::e000:fb',
  '::ffff:0:169.254.169.254',
  '::ffff:0:6464:64c8',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::168.63.129.16',
  '64:ff9b:1::169.254.169.254',
  '64:ff9b:1:7::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::1',
  '2002:a83f:8110:1::1',
  '2001:0:4136:e378:8000:63bf:5601:5601',
];

const ALLOWED = [
  '127.0.0.1',
  '::1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  'fd12::1',
  '100.64.0.1',
  '203.0.113.7',
  '2001:db8::1',
  '::ffff:127.0.0.1',
  'fec0::1',
  '::127.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::10.0.0.1',
  '64:ff9b:1:a00:0:100::',
  '64:ff9b:2::a9fe:a9fe',
  '2002:7f00:1::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2001:db8::a9fe:a9fe',
];

describe('createAddressGuard()', () => {
  test.each(REFUSED)('refuses %s, as a host and as the answer of a name', async (address) => {
    const guard = createAddressGuard({ resolve: answering([address]) });
    expect(guard.refusalOf(address)).toMatchObject({ code: ADDRESS_REFUSED });
    expect(guard.refusalOf(`[${address}]`)).toMatchObject({ code: ADDRESS_REFUSED });
    await expect(lookUp(guard)).rejects.toMatchObject({ code: ADDRESS_REFUSED });
  });

  test.each(ALLOWED)('allows %s', async (address) => {
    const guard = createAddressGuard({ resolve: answering([address]) });
    expect(guard.refusalOf(address)).toBeUndefined();
    expect(await lookUp(guard)).toEqual([{ address, family: isIP(address) }]);
  });

  test.each([
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://0251.0376.0251.0376',
    'http://169.254.43518',
    'http://169.254.169.254.',
    'http://①⑥⑨.254.169.254',
    'http://[::ffff:169.254.169.254]',
    'http://[::FFFF:A9FE:A9FE]',
    'http://0',
  ])('refuses the host of %s, however it is written', (url) => {
    expect(createAddressGuard().refusalOf(new URL(url).hostname)).toBeDefined();
  });

  test('a name is not judged as a host', () => {
    expect(createAddressGuard().refusalOf('alpha.example')).toBeUndefined();
  });

  test('of several addresses those that are refused are left out', async () => {
    const guard = createAddressGuard({ resolve: answering(['fe80::1', '192.168.0.7', '169.254.169.254']) });
    expect(await lookUp(guard)).toEqual([{ address: '192.168.0.7', family: 4 }]);
    expect(await lookUp(guard, { all: false })).toEqual(['192.168.0.7', 4]);
  });

  test('what is allowed is asked for each time', async () => {
    let allowed: readonly string[] = [];
    const guard = createAddressGuard({ allowed: () => allowed, resolve: answering(['169.254.7.7']) });
    await expect(lookUp(guard)).rejects.toMatchObject({ code: ADDRESS_REFUSED });
    allowed = ['fe80::/10', '169.254.7.0/24'];
    expect(await lookUp(guard)).toHaveLength(1);
    expect(guard.refusalOf('::ffff:169.254.7.7')).toBeUndefined();
    expect(guard.refusalOf('64:ff9b::169.254.7.7')).toBeUndefined();
    expect(guard.refusalOf('169.254.169.254')).toBeDefined();
    // One of its forms is excepted, another is not.
    expect(guard.refusalOf('64:ff9b:1:a9fe:a9:fe00:a9fe:701')).toBeDefined();
  });

  test('a name without an address is the error of the resolver', async () => {
    const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    const guard = createAddressGuard({ resolve: (_name, _options, callback) => callback(cause, []) });
    await expect(lookUp(guard)).rejects.toBe(cause);
  });
});

function answering(addresses: readonly string[]): ResolveHost {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => callback(null, found);
}

function lookUp(
  { lookup }: ReturnType<typeof createAddressGuard>,
  options: { readonly all: boolean } = { all: true },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup('alpha.example', options, (error, address, family) => {
      if (error) reject(error);
      else resolve(options.all ? address : [address, family]);
    });
  });
}
