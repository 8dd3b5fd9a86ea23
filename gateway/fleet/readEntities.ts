/** `_entities(representations:)`, split by the instance that each representation names (design § 3). */

import type { GraphQLError } from 'graphql';
import { type GraphQLList, type GraphQLOutputType, getNullableType } from 'graphql';
import { FlotillaError } from '../../schema/errors.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import { type Complete, compileType, createCompletion, extendFaults, isRecord } from './completeValue.ts';
import { locateByInstance } from './locate.ts';
import { atPath, failureError, toldError } from './memberErrors.ts';
import {
  type FleetAccess,
  type RootOutcome,
  type RootRequest,
  relayErrors,
  rootValue,
  tellFaults,
} from './RootRequest.ts';
import type { FieldRoles } from './roles.ts';

/** The representations that one instance answers, each once, and the places that wait for each. */
interface Batch {
  readonly entry: FleetEntry;
  readonly representations: unknown[];
  readonly places: number[][];
  /** Text of a representation to its number. */
  readonly numbers: Map<string, number>;
}

/** Compiles the reader. An entity that nobody has is null with one error; the list is never short. */
export function compileEntities(plan: MemberPlan, roles: FieldRoles) {
  const { ofType } = getNullableType(plan.field.type) as GraphQLList<GraphQLOutputType>;
  const complete = compileType(ofType, plan.field.selection, { roles, typenameKey: plan.names.typename });

  return async (request: RootRequest, access: FleetAccess): Promise<RootOutcome> => {
    const representations = request.args.representations as readonly unknown[];
    const entries = await access.registry.fleet({ signal: request.context.signal });
    const value: unknown[] = representations.map(() => null);
    const { batches, errors } = splitByInstance(representations, entries, plan);
    await Promise.all(
      batches.map(async (batch) =>
        errors.push(...(await readBatch(batch, { request, access, complete, value }))),
      ),
    );
    return { value, errors: errors.sort(byIndex) };
  };
}

function splitByInstance(
  representations: readonly unknown[],
  entries: readonly FleetEntry[],
  plan: MemberPlan,
): { batches: Batch[]; errors: GraphQLError[] } {
  const batches = new Map<FleetEntry, Batch>();
  const errors: GraphQLError[] = [];
  for (const [index, representation] of representations.entries()) {
    const entry = locateEntity(representation, entries);
    if (entry instanceof FlotillaError) {
      errors.push(atPath(entry, [plan.field.key, index]));
      continue;
    }
    const batch: Batch = batches.get(entry) ?? { entry, representations: [], places: [], numbers: new Map() };
    batches.set(entry, batch);
    const text = JSON.stringify(representation);
    const number = batch.numbers.get(text);
    if (number !== undefined) batch.places[number]!.push(index);
    else {
      batch.numbers.set(text, batch.representations.push(representation) - 1);
      batch.places.push([index]);
    }
  }
  return { batches: [...batches.values()], errors };
}

/** Entities are keyed by `instance`, an `Instance` itself by `name`. */
function locateEntity(representation: unknown, entries: readonly FleetEntry[]): FleetEntry | FlotillaError {
  const { instance, name } = isRecord(representation) ? representation : {};
  const key = instance ?? name;
  if (typeof key !== 'string' || key === '') {
    return new FlotillaError(
      'BAD_USER_INPUT',
      'Cannot find entity: its representation names no instance, one is expected',
    );
  }
  try {
    return locateByInstance(entries, key);
  } catch (error) {
    if (error instanceof FlotillaError) return error;
    throw error;
  }
}

async function readBatch(
  { entry, representations, places }: Batch,
  options: {
    readonly request: RootRequest;
    readonly access: FleetAccess;
    readonly complete: Complete;
    readonly value: unknown[];
  },
): Promise<GraphQLError[]> {
  const { request, access, complete, value } = options;
  const { plan } = request;
  const root = plan.field.key;
  const everywhere = places.flat();
  const result = await access.ask(entry, request, {
    hidden: { [plan.names.representations]: representations },
  });
  if (result.kind === 'failure') {
    const error = failureError(entry, result.failure);
    return everywhere.map((index) => atPath(error, [root, index]));
  }
  const { answer, isPruned } = result;
  const entities = rootValue(answer, request);
  const [refusal] = answer.errors;
  if (!Array.isArray(entities) && refusal) {
    const error = toldError(entry, refusal);
    return everywhere.map((index) => atPath(error, [root, index]));
  }
  const completion = createCompletion(entry.member.name, entry.isLocal, isPruned);
  const relayed: GraphQLError[] = [];
  const toldOf = Map.groupBy(answer.errors, ({ path }) => path?.[1]);
  for (const [number, indexes] of places.entries()) {
    const entity = Array.isArray(entities) ? (entities[number] as unknown) : undefined;
    const told = toldOf.get(number) ?? [];
    for (const index of indexes) {
      const before = completion.faults.length;
      value[index] = complete(entity, completion);
      extendFaults(completion, before, index);
      relayed.push(...relayErrors(entry, told, ([, , ...rest]) => [root, index, ...rest]));
      if (entity === null && told.length === 0) relayed.push(atPath(nothingThere(entry), [root, index]));
    }
  }
  return [...relayed, ...tellFaults(entry, completion, { relayed, root })];
}

function nothingThere(entry: FleetEntry): FlotillaError {
  const message = 'Cannot find entity: nothing has its key, a key that somebody has is expected';
  return toldError(entry, { message, extensions: { code: 'NOT_FOUND' } });
}

function byIndex(a: GraphQLError, b: GraphQLError): number {
  return Number(a.path?.[1]) - Number(b.path?.[1]);
}
