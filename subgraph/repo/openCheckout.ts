/** Which directories of this machine clients may ask about: those under the configured roots, and no other. */
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { badUserInput } from '../../schema/errors.ts';
import { resolveWithin } from '../plugins/resolveWithin.ts';

export interface Checkout {
  /** As the client named it. */
  readonly repo: string;
  /** Absolute, without a symbolic link. */
  readonly path: string;
  /** The root that it is under, likewise. */
  readonly root: string;
}

/** The directory, with every symbolic link followed; undefined when it is none or outside of all roots. */
export function findCheckout(repo: string, roots: readonly string[]): Checkout | undefined {
  if (!isAbsolute(repo) || repo.includes('\0')) return undefined;
  for (const root of roots) {
    const path = pathWithin(root, repo);
    if (path !== undefined && isDirectory(path)) return { repo, path, root: realpathSync(root) };
  }
  return undefined;
}

/**
 * As `findCheckout`. What is outside and what is not there are told apart by nothing, so that nobody learns what this machine has.
 *
 * @throws {FlotillaError} BAD_USER_INPUT when it is no directory that may be read.
 */
export function openCheckout(repo: string, roots: readonly string[]): Checkout {
  const checkout = findCheckout(repo, roots);
  if (checkout) return checkout;
  throw badUserInput(
    `Cannot read checkout: "${repo}" is not a directory under the roots of checkouts, the absolute path of one is expected`,
  );
}

/** A root that is not there holds nothing. */
function pathWithin(root: string, path: string): string | undefined {
  return isDirectory(root) ? resolveWithin(root, path) : undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
