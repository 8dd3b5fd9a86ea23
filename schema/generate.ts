/** Second half of `npm run generate`: the files that are derived from the configuration schema, the table of errors and the SDL. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { type ContractDocument, renderClientOperations } from './clientOperations.ts';
import { configJsonSchema } from './config/configJsonSchema.ts';
import { renderConfigReference } from './config/configReference.ts';
import { renderConfigTemplate } from './config/configTemplate.ts';
import { ERROR_CODES } from './errors.ts';
import { renderGraphReference } from './graphReference.ts';

const ROOT = join(import.meta.dirname, '..');

/** Derived files: path from the root of the repository to text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['schema/generated/config.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`],
    // The contract as a start reads it: JSON takes it a hundredth of the time that YAML does.
    ['schema/generated/openapi.json', `${JSON.stringify(readRestContract())}\n`],
    ['docs/reference/config.md', renderConfigReference()],
    ['docs/reference/flotilla.yaml', renderConfigTemplate()],
    ['docs/reference/errors.md', renderErrorReference()],
    ['schema/generated/clientOperations.ts', renderClientOperations(readRestContract())],
    ['docs/reference/graphql.md', renderGraphReference(readSdl())],
  ]);
}

function readRestContract(): ContractDocument {
  return parseYaml(readFileSync(join(ROOT, 'schema/openapi.yaml'), 'utf8'));
}

function readSdl(): string {
  return readFileSync(join(ROOT, 'schema/instance.graphql'), 'utf8');
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
