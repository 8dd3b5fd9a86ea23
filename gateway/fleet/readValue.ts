/** A root field that one instance answers (spec/manager.md § 8). */
import { getNullableType } from 'graphql';
import type { MemberAnswer, MemberErrorEntry } from '../member/Member.ts';
import type { FleetEntry } from '../registry/MemberRegistry.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import { absorb, BAD, compileField, createCompletion } from './completeValue.ts';
import { markNotLive, nobodyHolds } from './holders.ts';
import {
  type LocateOptions,
  locateActing,
  locateByInstance,
  locateByRef,
  locateByStandingName,
} from './locate.ts';
import { failureError } from './memberErrors.ts';
import {
  type AskResult,
  type FleetAccess,
  type RootOutcome,
  type RootRequest,
  relayErrors,
  rootValue,
  tellFaults,
} from './RootRequest.ts';
import type { FieldRoles } from './roles.ts';

/** Compiles the reader of one root field. It throws a `FlotillaError` that is the field's error. */
export function compileValue(plan: MemberPlan, roles: FieldRoles) {
  const complete = compileField(plan.field, { roles, typenameKey: plan.names.typename });
  const isNullable = getNullableType(plan.field.type) === plan.field.type;
  const tellsOfFleet = hasManaged(plan);

  return async (request: RootRequest, access: FleetAccess): Promise<RootOutcome> => {
    const entry = await locate(request, access);
    const [result] = await Promise.all([
      request.askShared(entry, request),
      tellsOfFleet && entry.isLocal && markMissing(request, access),
    ]);
    if (plan.operationKind === 'mutation' && plan.route === 'BY_INSTANCE') {
      access.registry.expire(entry.member.name);
    }
    if (result.kind === 'failure') throw failureError(entry, result.failure);
    if (isNullable && hasNothing(result.answer, request)) return nobodyHasIt(request);
    return toOutcome(entry, result, { request, access });
  };

  function toOutcome(
    entry: FleetEntry,
    result: AskResult & { kind: 'answer' },
    { request, access }: { readonly request: RootRequest; readonly access: FleetAccess },
  ): RootOutcome {
    const { answer, isPruned } = result;
    const root = plan.field.key;
    const value = rootValue(answer, request);
    const relayed = relayErrors(entry, answer.errors, (path) => (path[0] === root ? path : [root]));
    // The member told why there is nothing: no fault is found on top of it.
    if (value == null && relayed.length > 0) return { value: isNullable ? null : BAD, errors: relayed };
    const completion = createCompletion(entry.member.name, entry.isLocal, isPruned);
    const completed = complete(value, completion);
    if (completed === BAD) absorb(completion, 0);
    // Nothing of the answer is served: it was dropped, which an operator wants to know (spec/manager.md § 6).
    const lost = completion.faults.find(({ path }) => path.length === 0);
    if (lost && !entry.isLocal) access.reportMalformed(entry, request, lost.reason);
    return { value: completed, errors: [...relayed, ...tellFaults(entry, completion, { relayed, root })] };
  }
}

/** Whether the own document is asked for what the whole fleet manages (spec/manager.md § 12, row 2). */
function hasManaged({ field }: MemberPlan): boolean {
  const fields = [...(field.selection?.byType.values() ?? [])].flat();
  return field.name === 'instance' && fields.some(({ name }) => name === 'managed');
}

async function markMissing({ context }: RootRequest, { registry }: FleetAccess): Promise<void> {
  markNotLive(await registry.fleet({ signal: context.signal, isHasty: true }), context);
}

async function locate({ plan, args, context }: RootRequest, access: FleetAccess): Promise<FleetEntry> {
  const instance = (plan.route === 'SELF' ? undefined : args.instance) as string | null | undefined;
  // Without a name it is about all of one instance, never of the fleet (spec/manager.md § 8.3).
  const isNamed = plan.route === 'BY_STANDING_NAME' && Boolean(args.name);
  const isKeyed = plan.route === 'BY_REF' || plan.route === 'ACTING_MEMBER' || isNamed;
  const { registry } = access;
  // The own half is there whatever the probes say, so it is not kept waiting for them.
  if (instance ? instance === registry.ownName : !isKeyed)
    return locateByInstance(registry.snapshot(), undefined);
  if (instance) return locateByInstance(await registry.fleet({ signal: context.signal }), instance);
  const options: LocateOptions = {
    registry,
    context,
    isWrite: plan.operationKind === 'mutation',
    askAll: (entries, question) => access.askHolders(entries, question, context),
  };
  if (isNamed) return locateByStandingName(String(args.name), options);
  if (plan.route === 'BY_REF') return locateByRef(String(args.ref), options);
  return locateActing(String(args.workItem || args.ref), options);
}

/** The instance has no such thing: null, or NOT_FOUND as an instance without members says it. */
function hasNothing(answer: MemberAnswer, request: RootRequest): boolean {
  if (request.plan.route !== 'BY_REF' && request.plan.route !== 'BY_STANDING_NAME') return false;
  return rootValue(answer, request) === null && answer.errors.every(isNotFound);
}

/** With a reason it is not the thing itself that is missing but something of it, such as a past version. */
function isNotFound({ extensions }: MemberErrorEntry): boolean {
  return extensions?.code === 'NOT_FOUND' && extensions.reason === undefined;
}

/** An instance that the client named has nothing: null. The holder has nothing any more: nobody has it. */
function nobodyHasIt({ plan, args, context }: RootRequest): RootOutcome {
  if (args.instance) return { value: null, errors: [] };
  throw nobodyHolds(plan.field.name, String(args.ref ?? args.name), context);
}
