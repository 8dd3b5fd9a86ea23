/** A plugin's directory as a test needs it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param root is made.
 * @param files by their path; what is no text is written as JSON, and undefined not at all. The manifest is added.
 */
export function writePlugin(root: string, files: Readonly<Record<string, unknown>>): string {
  mkdirSync(root, { recursive: true });
  const manifest = { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', name: 'desk' };
  for (const [name, content] of Object.entries({ 'plugin.json': manifest, ...files })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}
