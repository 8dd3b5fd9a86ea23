/**
 * What members of another version lack (design § 3 "Version skew").
 *
 * Nothing is learned, and nothing costs anything, while everybody understands every document. A member that refuses one as
 * invalid is asked for its SDL once; from then on, what it does not have is not asked of it.
 */
import { buildASTSchema, type GraphQLSchema, getNamedType, isObjectType, parse } from 'graphql';
import type { Member, MemberAnswer, MemberRequest } from '../member/Member.ts';
import { buildMemberDocument, type MemberDocument } from '../routing/MemberDocument.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import type { FieldPlan, SelectionPlan } from '../routing/SelectionPlan.ts';

/** Longest SDL that is parsed, in characters. */
const MAX_SDL = 1_000_000;

const SDL_TEXT = 'query sdl { _service { sdl } }';
/** Asks a member for its SDL. */
export const SDL_REQUEST: MemberRequest = {
  text: SDL_TEXT,
  document: parse(SDL_TEXT, { noLocation: true }),
  operationName: 'sdl',
  variables: {},
};

/** A plan's document without what one member lacks. */
export interface PrunedDocument {
  /** Undefined when the member lacks the root field itself. */
  readonly request: MemberDocument | undefined;
  /** `Type.field` of what was left out. */
  readonly missing: readonly string[];
}

interface KnownSchema {
  readonly version: string;
  readonly schema: GraphQLSchema;
  readonly documents: WeakMap<MemberPlan, PrunedDocument>;
}

export class MemberSchemas {
  /** By handle and version: a member that was registered anew or upgraded starts without a schema. */
  readonly #known = new WeakMap<Member, KnownSchema>();

  /** What the member is known to understand of the plan; undefined while it has not refused anything. */
  documentFor(member: Member, version: string, plan: MemberPlan): PrunedDocument | undefined {
    const known = this.#known.get(member);
    if (known?.version !== version) return undefined;
    const pruned = known.documents.get(plan) ?? pruneDocument(plan, known.schema);
    known.documents.set(plan, pruned);
    return pruned;
  }

  /** Takes in the answer to `SDL_REQUEST`; false when it holds no SDL. */
  learn(member: Member, version: string, { data }: MemberAnswer): boolean {
    const sdl = (data?._service as { readonly sdl?: unknown } | null | undefined)?.sdl;
    if (typeof sdl !== 'string' || sdl.length > MAX_SDL) return false;
    try {
      const schema = buildASTSchema(parse(sdl, { noLocation: true }), {
        assumeValid: true,
        assumeValidSDL: true,
      });
      this.#known.set(member, { version, schema, documents: new WeakMap() });
      return true;
    } catch {
      // Whatever the member calls its SDL, it is not one; the refusal stands.
      return false;
    }
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
