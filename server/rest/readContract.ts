/** The authored contract of this package. */
import { readFileSync } from 'node:fs';
import { type Contract, parseContract } from './Contract.ts';

export function readContract(): Contract {
  return parseContract(readFileSync(new URL('../../schema/openapi.yaml', import.meta.url), 'utf8'));
}
