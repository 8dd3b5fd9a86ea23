/** `gateway`: what a manager composes into its graph beside the fleet (design § 3). */
import { z } from 'zod';
import { envName } from './fields.ts';
import { isHttpUrl } from './isHttpUrl.ts';

const SUBGRAPH_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
/** The manager's own subgraphs. */
const TAKEN: readonly string[] = ['instance', 'fleet'];
/** Each one is polled, and takes part in every composition. */
const MAX_SUBGRAPHS = 32;

const SubgraphEntry = z.strictObject({
  name: z
    .string()
    .regex(SUBGRAPH_NAME, 'expected a letter and up to 63 of A-Z, a-z, 0-9, "_" and "-"')
    .refine((name) => !TAKEN.includes(name), 'expected another name than "instance" and "fleet"')
    .describe('Name of the subgraph, under which its errors are told; `instance` and `fleet` are taken.'),
  url: z
    .string()
    .refine(isHttpUrl, 'expected an http(s) URL without user information, query and fragment')
    .describe('Where the subgraph answers GraphQL over HTTP, path included.'),
  tokenEnv: envName()
    .optional()
    .describe('Name of the environment variable with the bearer token that the subgraph wants.'),
});

export const GatewaySection = z
  .strictObject({
    subgraphs: z
      .array(SubgraphEntry)
      .max(MAX_SUBGRAPHS, `expected at most ${MAX_SUBGRAPHS} subgraphs`)
      .refine(
        (subgraphs) => new Set(subgraphs.map(({ name }) => name)).size === subgraphs.length,
        'expected subgraphs of different names',
      )
      .default([])
      .describe(
        "Federation subgraphs of your own that extend the graph of a manager. A change is in force within a second or two, without a restart; one that cannot be composed in leaves the graph as it is, and the manager's log says why.",
      ),
  })
  .prefault({})
  .describe('The graph of a manager. A worker may carry it; it changes nothing there.');
