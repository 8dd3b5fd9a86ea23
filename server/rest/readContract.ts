/** The contract of this package, as it was derived from the authored document. */
import { readFileSync } from 'node:fs';
import { type Contract, toContract } from './Contract.ts';

export function readContract(): Contract {
  const text = readFileSync(new URL('../../schema/generated/openapi.json', import.meta.url), 'utf8');
  return toContract(JSON.parse(text));
}
