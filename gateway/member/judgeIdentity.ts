/** Whether what answers at a registered address is the member: exact name, and the role of a worker (spec/manager.md § 5.1). */
import { INSTANCE_NAME } from '../../schema/config/ConfigSchema.ts';
import type { MemberIdentity } from '../registry/MemberRegistry.ts';
import { asRecord } from './parseMemberJson.ts';

/** What is shown in place of a name that does not fit the grammar. */
export const UNNAMED = '(unnamed)';

/** A role that may be shown; others are shown as `(unknown)`. */
const ROLE = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** What a hash of a schema may look like, whatever made it; anything else is none. */
const SCHEMA_HASH = /^[A-Za-z0-9_-]{1,128}$/;

export type IdentityJudgement =
  | { readonly kind: 'accepted'; readonly identity: MemberIdentity }
  | { readonly kind: 'mismatched'; readonly reported: string; readonly role: string }
  | { readonly kind: 'malformed' };

export function judgeIdentity(registeredName: string, body: unknown): IdentityJudgement {
  const document = asRecord(body);
  if (!document) return { kind: 'malformed' };
  const role = readRole(document.role);
  if (document.name !== registeredName || role !== 'worker') {
    return { kind: 'mismatched', reported: readName(document.name), role };
  }
  return {
    kind: 'accepted',
    identity: {
      name: registeredName,
      role,
      mode: readText(asRecord(document.scope)?.mode),
      managed: readManaged(document.managed),
      sessionCount: readCount(document.sessionCount),
      ...readInterface(document.interfaces),
    },
  };
}

function readName(name: unknown): string {
  return typeof name === 'string' && INSTANCE_NAME.test(name) ? name : UNNAMED;
}

/** Documents older than the role have none: their instances are workers. */
function readRole(role: unknown): string {
  if (role === undefined || role === null || role === '') return 'worker';
  return typeof role === 'string' && ROLE.test(role) ? role : '(unknown)';
}

function readManaged(rows: unknown): MemberIdentity['managed'] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => {
    const { ref, sources } = asRecord(row) ?? {};
    if (typeof ref !== 'string') return [];
    return [
      { ref, sources: Array.isArray(sources) ? sources.filter((source) => typeof source === 'string') : [] },
    ];
  });
}

function readInterface(interfaces: unknown): Pick<MemberIdentity, 'graphql'> {
  const { graphql, schemaHash } = asRecord(interfaces) ?? {};
  if (typeof graphql !== 'string') return {};
  const isHash = typeof schemaHash === 'string' && SCHEMA_HASH.test(schemaHash);
  return { graphql: { schemaHash: isHash ? schemaHash : undefined } };
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
