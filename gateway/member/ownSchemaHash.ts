/** The hash by which two instances see that they have the same schema, so that neither need read the other's (design § 3). */
import { createHash } from 'node:crypto';
import { print } from 'graphql';
import { instanceTypeDefs } from '../../subgraph/index.ts';

let known: string | undefined;

/** SHA-256, in lower-case hex, of the SDL of the `instance` subgraph in its printed form. Computed once. */
export function ownSchemaHash(): string {
  known ??= createHash('sha256').update(print(instanceTypeDefs())).digest('hex');
  return known;
}
