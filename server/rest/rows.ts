/** What the rows of the contract have in common (spec/rest-shapes.md, spec/manager.md § 10). */

import { parseWorkItemRef } from '../../schema/config/workItemRef.ts';
import { badUserInput } from '../../schema/errors.ts';
import { stampRow } from '../../schema/stampRow.ts';
import type { RestFacts } from './bind.ts';

export type Row = Readonly<Record<string, unknown>>;

const REF = /^([a-z][a-z0-9-]*):(?:([^/]+)\/)?([^/]+)\/([^/#]+)#(\d+)$/;

/** Parts of a GitHub address that can be put into a URL as they are. */
const GITHUB_PART = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The row with where it comes from; a worker's own is not stamped (§ 10.1). */
export function stamped(row: Row, origin: string, { isManager }: RestFacts): Row {
  return isManager ? stampRow(row, origin) : row;
}

/** `{ instance }` where the graph names one: documents that are another instance's. */
export function namedInstance(instance: string | null): { readonly instance?: string } {
  return instance === null ? {} : { instance };
}

/** A document, stamped where it is another instance's; an own one is not (§ 10.1). */
export function stampedDocument(document: Row, instance: string | null): Row {
  return instance === null ? document : stamped(document, instance, { isManager: true });
}

/** What a member of another make answers is passed on whole, with all that we know nothing about. */
export function wholeOr(record: unknown, own: Row): Row {
  return isRow(record) ? record : own;
}

/** @throws {FlotillaError} BAD_USER_INPUT when the text is not a ref. */
export function parseRef(text: string): string {
  const ref = parseWorkItemRef(text);
  if (ref !== undefined) return ref;
  throw badUserInput('Cannot read ref: it is not one, "provider:[host/]owner/repo#number" is expected');
}

export interface RefParts {
  readonly ref: string;
  readonly provider: string;
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

/** A ref of another grammar keeps its text and has empty parts. */
export function refParts(ref: string): RefParts {
  const [, provider = '', , owner = '', repo = '', number = '0'] = REF.exec(ref) ?? [];
  return { ref, provider, owner, repo, number: Number(number) };
}

/** `{ url }` of the page of a work item, for providers whose addresses are known. */
export function refUrl(ref: string): { readonly url?: string } {
  const [, provider, host = 'github.com', owner = '', repo = '', number] = REF.exec(ref) ?? [];
  if (provider !== 'github' || !GITHUB_PART.test(owner) || !GITHUB_PART.test(repo)) return {};
  return URL.canParse(`https://${host}`) ? { url: `https://${host}/${owner}/${repo}/issues/${number}` } : {};
}

/** Code-point order, so that every instance sorts alike. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Whether a JSON value is an object. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
