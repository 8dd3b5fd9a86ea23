/** `service`: the one port of an instance and who may use it (design § 8). */
import { z } from 'zod';
import { envName } from './fields.ts';

export const ServiceSection = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Address to listen on. One that other machines can reach needs `service.auth` or `service.unauthenticated: true`.',
      ),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(4114)
      .describe('TCP port of dashboard, GraphQL, REST, A2A and MCP; 0 takes any free one.'),
    unauthenticated: z
      .boolean()
      .default(false)
      .describe(
        'Serve other machines without asking for a token. Everyone who reaches the port may do everything.',
      ),
    auth: z
      .strictObject({
        tokenEnvs: z
          .array(envName())
          .default([])
          .describe('Names of the environment variables that each hold one accepted bearer token.'),
      })
      .prefault({})
      .describe('Who may call. Without tokens nobody is asked for one.'),
    maxRequestBytes: z
      .int()
      .min(1024)
      .max(67_108_864)
      .default(1_048_576)
      .describe('Longest accepted body of a request, in bytes.'),
    rateLimitPerMinute: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        'How many requests one address may make at once, operations over a WebSocket included; as many come back to it over a minute, and one too many is 429. Absent: as many as it likes. Probes of health are not counted. Behind a proxy all callers have its address.',
      ),
    stream: z
      .strictObject({
        enabled: z.boolean().default(true).describe('Whether `/api/v1/stream` accepts subscribers.'),
        maxSubscribers: z
          .int()
          .min(1)
          .max(10_000)
          .default(8)
          .describe('How many subscribers the stream has at most; the next one is refused.'),
        keepAliveSeconds: z
          .int()
          .min(1)
          .max(3600)
          .default(15)
          .describe('Silence in seconds after which the stream sends a keep-alive.'),
      })
      .prefault({})
      .describe('The event stream of the REST contract.'),
  })
  .prefault({})
  .describe('The port of the instance.');
