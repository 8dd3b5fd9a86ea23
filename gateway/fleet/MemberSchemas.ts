/**
 * What members of another version lack (design § 3 "Version skew").
 *
 * The probe has read the SDL of a member whose schema is another: what it does not have is not asked of it. A member that
 * refuses a document all the same is asked for its SDL once more. What was learned holds until the probe finds that the
 * schema may be another one.
 */
import { buildASTSchema, type GraphQLSchema, getNamedType, isObjectType, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Member, MemberAnswer } from '../member/Member.ts';
import { readSdl } from '../member/readSdl.ts';
import type { FleetEntry, MemberSchema } from '../registry/MemberRegistry.ts';
import { buildMemberDocument, type MemberDocument } from '../routing/MemberDocument.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import type { FieldPlan, SelectionPlan } from '../routing/SelectionPlan.ts';

/** Schemas of other versions that are kept: members of one version share theirs, and a fleet has few versions. */
const MAX_SCHEMAS = 32;

/** A plan's document without what one member lacks. */
export interface PrunedDocument {
  /** Undefined when the member lacks the root field itself. */
  readonly request: MemberDocument | undefined;
  /** `Type.field` of what was left out. */
  readonly missing: readonly string[];
}

/** What members with the same SDL share. */
interface OtherSchema {
  readonly schema: GraphQLSchema;
  readonly documents: WeakMap<MemberPlan, PrunedDocument>;
}

interface KnownSchema {
  readonly version: string;
  /** What the probes had learned. */
  readonly probed: MemberSchema | undefined;
  /** Undefined when what the member calls its SDL is none: it is asked for everything. */
  readonly other: OtherSchema | undefined;
  /** Learned from the member itself, after it has refused a document. */
  readonly isAsked: boolean;
}

export class MemberSchemas {
  /** By handle; what was learned under another version, or before the probe has learned something else, is none. */
  readonly #known = new WeakMap<Member, KnownSchema>();
  readonly #schemas = new LRUCache<string, OtherSchema>({ max: MAX_SCHEMAS });

  /** What the member is known to understand of the plan; undefined while nothing is known to be missing. */
  documentFor(entry: FleetEntry, plan: MemberPlan): PrunedDocument | undefined {
    const other = this.#knownOf(entry)?.other;
    if (!other) return undefined;
    const pruned = other.documents.get(plan) ?? pruneDocument(plan, other.schema);
    other.documents.set(plan, pruned);
    return pruned;
  }

  /** Whether the member is known to lack a root field of queries. */
  lacksQuery(entry: FleetEntry, field: string): boolean {
    const fields = this.#knownOf(entry)?.other?.schema.getQueryType()?.getFields();
    return fields !== undefined && !Object.hasOwn(fields, field);
  }

  /** Whether a refusal says something new: the member was not asked for its SDL since the probe has learned of it. */
  isWorthAsking(entry: FleetEntry): boolean {
    return !this.#knownOf(entry)?.isAsked;
  }

  /** Takes in the answer to `SDL_REQUEST`. One that holds no SDL changes nothing: the refusal stands. */
  learn(entry: FleetEntry, answer: MemberAnswer): void {
    const sdl = readSdl(answer);
    const other = sdl === undefined ? undefined : this.#schemaOf(sdl);
    if (other) this.#keep(entry, { other, isAsked: true });
  }

  #knownOf(entry: FleetEntry): KnownSchema | undefined {
    const { member, version, schema: probed } = entry;
    const known = this.#known.get(member);
    if (known && known.version === version && known.probed === probed) return known;
    if (probed?.sdl === undefined) return undefined;
    return this.#keep(entry, { other: this.#schemaOf(probed.sdl), isAsked: false });
  }

  #keep(
    { member, version, schema: probed }: FleetEntry,
    learned: Pick<KnownSchema, 'other' | 'isAsked'>,
  ): KnownSchema {
    const known: KnownSchema = { ...learned, version, probed };
    this.#known.set(member, known);
    return known;
  }

  #schemaOf(sdl: string): OtherSchema | undefined {
    const known = this.#schemas.get(sdl);
    if (known) return known;
    const schema = buildSchema(sdl);
    const other = schema && { schema, documents: new WeakMap<MemberPlan, PrunedDocument>() };
    if (other) this.#schemas.set(sdl, other);
    return other;
  }
}

/** Undefined for a text that is no SDL of a whole schema. */
function buildSchema(sdl: string): GraphQLSchema | undefined {
  try {
    const document = parse(sdl, { noLocation: true });
    const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
    return schema.getQueryType() ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an answer says that the document itself was refused, so that nothing of it was done. */
export function isRefusedDocument({ data, errors }: MemberAnswer): boolean {
  return (
    data == null && errors.length > 0 && errors.every(({ extensions }) => isValidationCode(extensions?.code))
  );
}

function isValidationCode(code: unknown): boolean {
  return code === 'GRAPHQL_VALIDATION_FAILED';
}

/** The plan's document without the fields that `schema` lacks; a field with an argument it lacks is such a field. */
export function pruneDocument(plan: MemberPlan, schema: GraphQLSchema): PrunedDocument {
  const missing = new Set<string>();
  const root = pruneField(plan.field, { schema, missing, isRoot: true });
  return {
    request: root && buildMemberDocument({ ...plan.source, root }),
    missing: [...missing],
  };
}

interface Pruning {
  readonly schema: GraphQLSchema;
  readonly missing: Set<string>;
  readonly isRoot?: boolean;
}

function pruneField(field: FieldPlan, { schema, missing, isRoot = false }: Pruning): FieldPlan | undefined {
  if (field.name === '__typename') return field;
  const type = schema.getType(field.parent);
  const known = isObjectType(type) ? type.getFields()[field.name] : undefined;
  // `instance` is never forwarded, so a root field may lack it.
  const lacks = field.arguments.some(
    ({ name }) =>
      !(isRoot && name.value === 'instance') && !known?.args.some((arg) => arg.name === name.value),
  );
  const isMissing = !known || lacks || getNamedType(known.type).name !== getNamedType(field.type).name;
  if (isMissing && field.name !== '_entities') {
    missing.add(`${field.parent}.${field.name}`);
    return undefined;
  }
  if (!field.selection) return field;
  return { ...field, selection: pruneSelection(field.selection, { schema, missing }) };
}

function pruneSelection({ isAbstract, byType }: SelectionPlan, pruning: Pruning): SelectionPlan {
  const types = [...byType].filter(([type]) => pruning.schema.getType(type));
  return {
    isAbstract,
    byType: new Map(
      types.map(([type, fields]) => [type, fields.flatMap((field) => pruneField(field, pruning) ?? [])]),
    ),
  };
}
