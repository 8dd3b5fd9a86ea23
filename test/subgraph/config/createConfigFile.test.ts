import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FlotillaError } from '../../../schema/errors.ts';
import { ConfigError } from '../../../subgraph/config/ConfigError.ts';
import { type ConfigChange, createConfigFile } from '../../../subgraph/config/createConfigFile.ts';
import { asOrdinaryUser } from '../../support/asOrdinaryUser.ts';
import { type ConfigDirectory, configDirectory, recordingLogger } from './configDirectory.ts';

const ENV = { TOKEN: 'secret', OPENAI_API_KEY: 'secret' };
const ALPHA = { name: 'alpha', url: 'http://alpha:1' };

function open(file: Pick<ConfigDirectory, 'path'>, onChange?: (change: ConfigChange) => void) {
  const { logger, lines } = recordingLogger();
  return { config: createConfigFile({ path: file.path, env: ENV, logger, onChange }), lines };
}

async function refusal(work: Promise<unknown>): Promise<FlotillaError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof FlotillaError) return error;
  throw new Error('expected a FlotillaError', { cause: error });
}

test('createConfigFile() refuses what nothing starts on', () => {
  using file = configDirectory('instance: { role: manager }');
  expect(() => open(file)).toThrow(ConfigError);
});

test('createConfigFile() tells its warnings at start', () => {
  using file = configDirectory('instance: { name: Desk }');
  expect(open(file).lines).toEqual([
    expect.objectContaining({ level: 'warn', fields: { key: 'instance.name' } }),
  ]);
});

test('current() is the same value as long as the file is', () => {
  using file = configDirectory('tasks: { maxTurns: 7 }');
  const { config } = open(file);
  expect(config.current().tasks.maxTurns).toBe(7);
  expect(config.current()).toBe(config.current());
  expect(Object.isFrozen(config.current())).toBe(true);
});

test.each<[string, (file: ConfigDirectory, text: string) => void]>([
  ['edited in place', (file, text) => file.write(text)],
  [
    'replaced',
    ({ path }, text) => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
  ],
  [
    'edited with its time set back',
    (file, text) => {
      const { atime, mtime } = statSync(file.path);
      file.write(text);
      utimesSync(file.path, atime, mtime);
    },
  ],
])('current() sees a file that was %s', (_title, edit) => {
  using file = configDirectory('tasks: { maxTurns: 7 }');
  const { config } = open(file);
  edit(file, 'tasks: { maxTurns: 8 }');
  expect(config.current().tasks.maxTurns).toBe(8);
  expect(config.authored()).toEqual({ exists: true, document: { tasks: { maxTurns: 8 } } });
});

test('current() sees a file that comes', () => {
  using file = configDirectory();
  const { config } = open(file);
  expect(config.authored()).toEqual({ exists: false, document: {} });
  file.write('tasks: { maxTurns: 8 }');
  expect(config.current().tasks.maxTurns).toBe(8);
});

test.each<[string, (file: ConfigDirectory) => void, unknown[]]>([
  ['is not YAML', (file) => file.write('tasks: ['), [expect.stringContaining(':1:')]],
  [
    'has an unknown key',
    (file) => file.write('task: {}'),
    [expect.stringContaining(':1:1 task: unknown key')],
  ],
  [
    'names a variable that is not set',
    (file) => file.write('service: { auth: { tokenEnvs: [NONE] } }'),
    [expect.stringContaining('service.auth.tokenEnvs[0]')],
  ],
  ['takes the name from a manager', (file) => file.write('instance: { role: worker }'), []],
  ['is gone', ({ path }) => rmSync(path), []],
  [
    'became a directory',
    ({ path }) => {
      rmSync(path);
      mkdirSync(path);
    },
    [expect.stringContaining('EISDIR')],
  ],
])('current() keeps the last good value and warns once when the file %s', (_title, edit, faults) => {
  using file = configDirectory('instance: { name: hq, role: manager }\ntasks: { maxTurns: 7 }');
  const { config, lines } = open(file);
  edit(file);
  for (let count = 0; count < 3; count++) expect(config.current().tasks.maxTurns).toBe(7);
  expect(config.authored().document).toMatchObject({ tasks: { maxTurns: 7 } });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'warn', fields: { faults } });
});

test('current() takes over the edit that mends a bad one', () => {
  using file = configDirectory('tasks: { maxTurns: 7 }');
  const { config } = open(file);
  file.write('tasks: { maxTurns: many }');
  expect(config.current().tasks.maxTurns).toBe(7);
  file.write('tasks: { maxTurns: 9 }');
  expect(config.current().tasks.maxTurns).toBe(9);
});

test('current() keeps what is read at start and takes over the rest', () => {
  using file = configDirectory('instance: { name: hq, role: manager }\nservice: { port: 5000 }');
  const { config } = open(file);
  const before = config.current();
  file.write(`
instance: { name: hall, role: worker, scope: { mode: locked }, manager: { timeoutSeconds: 3, instances: [{ name: alpha, url: "http://alpha:1" }] } }
service: { host: 0.0.0.0, port: 6000, auth: { tokenEnvs: [TOKEN] }, maxRequestBytes: 2048, stream: { maxSubscribers: 2 } }
state: { directory: elsewhere }
openai: { model: gpt-6-luna }
log: { level: debug }
`);
  const after = config.current();
  expect(after.instance).toEqual({
    name: 'hall',
    role: 'manager',
    scope: { mode: 'locked', workItems: [] },
    manager: { instances: [ALPHA], timeoutSeconds: 3, probeIntervalSeconds: 15, allowAddresses: [] },
  });
  expect(after.service).toEqual({
    ...before.service,
    stream: { ...before.service.stream, maxSubscribers: 2 },
  });
  for (const section of ['state', 'model', 'openai', 'scripted', 'log'] as const) {
    expect(after[section]).toEqual(before[section]);
  }
  expect(Object.isFrozen(after.service.auth)).toBe(true);
});

test('onChange is told what an edit by hand and an update changed, and a throw of it is logged', async () => {
  using file = configDirectory('tasks: { maxTurns: 7 }');
  const changes: ConfigChange[] = [];
  const { config, lines } = open(file, (change) => {
    changes.push(change);
    throw new Error('listener');
  });
  file.write('tasks: { maxTurns: 8 }\nservice: { port: 1 }');
  config.current();
  file.write('tasks: { maxTurns: 8 } # the same\nservice: { port: 1 }');
  config.current();
  await config.update({ log: { level: 'warn' } });
  expect(changes).toEqual([
    { changed: ['service.port', 'tasks.maxTurns'], restartRequired: ['service.port'], byHand: true },
    { changed: ['log.level'], restartRequired: ['log.level'], byHand: false },
  ]);
  expect(lines.map(({ level }) => level)).toEqual(['error', 'error']);
});

test('update() writes the change, says what changed, and is in force at once', async () => {
  using file = configDirectory('# mine\ninstance:\n  name: hq # here\n  role: manager\n');
  const { config } = open(file);
  const result = await config.update({ instance: { role: 'worker', manager: { instances: [ALPHA] } } });
  expect(result).toEqual({
    path: file.path,
    exists: true,
    changed: ['instance.manager.instances', 'instance.role'],
    restartRequired: ['instance.role'],
    written: true,
    config: { instance: { name: 'hq', role: 'worker', manager: { instances: [ALPHA] } } },
  });
  expect(file.read()).toBe(
    '# mine\ninstance:\n  name: hq # here\n  role: worker\n  manager:\n    instances:\n      - name: alpha\n        url: http://alpha:1\n',
  );
  expect(config.current().instance.manager.instances).toEqual([ALPHA]);
  expect(config.current().instance.role).toBe('manager');
});

test('update() is seen by another reader as an edit by hand', async () => {
  using file = configDirectory('');
  const [writer, reader] = [open(file), open(file)];
  await writer.config.update({ tasks: { maxTurns: 3 } });
  expect(reader.config.current()).toEqual(writer.config.current());
});

test('update() creates a missing file, also behind a symlink', async () => {
  using file = configDirectory();
  const target = join(file.directory, 'target.yaml');
  symlinkSync('target.yaml', file.path);
  const { config } = open(file);
  const result = await config.update({ instance: { name: 'desk' } });
  expect(result).toMatchObject({ exists: true, written: true, changed: ['instance.name'] });
  expect(lstatSync(file.path).isSymbolicLink()).toBe(true);
  expect(statSync(target).isFile()).toBe(true);
  expect(file.read()).toBe('instance:\n  name: desk\n');
});

test('update() does not create a file for a change of nothing', async () => {
  using file = configDirectory();
  expect(await open(file).config.update({ instance: null })).toMatchObject({
    exists: false,
    written: false,
    changed: [],
  });
  expect(existsSync(file.path)).toBe(false);
});

test('update() follows a symlink, keeps the mode, and leaves nothing beside the file', async () => {
  using file = configDirectory();
  const target = join(file.directory, 'target.yaml');
  writeFileSync(target, 'log: { level: info }\n');
  chmodSync(target, 0o640);
  symlinkSync(target, file.path);
  await open(file).config.update({ log: { level: 'warn' } });
  expect(lstatSync(file.path).isSymbolicLink()).toBe(true);
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(readdirSync(file.directory).sort()).toEqual([basename(file.path), 'target.yaml']);
});

test('update() does not touch the file when nothing changes', async () => {
  using file = configDirectory('log: {level:   info}   # as it is\n');
  const before = statSync(file.path, { bigint: true });
  const result = await open(file).config.update({ log: { level: 'info' }, state: null });
  const after = statSync(file.path, { bigint: true });
  expect(result).toMatchObject({ written: false, changed: [], restartRequired: [], exists: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});

test.each<[string, unknown, string[]]>([
  ['an unknown key and a wrong value', { service: { prot: 1, port: 'x' } }, ['service.port', 'service.prot']],
  ['a role that is none', { instance: { role: 'boss' } }, ['instance.role']],
  ['a manager without a name', { instance: { role: 'manager', name: null } }, ['instance.name']],
  [
    'a member that would be skipped',
    { instance: { manager: { instances: [ALPHA, ALPHA] } } },
    ['instance.manager.instances[1]'],
  ],
  [
    'a duration that would be raised',
    { instance: { manager: { timeoutSeconds: 0 } } },
    ['instance.manager.timeoutSeconds'],
  ],
  [
    'a variable that is not set',
    { service: { auth: { tokenEnvs: ['NONE'] } } },
    ['service.auth.tokenEnvs[0]'],
  ],
  ['an address that others reach', { service: { host: '0.0.0.0' } }, ['service.host']],
])('update() refuses %s and names the keys', async (_title, patch, keys) => {
  const text = 'instance: {name:  desk}  # mine\n';
  using file = configDirectory(text);
  const error = await refusal(open(file).config.update(patch));
  expect(error.code).toBe('BAD_USER_INPUT');
  expect([...(error.details.keys as string[])].sort()).toEqual(keys);
  for (const key of keys) expect(error.message).toContain(key);
  expect(file.read()).toBe(text);
});

test.each<[string, unknown]>([
  ['a text', 'port: 1'],
  ['a list', []],
  ['null', null],
  ['a key of the prototype', JSON.parse('{"__proto__": {"port": 1}}')],
  ['a constructor, however deep', { scripted: { replies: [{ text: 'a', constructor: {} }] } }],
  ['more than a file may hold', { scripted: { replies: [{ text: 'a'.repeat(1_048_576) }] } }],
])('update() refuses a patch that is %s', async (_title, patch) => {
  using file = configDirectory('log: {}\n');
  expect((await refusal(open(file).config.update(patch))).code).toBe('BAD_USER_INPUT');
  expect(file.read()).toBe('log: {}\n');
});

test('update() leaves an entry that is skipped already where it is', async () => {
  using file = configDirectory(
    'instance:\n  manager:\n    instances:\n      - { name: alpha, url: "http://alpha:1" }\n      - { name: Bad }\n',
  );
  const { config } = open(file);
  const result = await config.update({ instance: { manager: { instances: [{ name: 'Bad' }] } } });
  expect(result.written).toBe(true);
  expect(config.current().instance.manager.instances).toEqual([]);
});

test.each<[string, string]>([
  ['is not YAML', 'log: [\n'],
  ['has a key twice', 'log: {}\nlog: {}\n'],
  ['uses an alias', 'log: &l { level: info }\nx: *l\n'],
])('update() refuses to edit a file that %s', async (_title, text) => {
  using file = configDirectory('log: {}\n');
  const { config } = open(file);
  file.write(text);
  expect((await refusal(config.update({ log: { level: 'warn' } }))).code).toBe('EDIT_REFUSED');
  expect(file.read()).toBe(text);
});

test('update() refuses an edit that it cannot prove', async () => {
  const text = '? log\n: level: info\n';
  using file = configDirectory(text);
  const error = await refusal(
    open(file).config.update({
      log: { level: null, added: null },
      tasks: { maxTurns: 1 },
      state: { directory: 'x' },
    }),
  );
  expect(error.code).toBe('EDIT_REFUSED');
  expect(file.read()).toBe(text);
});

test('update() does not overwrite an edit that was made by hand meanwhile', async () => {
  using file = configDirectory('log: { level: info }\n');
  const { config } = open(file);
  const update = refusal(config.update({ log: { level: 'warn' } }));
  // By the next microtask the update has read the file and waits for the file system.
  await Promise.resolve();
  file.write('log: { level: error }\n');
  expect((await update).code).toBe('EDIT_REFUSED');
  expect(file.read()).toBe('log: { level: error }\n');
});

test('edit() plans from the file as it is in its turn, and again when it was edited by hand meanwhile', async () => {
  using file = configDirectory('log: { level: info } # mine\n');
  const { config } = open(file);
  const models = (document: unknown): string[] =>
    (document as { openai?: { models?: string[] } }).openai?.models ?? [];
  const seen: string[][] = [];
  const add = (name: string) =>
    config.edit((document) => {
      seen.push(models(document));
      return { openai: { models: [...models(document), name] } };
    });

  const first = add('m1');
  const second = add('m2');
  // By the next microtask the first one has read the file and waits for the file system.
  await Promise.resolve();
  file.write('log: { level: info } # mine\nopenai:\n  models:\n    - by-hand # first\n');
  await Promise.all([first, second]);

  expect(seen).toEqual([[], ['by-hand'], ['by-hand', 'm1']]);
  expect(file.read()).toBe(
    'log: { level: info } # mine\nopenai:\n  models:\n    - by-hand # first\n    - m1\n    - m2\n',
  );
});

test('edit() gives way to somebody who keeps editing', async () => {
  using file = configDirectory('# 0\n');
  const { config } = open(file);
  let plans = 0;
  const edit = config.edit(() => {
    plans += 1;
    queueMicrotask(() => file.write(`# ${plans}\n`));
    return { log: { level: 'warn' } };
  });
  expect(await refusal(edit)).toMatchObject({
    code: 'EDIT_REFUSED',
    details: { reason: 'config.editedMeanwhile' },
  });
  expect({ plans, text: file.read() }).toEqual({ plans: 5, text: '# 5\n' });
});

test("edit() passes its plan's refusal on and leaves the file", async () => {
  using file = configDirectory('log: {}\n');
  const { config } = open(file);
  const reason = new Error('no such entry');
  const edit = config.edit(() => {
    throw reason;
  });
  await expect(edit).rejects.toBe(reason);
  expect((await config.update({ log: { level: 'warn' } })).written).toBe(true);
});

test('update() lands every one of many at once, each on top of the one before', async () => {
  using file = configDirectory('# head\n');
  const { config } = open(file);
  const patches = Array.from({ length: 20 }, (_, index) => ({
    retries: { default: { maximumAttempts: index + 1 } },
    openai: { models: Array.from({ length: index + 1 }, (_, model) => `m${model}`) },
  }));
  const results = await Promise.all([
    ...patches.map((patch) => config.update(patch)),
    config.update({ service: { port: 1 } }),
    config.update({ log: { level: 'warn' } }),
  ]);
  expect(results.every(({ written }) => written)).toBe(true);
  expect(config.authored().document).toEqual({
    ...patches[19],
    service: { port: 1 },
    log: { level: 'warn' },
  });
  expect(file.read().startsWith('# head\n')).toBe(true);
  expect(readdirSync(file.directory)).toEqual([basename(file.path)]);
});

test('update() goes on after one that was refused', async () => {
  using file = configDirectory('');
  const { config } = open(file);
  const [bad, good] = await Promise.allSettled([
    config.update({ nope: 1 }),
    config.update({ log: { level: 'warn' } }),
  ]);
  expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
});

test('update() says that it cannot write when the directory is not there', async () => {
  using file = configDirectory();
  const { config } = open({ path: join(file.directory, 'none', 'flotilla.yaml') });
  const error = await refusal(config.update({ log: { level: 'warn' } }));
  expect(error).toMatchObject({ code: 'EDIT_REFUSED', message: expect.stringContaining('ENOENT') });
});

test('update() leaves the file when its directory is read-only', async () => {
  using file = configDirectory('log: {}\n');
  const { config } = open(file);
  chmodSync(file.directory, 0o555);
  using _user = asOrdinaryUser(file.directory, config.path);
  const error = await refusal(config.update({ log: { level: 'warn' } }));
  expect(error).toMatchObject({ code: 'EDIT_REFUSED', message: expect.stringContaining('EACCES') });
  expect(file.read()).toBe('log: {}\n');
});

test('neither a refused update nor a bad edit says a value', async () => {
  const marker = 'XMARKERX';
  const values = fc.oneof(
    fc.constantFrom(marker, `${marker}:1`, `http://${marker}@h`),
    fc.constant([marker]),
    fc.constant({ key: marker }),
  );
  const keys = fc.constantFrom(
    'service.port',
    'service.auth',
    'openai.baseUrl',
    'openai.apiKeyEnv',
    'instance.role',
    'instance.name',
    'log.level',
    'other.key',
  );
  using file = configDirectory('');
  const { config, lines } = open(file);
  await fc.assert(
    fc.asyncProperty(keys, values, async (key, value) => {
      const [section = '', name = ''] = key.split('.');
      const patch = { [section]: { [name]: value } };
      const said = await config.update(patch).then(
        () => '',
        (error: FlotillaError) => error.message + JSON.stringify(error.details),
      );
      file.write(JSON.stringify(patch));
      config.current();
      file.write('');
      config.current();
      expect(said + JSON.stringify(lines)).not.toContain(marker);
    }),
    { numRuns: 100 },
  );
});
