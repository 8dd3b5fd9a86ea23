/** `instance`: who this process is, what it works on, and whom a manager manages (spec/manager.md § 2). */
import { z } from 'zod';
import { isAddressRange } from './addressRange.ts';
import { envName, seconds } from './fields.ts';
import { parseMemberUrl } from './memberUrl.ts';
import { parseWorkItemRef } from './workItemRef.ts';

/** Grammar of an instance's name. */
export const INSTANCE_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const NAME_EXPECTED = 'expected 1 to 40 of a-z, 0-9 and "-", the first not "-"';

const MemberEntry = z
  .strictObject({
    name: z
      .string()
      .regex(INSTANCE_NAME, NAME_EXPECTED)
      .describe(
        'Name under which the member answers: 1 to 40 of a-z, 0-9 and "-", the first not "-". It is the only name the manager uses for it.',
      ),
    url: z
      .string()
      .meta({ pattern: '^https?://' })
      .transform((text, context) => {
        const url = parseMemberUrl(text);
        if (url !== undefined) return url;
        context.issues.push({
          code: 'custom',
          input: text,
          message: 'expected an http(s) URL with a host, without user information, query and fragment',
        });
        return z.NEVER;
      })
      .describe('Base URL of the member, http or https, optionally with a path prefix.'),
    tokenEnv: envName()
      .optional()
      .describe('Name of the environment variable with the bearer token that the member wants.'),
    kind: z
      .enum(['worker', 'a2a'])
      .optional()
      .describe(
        'What answers at the URL. `worker`, the default: a worker of ours or of the REST contract, told apart by its identity document. `a2a`: an agent of A2A 1.0, known by its agent card.',
      ),
    participant: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'expected 1 to 200 printable ASCII characters without blanks')
      .optional()
      .describe(
        'As whom an agent of the kind `a2a` is asked, when an operation names nobody: it shows the tasks that this participant is on. `operator` by default.',
      ),
  })
  .describe('One member. An entry that breaks a rule is skipped with a warning that names its index.');

export const InstanceSection = z
  .strictObject({
    name: z
      .string()
      .regex(/^(?:[a-z0-9][a-z0-9-]{0,39})?$/, NAME_EXPECTED)
      .default('')
      .describe(
        'Name of this instance: 1 to 40 of a-z, 0-9 and "-", the first not "-". A manager needs one; a worker may be unnamed.',
      ),
    role: z
      .enum(['worker', 'manager'])
      .default('worker')
      .describe('A manager is a worker that also serves the graph of every member of its registry.'),
    scope: z
      .strictObject({
        mode: z
          .enum(['open', 'addressed', 'locked'])
          .default('open')
          .describe(
            'Which work reaches the instance: any, only what is addressed to its name, or none but `workItems`. Any other value, and `addressed` without a name, is `locked`.',
          ),
        workItems: z
          .array(
            z.string().transform((text, context) => {
              const ref = parseWorkItemRef(text);
              if (ref !== undefined) return ref;
              context.issues.push({
                code: 'custom',
                input: text,
                message:
                  'expected "provider:[host/]owner/repo#number" or the URL of an issue or pull request',
              });
              return z.NEVER;
            }),
          )
          .prefault([])
          .describe(
            'Work items that the instance answers for, as `provider:[host/]owner/repo#number` or as the URL of an issue or pull request. A bad entry is skipped with a warning.',
          ),
      })
      .prefault({})
      .describe('What the instance works on.'),
    manager: z
      .strictObject({
        instances: z
          .array(MemberEntry)
          .prefault([])
          .describe('The registry: the members of the fleet beside the manager itself, in fleet order.'),
        timeoutSeconds: seconds()
          .default(10)
          .describe(
            'Longest wait for one answer of a member, in seconds. A list read of the dashboard is capped at 9 seconds while this is the default.',
          ),
        probeIntervalSeconds: seconds()
          .default(15)
          .describe('Age in seconds at which the probe of a member is made again before it is used.'),
        allowAddresses: z
          .array(z.string().refine(isAddressRange, 'expected a CIDR such as "169.254.0.0/16" or "fe80::/10"'))
          .prefault([])
          .describe(
            'Addresses, as CIDRs, that members and receivers of push notifications may have although they are refused by default: link-local ones, those of the metadata services of clouds, unspecified ones and multicast. Loopback and private addresses are allowed. Looked at whenever a connection is made.',
          ),
      })
      .prefault({})
      .describe(
        'What a manager knows of its fleet. A worker may carry it; there only `allowAddresses` changes anything.',
      ),
  })
  .prefault({})
  .describe('Who this instance is.');
