/** Code of a plugin that runs in this process (spec/worker.md § 8.4). */
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../lib/messageOf.ts';
import { flaw, type Part } from './Part.ts';
import { resolveWithin } from './resolveWithin.ts';

/** A function of anybody's; what it gets and gives back is checked where it is called. */
export type ForeignFunction = (input: never, options: never) => never;

/**
 * The function that `module#export` names.
 *
 * @param path a file below the plugin's root, `#`, and the name of what it exports.
 */
export async function importExport(root: string, path: string): Promise<Part<ForeignFunction>> {
  const [file = '', name, ...rest] = path.split('#');
  if (file === '' || !name || rest.length > 0) {
    return flaw('plugin.component_skipped', `import_path is "${path}", module#export is expected`);
  }
  const module = resolveWithin(root, file);
  if (module === undefined) {
    return flaw('plugin.component_skipped', 'import_path leads out of the plugin');
  }
  try {
    const exports = (await import(pathToFileURL(module).href)) as Readonly<Record<string, unknown>>;
    const value = exports[name];
    if (typeof value === 'function') return { value: value as ForeignFunction };
    return flaw('plugin.component_skipped', `${file} exports no function "${name}"`);
  } catch (error) {
    return flaw('plugin.component_skipped', `${file} cannot be imported: ${messageOf(error)}`);
  }
}
