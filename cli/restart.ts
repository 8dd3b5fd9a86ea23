/** How an instance that a client has told to restart comes back: in its own place, or by `flotilla up` that started it. */

/** With it a process ends that `flotilla up` is to start again. */
export const RESTART_EXIT_CODE = 75;

/** Says to a process that its parent is `flotilla up`. */
const PARENT_VARIABLE = 'FLOTILLA_UP';

/** Where a new process finds the port that the one before had. */
const PORT_VARIABLE = 'FLOTILLA_RESTARTED_PORT';

/** For a child of `flotilla up`. `before` is the address that the instance had until it asked to be started again. */
export function childEnvironment(before?: string): Readonly<Record<string, string>> {
  return { [PARENT_VARIABLE]: '1', ...(before !== undefined && { [PORT_VARIABLE]: new URL(before).port }) };
}

/** Whether somebody would start this process again: not on Windows, where a process cannot become another one. */
export function canRestart(): boolean {
  return isChildOfUp() || typeof process.execve === 'function';
}

/** The port of the process before, on a start that follows its end; asked once. */
export function readRestart(): { readonly port: number } | undefined {
  const port = process.env[PORT_VARIABLE];
  delete process.env[PORT_VARIABLE];
  return port === undefined ? undefined : { port: Number(port) };
}

/** Never returns: the process ends, or becomes a new one with the same id, arguments and output. */
export function startAgain(url: string): never {
  const { execve } = process;
  if (isChildOfUp() || !execve) process.exit(RESTART_EXIT_CODE);
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  return execve(process.execPath, args, { ...process.env, [PORT_VARIABLE]: new URL(url).port });
}

function isChildOfUp(): boolean {
  return process.env[PARENT_VARIABLE] !== undefined;
}
