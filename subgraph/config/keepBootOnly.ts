/** Keeps what was read at start, whatever the file says now (spec/manager.md § 3). Pure. */
import { BOOT_ONLY_KEYS } from '../../schema/config/bootOnlyKeys.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { deepFreeze } from './deepFreeze.ts';
import { valueAt } from './keyPath.ts';

/** `fresh` with the boot-only keys of `boot`. */
export function keepBootOnly(fresh: Config, boot: Config): Config {
  const pinned = BOOT_ONLY_KEYS.reduce<unknown>((config, key) => {
    const path = key.split('.');
    return replaceAt(config, path, valueAt(boot, path));
  }, fresh);
  return deepFreeze(pinned as Config);
}

function replaceAt(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = target as Record<string, unknown>;
  return { ...object, [key]: replaceAt(object[key], rest, value) };
}
