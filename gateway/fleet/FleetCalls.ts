/** The fleet as the readers of root fields see it: one call, a call to all, and what members of another version lack. */
import type { Clock } from '../../lib/Clock.ts';
import { noTracer, type Tracer } from '../../lib/Tracer.ts';
import { isAbsentList } from '../member/a2a/absentLists.ts';
import type { MemberRequest } from '../member/Member.ts';
import { isTooLarge } from '../member/memberFailure.ts';
import { SDL_REQUEST } from '../member/readSdl.ts';
import type { FleetEntry, MemberRegistry } from '../registry/MemberRegistry.ts';
import { buildMemberDocument, type MemberDocument } from '../routing/MemberDocument.ts';
import type { MemberPlan } from '../routing/planRequest.ts';
import { resizePage } from '../routing/resizePage.ts';
import { type CallResult, callMember } from './callMember.ts';
import type { FleetContext, Unreachable } from './FleetContext.ts';
import { type FanOutOptions, type FanOutResult, fanOut, probePatienceMs } from './fanOut.ts';
import type { HolderRequest } from './holders.ts';
import { isRefusedDocument, MemberSchemas, type PrunedDocument } from './MemberSchemas.ts';
import type {
  AskAllOptions,
  AskOptions,
  AskResult,
  FleetAccess,
  PageSize,
  RootRequest,
} from './RootRequest.ts';

/** Hears of what an operator should know (spec/manager.md § 21). */
export interface FleetReporter {
  /** A list read that is not whole. */
  partial(operation: string, leftOut: readonly string[]): void;
  /** An answer that had to be dropped. */
  malformed(instance: string, operation: string, reason: string): void;
}

export interface FleetCallsOptions {
  readonly registry: MemberRegistry;
  readonly clock: Clock;
  /** The configured time of one exchange with a member, in milliseconds; read for every call. */
  readonly timeoutMs: () => number;
  readonly reporter?: FleetReporter;
  /** @default nothing is traced */
  readonly tracer?: Tracer;
}

/** A page, and how many of its rows the member is asked for first. */
interface PageQuestion {
  readonly page: PageSize;
  readonly rows: number;
}

export class FleetCalls implements FleetAccess {
  readonly registry: MemberRegistry;
  readonly #options: FleetCallsOptions;
  readonly #schemas = new MemberSchemas();
  readonly #documents = new JoinedDocuments();

  constructor(options: FleetCallsOptions) {
    this.registry = options.registry;
    this.#options = options;
  }

  async ask(entry: FleetEntry, request: RootRequest, options: AskOptions = {}): Promise<AskResult> {
    const known = this.#schemas.documentFor(entry, request.plan);
    const result = await this.#askKnown(entry, request, { ...options, pruned: known });
    if (entry.isLocal || result.kind === 'failure' || !isRefusedDocument(result.answer)) return result;
    if (!this.#schemas.isWorthAsking(entry)) return result;
    await this.#learn(entry, request.context, options.signal);
    // A refused document was not executed, so asking again, a mutation as well, does nothing twice.
    const learned = this.#schemas.documentFor(entry, request.plan);
    return learned && learned.missing.length > 0
      ? this.#askKnown(entry, request, { ...options, pruned: learned })
      : result;
  }

  /**
   * A query that was refused as a whole, or whose answer is null as a whole, is asked again root field by root field: one
   * of them must not take the others with it.
   */
  async askTogether(entry: FleetEntry, requests: readonly RootRequest[]): Promise<readonly AskResult[]> {
    const [first] = requests;
    const isWhole = requests.every(({ plan }) => !this.#lacks(entry, plan));
    if (first && requests.length > 1 && isWhole) {
      const document = this.#documents.get(requests.map(({ plan }) => plan));
      const result = await this.#askWhole(entry, first, { document });
      if (result.kind === 'failure' || result.answer.data !== null) {
        return requests.map(({ plan }) => ({ ...onlyRoot(result, plan), isPruned: false }));
      }
    }
    return Promise.all(requests.map((request) => this.ask(entry, request)));
  }

  async askAll(
    request: RootRequest,
    { instances, hidden = () => ({}), page }: AskAllOptions = {},
  ): Promise<FanOutResult<AskResult>> {
    const { clock, timeoutMs } = this.#options;
    const startedMs = clock.monotonicMs();
    const { signal } = request.context;
    const all = await this.registry.fleet({ signal, patienceMs: probePatienceMs(timeoutMs()) });
    const entries = all.filter(
      (entry) =>
        (!instances || instances.includes(entry.member.name)) && mayHave(entry, request.plan.field.name),
    );
    const live = entries.filter(({ state }) => state === 'live').length;
    const rows = page?.rowsToAsk?.(live) ?? page?.limit;
    const ask = (entry: FleetEntry, waveSignal: AbortSignal): Promise<AskResult> => {
      const options = { hidden: hidden(entry), signal: waveSignal };
      return page && rows !== undefined
        ? this.#askPage(entry, request, { ...options, page, rows })
        : this.ask(entry, request, options);
    };
    return this.#fanOut(entries, { context: request.context, ask, startedMs });
  }

  askHolders(
    entries: readonly FleetEntry[],
    request: HolderRequest,
    context: FleetContext,
  ): Promise<FanOutResult> {
    // The client's request is not sent to those who are only asked whether they hold its key.
    const asking = { ...context, contacted: new Set<string>() };
    const ask = (entry: FleetEntry, signal: AbortSignal) => this.#askHolder(entry, request, asking, signal);
    return this.#fanOut(entries, { context: asking, ask });
  }

  reportPartial({ plan }: RootRequest, leftOut: readonly Unreachable[]): void {
    this.#options.reporter?.partial(
      plan.field.name,
      leftOut.map(({ instance }) => instance),
    );
  }

  reportMalformed({ member }: FleetEntry, { plan }: RootRequest, reason: string): void {
    this.#options.reporter?.malformed(member.name, plan.field.name, reason);
  }

  /** It is asked whatever is known: only its refusal is as new as the question. */
  async #askHolder(
    entry: FleetEntry,
    request: HolderRequest,
    context: FleetContext,
    signal: AbortSignal,
  ): Promise<CallResult> {
    const result = await this.#call(entry, request, context, signal);
    if (entry.isLocal || result.kind === 'failure' || !isRefusedDocument(result.answer)) return result;
    const lacks = () => this.#schemas.lacksQuery(entry, request.field);
    if (!lacks() && this.#schemas.isWorthAsking(entry)) await this.#learn(entry, context, signal);
    if (!lacks()) return result;
    const message = lackReason(request.field, [`Query.${request.field}`]);
    return {
      kind: 'answer',
      answer: { data: null, errors: [{ message, extensions: { code: 'NOT_SUPPORTED' } }] },
    };
  }

  async #learn(entry: FleetEntry, context: FleetContext, signal: AbortSignal | undefined): Promise<void> {
    const sdl = await this.#call(entry, SDL_REQUEST, context, signal);
    if (sdl.kind === 'answer') this.#schemas.learn(entry, sdl.answer);
  }

  async #askPage(
    entry: FleetEntry,
    request: RootRequest,
    { page: { keep, limit }, rows, ...options }: AskOptions & PageQuestion,
  ): Promise<AskResult> {
    const askFor = async (size: number): Promise<AskResult> => {
      if (size >= limit) return this.ask(entry, request, options);
      const plan = resizePage(request.plan, keep);
      const hidden = { ...options.hidden, [plan.names.pageSize]: size };
      return { ...(await this.ask(entry, { ...request, plan }, { ...options, hidden })), isCut: true };
    };
    let result: AskResult = { ...(await askFor(rows)), isShare: rows < limit };
    for (const size of smallerSizes(rows)) {
      if (!isTooLargeAnswer(result)) break;
      result = await askFor(size);
    }
    return result;
  }

  /** Whether the member is known to lack something of the plan. */
  #lacks(entry: FleetEntry, plan: MemberPlan): boolean {
    return (this.#schemas.documentFor(entry, plan)?.missing.length ?? 0) > 0;
  }

  #fanOut<Result extends CallResult>(
    entries: readonly FleetEntry[],
    options: Pick<FanOutOptions<Result>, 'ask' | 'context' | 'startedMs'>,
  ): Promise<FanOutResult<Result>> {
    const { clock, timeoutMs, tracer = noTracer } = this.#options;
    const attributes = { 'flotilla.fleet.members': entries.length };
    return tracer.span('fleet.fanOut', { attributes }, async (span) => {
      const result = await fanOut(entries, { ...options, clock, timeoutMs: timeoutMs() });
      if (result.leftOut.length > 0) {
        span.set({ 'flotilla.fleet.leftOut': result.leftOut.map(({ instance }) => instance) });
      }
      return result;
    });
  }

  /** Asks for what the member is known to have: the whole document while nothing is known. */
  async #askKnown(
    entry: FleetEntry,
    request: RootRequest,
    { pruned, ...options }: AskOptions & { readonly pruned: PrunedDocument | undefined },
  ): Promise<AskResult> {
    if (!pruned) {
      const result = await this.#askWhole(entry, request, { ...options, document: request.plan.request });
      return { ...result, isPruned: false };
    }
    const { member } = entry;
    const { warnings } = request.context;
    for (const coordinate of pruned.missing) {
      const warning = `${member.name} does not have ${coordinate}`;
      if (!warnings.includes(warning)) warnings.push(warning);
    }
    if (!pruned.request) {
      const reason = lackReason(request.plan.field.name, pruned.missing);
      return { kind: 'failure', failure: { kind: 'notSupported', reason }, isPruned: true };
    }
    const result = await this.#askWhole(entry, request, { ...options, document: pruned.request });
    return { ...result, isPruned: pruned.missing.length > 0 };
  }

  #askWhole(
    entry: FleetEntry,
    { variables, context }: RootRequest,
    { document, hidden, signal }: AskOptions & { readonly document: MemberDocument },
  ): Promise<CallResult> {
    const used: Record<string, unknown> = { ...hidden };
    for (const name of document.variables) {
      if (Object.hasOwn(variables, name)) used[name] = variables[name];
    }
    const { name: operationName, text, document: node } = document;
    return this.#call(entry, { text, document: node, operationName, variables: used }, context, signal);
  }

  #call(
    entry: FleetEntry,
    request: MemberRequest,
    context: FleetContext,
    signal: AbortSignal | undefined,
  ): Promise<CallResult> {
    const { registry, clock, timeoutMs } = this.#options;
    return callMember(entry, request, { registry, clock, context, timeoutMs: timeoutMs(), signal });
  }
}

/** Whether the list may have rows of the instance: of one that cannot have any nobody misses them when it is down. */
function mayHave({ kind }: FleetEntry, list: string): boolean {
  return kind !== 'a2a' || !isAbsentList(list);
}

/**
 * The numbers of rows that a member is asked for whose answer was too large. Each such answer has cost up to the bound of
 * one (spec/manager.md § 6), so there are few of them, whatever the size of the page, and the last one is a single row.
 */
function smallerSizes(rows: number): readonly number[] {
  const sizes = [rows >> 3, rows >> 6, 1].filter((size) => size > 0 && size < rows);
  return [...new Set(sizes)];
}

function isTooLargeAnswer(result: CallResult): boolean {
  return result.kind === 'failure' && isTooLarge(result.failure);
}

/** The operation by its name, and what of the graph the member lacks for it. */
function lackReason(operation: string, missing: readonly string[]): string {
  return `Cannot do ${operation}: it does not have ${missing.join(', ')}`;
}

/** The part of a shared answer that belongs to one root field. */
function onlyRoot(result: CallResult, { field }: MemberPlan): CallResult {
  if (result.kind === 'failure') return result;
  const { data, errors } = result.answer;
  return {
    kind: 'answer',
    answer: { data, errors: errors.filter(({ path }) => !path || path[0] === field.key) },
  };
}

/** Documents of root fields of one plan that are asked together; they live as long as the plan. */
class JoinedDocuments {
  readonly #byFirst = new WeakMap<MemberPlan, Map<string, MemberDocument>>();

  get(plans: readonly MemberPlan[]): MemberDocument {
    const [first, ...others] = plans as [MemberPlan, ...MemberPlan[]];
    const documents = this.#byFirst.get(first) ?? new Map<string, MemberDocument>();
    this.#byFirst.set(first, documents);
    const key = others.map(({ field }) => field.key).join();
    const document =
      documents.get(key) ?? buildMemberDocument(first.source, ...others.map(({ source }) => source));
    documents.set(key, document);
    return document;
  }
}
