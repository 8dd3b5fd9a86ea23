/** `plugins`: directories with skills, tools, hooks, prompts and commands (spec/worker.md § 8.4). */
import { z } from 'zod';

const PATH = 'Directory of the plugin; a relative path starts at the directory of this file.';

const PluginEntry = z.strictObject({
  path: z.string().min(1).describe(PATH),
  override: z
    .boolean()
    .default(false)
    .describe(
      'Whether parts of the plugin may take the place of parts that are there already, built-in ones included.',
    ),
});

export const PluginsSection = z
  .array(
    z.union(
      [
        z
          .string()
          .min(1)
          .transform((path) => ({ path, override: false })),
        PluginEntry,
      ],
      'expected the path of a directory, or a mapping with "path"',
    ),
  )
  .prefault([])
  .describe(
    'Plugins, in the order of loading: directories, or mappings with `path` and `override`. A plugin runs code of its own in this process and beside it: name only those that you trust.',
  );
