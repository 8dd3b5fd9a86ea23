/**
 * The check of a member's answer against the schema, compiled once per plan (GraphQL § 6.4.3, design § 3 "A bad row
 * costs one row").
 *
 * A value that breaks the schema takes with it the nearest thing around it that may be absent: a nullable field becomes
 * null, a row of a list is dropped. Each such loss is one `Fault`. What comes out has the client's fields in the
 * client's order and nothing else; its objects have no prototype members, whatever the member sent.
 */
import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { stampRow } from '../../schema/stampRow.ts';
import type { FieldPlan, SelectionPlan } from '../routing/SelectionPlan.ts';
import type { FieldRole, FieldRoles } from './roles.ts';

/** Stands for a value that breaks the schema where it may not be null. */
export const BAD: unique symbol = Symbol('bad');

/** One loss: what of the answer is not served, and why. */
export interface Fault {
  /** From the response's root to the field that is null or the list that is short of a row; reversed until it is told. */
  readonly path: (string | number)[];
  /** From there to the bad value. */
  readonly below: readonly (string | number)[];
  /** What the value is and what is expected; never the value itself. */
  readonly reason: string;
}

/** Who answers, and what the check finds. */
export interface Completion {
  /** The registered name: what rows are stamped with. */
  readonly member: string;
  readonly isOwn: boolean;
  /** Whether fields were kept back from the member because it does not have them: they are null, without a fault. */
  readonly isPruned: boolean;
  readonly faults: Fault[];
  /** The bad value that is looking for something around it that may be absent. */
  pending: { readonly path: (string | number)[]; readonly reason: string } | undefined;
  /** The reader's position after the row that is being completed. */
  rowCursor: (() => string) | undefined;
}

/** The value as the client gets it, or `BAD` with `completion.pending` set. */
export type Complete = (value: unknown, completion: Completion) => unknown;

export interface CompleterSource {
  readonly roles: FieldRoles;
  /** Response name of the hidden `__typename` of abstract values. */
  readonly typenameKey: string;
}

export function createCompletion(member: string, isOwn: boolean, isPruned = false): Completion {
  return { member, isOwn, isPruned, faults: [], pending: undefined, rowCursor: undefined };
}

/** Compiles the check of one field's value. */
export function compileField(field: FieldPlan, source: CompleterSource): Complete {
  return compileType(field.type, field.selection, source);
}

/** Compiles the check of one object of a type and selection; for rows that the manager joins itself. */
export function compileType(
  type: GraphQLOutputType,
  selection: SelectionPlan | undefined,
  source: CompleterSource,
): Complete {
  if (!isNonNullType(type)) return nullable(compileNonNull(type, selection, source), String(type));
  const complete = compileNonNull(type.ofType, selection, source);
  const expected = `${type} is expected`;
  return (value, completion) => {
    if (value === null) return bad(completion, `it is null, ${expected}`);
    if (value === undefined) return bad(completion, `it is missing, ${expected}`);
    return complete(value, completion);
  };
}

function nullable(complete: Complete, expected: string): Complete {
  return (value, completion) => {
    if (value === null) return null;
    const before = completion.faults.length;
    if (value === undefined) {
      if (completion.isPruned) return null;
      bad(completion, `it is missing, ${expected} is expected`);
    } else {
      const completed = complete(value, completion);
      if (completed !== BAD) return completed;
    }
    absorb(completion, before);
    return null;
  };
}

function compileNonNull(
  type: GraphQLOutputType,
  selection: SelectionPlan | undefined,
  source: CompleterSource,
): Complete {
  if (isListType(type)) return compileList(type.ofType, selection, source);
  return selection ? compileSelection(selection, source) : compileLeaf(type as GraphQLNamedType);
}

function compileList(
  itemType: GraphQLOutputType,
  selection: SelectionPlan | undefined,
  source: CompleterSource,
): Complete {
  const complete = compileType(itemType, selection, source);
  return (value, completion) => {
    if (!Array.isArray(value)) return bad(completion, 'it is no list, a list is expected');
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const before = completion.faults.length;
      const item = complete(value[index], completion);
      if (item === BAD) {
        completion.pending!.path.push(index);
        absorb(completion, before);
      } else {
        if (completion.faults.length > before) extendFaults(completion, before, items.length);
        items.push(item);
      }
    }
    return items;
  };
}

function compileSelection({ isAbstract, byType }: SelectionPlan, source: CompleterSource): Complete {
  const objects = new Map([...byType].map(([type, fields]) => [type, compileObject(fields, source)]));
  if (!isAbstract) return [...objects.values()][0]!;
  const expected = `one of ${[...objects.keys()].join(', ')} is expected`;
  return (value, completion) => {
    if (!isRecord(value)) return bad(completion, 'it is no object, an object is expected');
    const type = ownValue(value, source.typenameKey);
    const complete = typeof type === 'string' ? objects.get(type) : undefined;
    return complete ? complete(value, completion) : bad(completion, `its type is unknown, ${expected}`);
  };
}

/** A field's own part in its parent's check. */
interface CompiledField {
  readonly key: string;
  /** Whether `key` can be read without meeting a member of `Object.prototype`. */
  readonly isPlain: boolean;
  readonly complete: Complete;
}

function compileObject(fields: readonly FieldPlan[], source: CompleterSource): Complete {
  const compiled: readonly CompiledField[] = fields.map((field) => ({
    key: field.key,
    isPlain: !(field.key in Object.prototype),
    complete: compileObjectField(field, source),
  }));
  return (value, completion) => {
    if (!isRecord(value)) return bad(completion, 'it is no object, an object is expected');
    const object = new Row();
    const { faults } = completion;
    for (const { key, isPlain, complete } of compiled) {
      const before = faults.length;
      const completed = complete(isPlain ? value[key] : ownValue(value, key), completion);
      if (completed === BAD) {
        completion.pending!.path.push(key);
        return BAD;
      }
      if (faults.length > before) extendFaults(completion, before, key);
      object[key] = completed;
    }
    return object;
  };
}

function compileObjectField(field: FieldPlan, source: CompleterSource): Complete {
  if (field.name === '__typename') return () => field.parent;
  const complete = compileField(field, source);
  const role = source.roles.get(field.parent)?.get(field.name);
  return role ? ROLE_VALUES[role](complete) : complete;
}

const ROLE_VALUES: Readonly<Record<FieldRole, (complete: Complete) => Complete>> = {
  origin: () => (_value, completion) => completion.member,
  proxied: (complete) => (value, completion) =>
    completion.isOwn ? complete(value, completion) : completion.member,
  record: (complete) => (value, completion) =>
    isRecord(value) && !completion.isOwn
      ? stampRecord(value, completion.member)
      : complete(value, completion),
  rowCursor: (complete) => (value, completion) =>
    completion.rowCursor ? completion.rowCursor() : complete(value, completion),
  logCursor: (complete) => (value, completion) => {
    const completed = complete(value, completion);
    return typeof completed === 'string' ? `${completion.member}=${completed}` : completed;
  },
};

/** The rows of what it manages are stamped as the row is. */
function stampRecord(record: Record<string, unknown>, origin: string): unknown {
  const { managed } = record;
  const stamped = stampRow(record, origin);
  if (!Array.isArray(managed)) return stamped;
  return { ...stamped, managed: managed.map((row) => (isRecord(row) ? stampRow(row, origin) : row)) };
}

function compileLeaf(type: GraphQLNamedType): Complete {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().map(({ name }) => name));
    return (value, completion) =>
      names.has(value as string) ? value : bad(completion, `it is no value of ${type.name}, one is expected`);
  }
  if (isObjectType(type)) throw new Error(`Cannot plan ${type.name}: nothing of it is selected`);
  const read = Object.hasOwn(SCALARS, type.name) ? SCALARS[type.name] : undefined;
  // What a scalar of somebody else may be, only its owner knows.
  if (!read) return (value) => value;
  return (value, completion) => {
    const completed = read(value);
    return completed === undefined ? bad(completion, `it is no ${type.name}, one is expected`) : completed;
  };
}

/** The values that each scalar may have in an answer; undefined for any other. */
const SCALARS: Readonly<Record<string, (value: unknown) => unknown>> = {
  String: (value) => (typeof value === 'string' ? value : undefined),
  ID: (value) =>
    typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined,
  Int: (value) => (Number.isInteger(value) && value === ((value as number) | 0) ? value : undefined),
  Float: (value) => (Number.isFinite(value) ? value : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  DateTime: (value) => (typeof value === 'string' ? value : undefined),
  Offset: readCount,
  Count: readCount,
};

function readCount(value: unknown): unknown {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined;
}

/** An object without members of `Object.prototype`. Unlike `Object.create(null)`, its shape is shared, which keeps reads and JSON fast. */
const Row = function Row() {} as unknown as new () => Record<string, unknown>;
Row.prototype = Object.freeze(Object.create(null));

/** An empty object for response fields. */
export function createRow(): Record<string, unknown> {
  return new Row();
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property that the member sent, never one that JavaScript adds. */
export function ownValue(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

export function bad(completion: Completion, reason: string): typeof BAD {
  completion.pending = { path: [], reason };
  return BAD;
}

/** Turns the pending bad value into one fault in place of those found since `before`, inside of what is lost now. */
export function absorb(completion: Completion, before: number): void {
  const { path, reason } = completion.pending!;
  completion.faults.length = before;
  completion.faults.push({ path: [], below: path.reverse(), reason });
  completion.pending = undefined;
}

/** Puts what is above the faults found since `from` in front of their paths, the innermost key first. */
export function extendFaults(
  { faults }: Completion,
  from: number,
  ...keys: readonly (string | number)[]
): void {
  for (let index = from; index < faults.length; index += 1) faults[index]!.path.push(...keys);
}
