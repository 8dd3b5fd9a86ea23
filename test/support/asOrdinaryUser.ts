/** A time in which this process may not write everywhere. */
import { chownSync } from 'node:fs';

/** The user that owns nothing. */
const NOBODY = 65_534;

/** The super-user may write everywhere: until the end of the scope it is nobody, who owns `paths`. Any other user stays as it is. */
export function asOrdinaryUser(...paths: readonly string[]): Disposable {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    for (const path of paths) chownSync(path, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
  }
  return {
    [Symbol.dispose]() {
      if (isRoot) process.seteuid?.(0);
    },
  };
}
