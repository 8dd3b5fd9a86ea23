import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { HOOK_CONTEXTS } from '../../../subgraph/hooks/HookContext.ts';
import { PLUGIN_SCHEMA_ID } from '../../../subgraph/plugins/parseManifest.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/plugins.md'), 'utf8');

/** Told once, above the table. */
const IN_EVERY = ['taskId', 'correlationId', 'attempt'];

test.each(Object.entries(HOOK_CONTEXTS))(
  'the guide tells the fields of the context at %s',
  (point, schema) => {
    const { properties = {}, required = [] } = z.toJSONSchema(schema);
    const fields = Object.keys(properties)
      .filter((name) => !IN_EVERY.includes(name))
      .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``);
    expect(GUIDE).toContain(`| \`${point}\` | ${fields.join(', ')} |\n`);
  },
);

test('the guide tells the schema that a plugin.json must name', () => {
  expect(GUIDE).toContain(`"$schema": "${PLUGIN_SCHEMA_ID}"`);
});
