import { expect, test } from 'vitest';
import { parseRegistration } from '../../../gateway/resolvers/registration.ts';

const FILE = {
  ownName: 'hq',
  ownAddress: 'http://127.0.0.1:4114',
  entries: [{ name: 'alpha', url: 'http://alpha.test/', tokenEnv: 'ALPHA' }],
};

test('parseRegistration() answers with the normalised entry', () => {
  expect(parseRegistration({ name: 'beta', url: ' https://beta.test/x/ ' }, FILE)).toEqual({
    name: 'beta',
    url: 'https://beta.test/x',
  });
  expect(
    parseRegistration({ name: 'beta', url: 'http://b.test' }, { ...FILE, entries: undefined }).name,
  ).toBe('beta');
});

const beta = { name: 'beta', url: 'http://beta.test' };

test.each([
  ['a bad name', { ...beta, name: 'Beta' }, {}, 'the name is not'],
  ['a URL of another scheme', { ...beta, url: 'ftp://beta.test' }, {}, 'the URL is not an address'],
  [
    'a URL with user information',
    { ...beta, url: 'http://me:secret@beta.test' },
    {},
    'the URL is not an address',
  ],
  ['a URL with a query', { ...beta, url: 'http://beta.test?secret' }, {}, 'the URL is not an address'],
  ['the own address', { ...beta, url: 'http://127.0.0.1:4114/' }, {}, "the manager's own address"],
  ['the own name', { ...beta, name: 'hq' }, {}, "the name is the manager's own"],
  ['a name that is taken', { ...beta, name: 'alpha' }, {}, 'the name "alpha" is registered'],
  ['a URL that is taken', { ...beta, url: 'http://alpha.test' }, {}, 'the URL is registered as "alpha"'],
  ['a registry that is no list', beta, { entries: {} }, 'instance.manager.instances is no list'],
  [
    'a registry with an entry that is none',
    beta,
    { entries: [FILE.entries[0], 7] },
    'instance.manager.instances[1]',
  ],
  [
    'a registry with a name twice',
    beta,
    { entries: [...FILE.entries, ...FILE.entries] },
    'instance.manager.instances[1]',
  ],
  [
    'a registry with the own name',
    beta,
    { entries: [{ name: 'hq', url: 'http://x.test' }] },
    'instance.manager.instances[0]',
  ],
  [
    'a registry with the own address',
    beta,
    { entries: [{ name: 'x', url: FILE.ownAddress }] },
    'instance.manager.instances[0]',
  ],
])('parseRegistration() refuses %s', (_, registration, change, message) => {
  const parse = () => parseRegistration(registration, { ...FILE, ...change });
  expect(parse).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  expect(parse).toThrow(message);
  expect(parse).not.toThrow('secret');
});

test('parseRegistration() checks the request before the file, and the file before duplicates', () => {
  const broken = { ...FILE, entries: [7] };
  expect(() => parseRegistration({ ...beta, name: 'hq' }, broken)).toThrow("the name is the manager's own");
  expect(() => parseRegistration({ ...beta, name: 'alpha' }, broken)).toThrow(
    'instance.manager.instances[0]',
  );
});
