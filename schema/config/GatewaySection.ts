/** `gateway`: what a manager composes into its graph beside the fleet (design § 3). */
import { z } from 'zod';
import { isHttpUrl } from './isHttpUrl.ts';

export const GatewaySection = z
  .strictObject({
    subgraphs: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(
              /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/,
              'expected a letter and up to 63 of A-Z, a-z, 0-9, "_" and "-"',
            )
            .refine(
              (name) => name !== 'instance' && name !== 'fleet',
              'expected another name than "instance" and "fleet"',
            )
            .describe('Name of the subgraph; `instance` and `fleet` are taken.'),
          url: z
            .string()
            .refine(isHttpUrl, 'expected an http(s) URL without user information, query and fragment')
            .describe('Where the subgraph answers GraphQL over HTTP.'),
        }),
      )
      .default([])
      .describe('Federation subgraphs of your own that extend the graph of a manager.'),
  })
  .prefault({})
  .describe('The graph of a manager.');
