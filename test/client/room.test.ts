/** The client runs in browsers, too: nothing that it reaches needs Node or a package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DOOR = join(import.meta.dirname, '../../client/index.ts');

test('nothing that the client imports, near or far, is of Node or of a package', () => {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const source = readFileSync(path, 'utf8');
    for (const [, specifier = ''] of source.matchAll(/^(?:import|export) (?!type)[^;]*? from '([^']+)'/gms)) {
      expect(specifier, path).toMatch(/^\./);
      visit(join(dirname(path), specifier));
    }
    const code = source.replaceAll(/\/\*.*?\*\/|^ *\/\/.*?$/gms, '');
    expect(code, path).not.toMatch(/\bBuffer\b|\bprocess\.|^\s*(?:await )?using /m);
  };
  visit(DOOR);
  expect([...reached].map((path) => path.split('/').at(-1))).toEqual(
    expect.arrayContaining(['createClient.ts', 'readStream.ts', 'errors.ts', 'closableIterable.ts']),
  );
});
