/** Runs git on a checkout that nobody vouches for: nothing that the checkout configures is executed, and nothing is fetched. */
import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { dirname } from 'node:path';

/** git cannot do what it was asked; the message is for the caller. */
export class GitError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GitError';
  }
}

export interface GitOptions {
  /** The top of the work tree. */
  readonly top: string;
  /** Of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface GitCall {
  /** Most bytes of the output that are read; git is ended there. @default 65_536 */
  readonly maxBytes?: number;
  /** The index to use. @default that of the repository */
  readonly index?: string;
  /** What git reads on its standard input. @default nothing */
  readonly input?: string;
}

/** Pathspecs are taken literally. @throws {GitError} when git cannot do it; the signal's reason when it aborts. */
export type Git = (args: readonly string[], call?: GitCall) => Promise<GitOutput>;

export interface GitOutput {
  readonly text: string;
  /** There was more. */
  readonly truncated: boolean;
}

/**
 * Programs that a repository's own configuration names for conversions (`filter.*`) are taken out one by one, because git has no
 * switch for them; hooks, monitors, external diffs and lazy fetches have one.
 */
export async function createGit(options: GitOptions): Promise<Git> {
  const passive = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const filters = await run(passive, options).catch((error) => {
    // Without a match git ends with 1 and says nothing.
    if (error instanceof GitError && error.message === '') return { text: '', truncated: false };
    throw error;
  });
  if (filters.truncated) throw new GitError('the repository configures too many filters');
  const disabled = filters.text
    .split('\0')
    .filter((key) => key !== '')
    .map((key): Setting => [key, key.endsWith('.required') ? 'false' : '']);
  return (args, call) => run(args, { ...options, ...call, settings: disabled });
}

type Setting = readonly [key: string, value: string];

const SAFE: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', devNull],
  ['core.quotePath', 'false'],
];

function run(
  args: readonly string[],
  {
    settings = [],
    maxBytes = 65_536,
    input = '',
    ...options
  }: GitOptions & GitCall & { readonly settings?: readonly Setting[] },
): Promise<GitOutput> {
  const { top, signal } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['--no-pager', ...args],
      {
        cwd: top,
        env: environment(options, [...SAFE, ...settings]),
        signal,
        maxBuffer: maxBytes,
        killSignal: 'SIGKILL',
        encoding: 'utf8',
        windowsHide: true,
      },
      (error, text, complaint) => {
        if (!error) resolve({ text, truncated: false });
        else if (signal.aborted) reject(signal.reason);
        else if (error.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown))
          resolve({ text, truncated: true });
        else reject(toGitError(error, complaint));
      },
    );
    // A git that has ended reads no more, which its outcome tells better.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** Nothing of the instance's own environment but the way to the program: no token, no configuration of a user. */
function environment(
  { top, env, index }: GitOptions & GitCall,
  settings: readonly Setting[],
): NodeJS.ProcessEnv {
  return {
    PATH: env.PATH,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ATTR_NOSYSTEM: '1',
    // A repository may name another work tree, such as one with the secrets of this machine.
    GIT_WORK_TREE: top,
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_LITERAL_PATHSPECS: '1',
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

function toGitError(error: Error & { readonly code?: unknown }, complaint: string): GitError {
  if (error.code === 'ENOENT') return new GitError('git is not installed', error);
  const [line = ''] = complaint.split('\n', 1);
  return new GitError(line.replace(/^(?:fatal|error): /, '').slice(0, 300), error);
}
