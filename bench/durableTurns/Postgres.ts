/** A PostgreSQL server of the benchmark's own: fresh, on a socket in its directory, reachable by nobody else. */
import { spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** PostgreSQL refuses to run as the super-user; this one owns nothing. */
const NOBODY = 65_534;

const START_TIMEOUT_MS = 90_000;

/** Ends the server when its standard input does: by the benchmark's wish, and at any end of the benchmark. */
const WATCH = `"$0" "$@" </dev/null & server=$!; cat >/dev/null; kill -INT "$server"; wait "$server"`;

export interface Postgres extends AsyncDisposable {
  /** For a client that may make its own databases. */
  readonly url: string;
}

/** Folder of `initdb` and `postgres`: on the PATH, else where Debian puts them; undefined when there is none. */
export function findPostgres(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const debian = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  return [...onPath, ...debian].find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

/** Starts it with its defaults, `fsync` included. @param directory empty, and short enough for the path of a socket. */
export async function startPostgres(folder: string, directory: string): Promise<Postgres> {
  const data = join(directory, 'data');
  const user = process.geteuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  mkdirSync(data);
  if (user.uid) for (const path of [directory, data]) chownSync(path, NOBODY, NOBODY);
  const options = ['-D', data, '-U', 'bench', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  const made = spawnSync(join(folder, 'initdb'), options, { ...user, cwd: directory, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`Cannot make a database: ${made.error ?? made.stderr}`);

  const server = [join(folder, 'postgres'), '-D', data, '-k', directory, '-c', 'listen_addresses='];
  const child = spawn('/bin/sh', ['-c', WATCH, ...server], {
    ...user,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  let last = 'nothing';
  try {
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    for await (const [line] of on(createInterface({ input: child.stderr }), 'line', { signal })) {
      last = line;
      if (last.includes('ready to accept connections')) break;
    }
  } catch (error) {
    await stop();
    throw new Error(`Cannot start PostgreSQL: the last that it said is "${last}"`, { cause: error });
  }
  return {
    url: `postgresql://bench@localhost/postgres?host=${encodeURIComponent(directory)}`,
    [Symbol.asyncDispose]: stop,
  };
}
