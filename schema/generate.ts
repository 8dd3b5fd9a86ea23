/** Second half of `npm run generate`: the files that are derived from the configuration schema and the table of errors. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configJsonSchema } from './config/configJsonSchema.ts';
import { renderConfigReference } from './config/configReference.ts';
import { ERROR_CODES } from './errors.ts';

const ROOT = join(import.meta.dirname, '..');

/** Derived files: path from the root of the repository to text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['schema/generated/config.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`],
    ['docs/reference/config.md', renderConfigReference()],
    ['docs/reference/errors.md', renderErrorReference()],
  ]);
}

function renderErrorReference(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { httpStatus, jsonRpcCode, retryable, meaning }]) =>
      `| \`${code}\` | ${httpStatus} | ${jsonRpcCode} | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
  );
  return `# Errors

Every error that a client can meet. GraphQL carries the code as \`extensions.code\`, REST as the HTTP status, the JSON-RPC
faces as the number. *Retry* says whether the same request may succeed later.

| code | HTTP | JSON-RPC | retry | meaning |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
}
