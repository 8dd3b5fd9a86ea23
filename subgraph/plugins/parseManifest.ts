/** `plugin.json` (Agent Plugins 1.0.0 § 5; spec/worker.md § 8.4). Pure. */
import { z } from 'zod';
import { problemOf } from './Part.ts';

export const PLUGIN_SCHEMA_ID = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

const Manifest = z.object({
  $schema: z.literal(PLUGIN_SCHEMA_ID),
  name: z
    .string()
    .max(64)
    .regex(
      /^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/,
      'expected lower-case letters, digits, "." and "-", the first and the last no sign, no sign twice',
    ),
  version: z.string().optional(),
  description: z.string().optional(),
  author: z
    .strictObject({ name: z.string().optional(), email: z.string().optional(), url: z.string().optional() })
    .optional(),
  homepage: z.string().optional(),
  repository: z.string().optional(),
  license: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  extensions: z.unknown().optional(),
});

export interface PluginManifest {
  readonly name: string;
  readonly version?: string;
}

/** The manifest and what of it is ignored; or the problem, when nothing of the plugin may be loaded. */
export function parseManifest(
  text: string,
): { readonly manifest: PluginManifest; readonly notes: readonly string[] } | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'it is no JSON' };
  }
  const parsed = Manifest.safeParse(json);
  if (!parsed.success) return { problem: problemOf(parsed.error) };
  const { name, version, extensions } = parsed.data;
  const unknown = Object.keys(json as object).filter((key) => !Object.hasOwn(Manifest.shape, key));
  const notes = unknown.map((key) => `plugin.json: the unknown key "${key}" is ignored`);
  if (
    extensions !== undefined &&
    (typeof extensions !== 'object' || extensions === null || Array.isArray(extensions))
  ) {
    notes.push('plugin.json: "extensions" is no object and ignored');
  }
  return { manifest: { name, ...(version !== undefined && { version }) }, notes };
}
