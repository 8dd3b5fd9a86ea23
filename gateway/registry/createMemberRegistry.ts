/**
 * The registry of a manager: the members of its configuration, and what their newest probes found (spec/manager.md §§ 4–5).
 *
 * The configuration is read again with every use, so that a registration needs neither a signal nor a restart. Nothing is
 * kept but the findings: a member that left the configuration is closed and forgotten.
 */
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import { createRedactor, type Redactor } from '../../lib/redact.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';
import { untilAborted } from '../../lib/untilAborted.ts';
import { waitAtMost } from '../../lib/waitAtMost.ts';
import type { NewEvent, Worker, WorkerIdentity } from '../../subgraph/index.ts';
import { createLocalMember } from '../member/LocalMember.ts';
import type { Member, MemberCallOptions, MemberLogRange, MemberResult } from '../member/Member.ts';
import { maskAnswer } from '../member/maskAnswer.ts';
import { MemberProbe } from './MemberProbe.ts';
import type { FleetEntry, FleetReadOptions, MemberKind, MemberRegistry } from './MemberRegistry.ts';
import { ProbeLanes } from './ProbeLanes.ts';
import { malformedEvent } from './probeStep.ts';
import { SdlTexts } from './SdlTexts.ts';
import { Wakers } from './Wakers.ts';

/**
 * How long those who want a new finding of a member that its last probe found down wait for it, in milliseconds from the
 * moment on which it is probed again: one that is back answers at once. Readers that want no new one do not wait for it.
 */
const DOWN_PATIENCE_MS = 500;

/** A row of `instance.manager.instances`. */
export interface RegisteredInstance {
  readonly name: string;
  readonly url: string;
  /** Name of the environment variable that holds the member's bearer token. */
  readonly tokenEnv?: string;
  /** What answers there. @default 'worker' */
  readonly kind?: MemberKind;
  /** As whom an A2A agent is asked. @default 'operator' */
  readonly participant?: string;
}

/** A member that the registry closes when it leaves; one that holds nothing needs no dispose. */
export type OwnedMember = Member & Partial<AsyncDisposable>;

export interface MemberRegistryOptions {
  readonly worker: Pick<Worker, 'schema' | 'log' | 'identity' | 'config'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The name at start; later ones come with the configuration. */
  readonly ownName: string;
  /** The own base address, shown in the own row; asked for only once the instance listens. */
  readonly ownUrl: string | (() => string);
  /** Called once for each entry that is registered, and again when one is changed. Opens nothing. */
  readonly createMember: (instance: RegisteredInstance) => OwnedMember;
  /** The own half. @default a `LocalMember` of the worker */
  readonly local?: Member;
  /** For the words of a member in its rows and events. @default what looks like a credential is masked */
  readonly redact?: Redactor | undefined;
}

/** Begins to probe at once, in the background, so that the first request need not wait for what is down. */
export function createMemberRegistry(options: MemberRegistryOptions): MemberRegistry {
  return new ProbingRegistry(options);
}

interface Registration {
  readonly probe: MemberProbe;
  readonly owned: OwnedMember;
}

class ProbingRegistry implements MemberRegistry {
  readonly #options: MemberRegistryOptions;
  readonly #local: Member;
  readonly #redact: Redactor;
  readonly #lanes: ProbeLanes;
  readonly #texts = new SdlTexts();
  readonly #wakers = new Wakers();
  readonly #closed = new AbortController();
  #ownName: string;
  #configured: readonly RegisteredInstance[] = [];
  /** By what is registered, in the order of the configuration. */
  #registrations = new Map<string, Registration>();
  #ownIdentity: { readonly of: readonly unknown[]; readonly identity: WorkerIdentity } | undefined;

  constructor(options: MemberRegistryOptions) {
    const { ownName, worker, logger, redact = createRedactor() } = options;
    this.#ownName = ownName;
    this.#options = options;
    this.#redact = redact;
    this.#lanes = new ProbeLanes(options.clock, () => this.#registrations.size);
    this.#local = options.local ?? createLocalMember({ name: () => this.#ownName, worker, logger });
    for (const { probe } of this.#registered()) this.#probeInBackground(probe);
  }

  get ownName(): string {
    return this.#ownName;
  }

  async fleet(options: FleetReadOptions): Promise<readonly FleetEntry[]> {
    const { signal } = options;
    const probes = this.#registered().map(({ probe }) => probe);
    // Asked for once: each time it is a look at the configuration file.
    const intervalMs = this.#intervalMs();
    const stale = probes.filter((probe) => !probe.isFresh(intervalMs) && (probe.isOutdated || !probe.isDown));
    const unknown = await this.#await(stale, options);
    await untilAborted(this.#readOwnIdentity(), signal);
    for (const probe of probes) if (probe.isDue(intervalMs)) this.#probeInBackground(probe);
    const members = probes.map((probe) =>
      unknown.has(probe) && !probe.isDown ? probe.toUnknownEntry() : probe.toEntry(),
    );
    return [this.#ownEntry(), ...members.filter((entry) => entry !== undefined)];
  }

  snapshot(): readonly FleetEntry[] {
    const members = this.#registered().map(({ probe }) => probe.toEntry());
    return [this.#ownEntry(), ...members.filter((entry) => entry !== undefined)];
  }

  async refresh({ signal }: { readonly signal: AbortSignal }): Promise<readonly FleetEntry[]> {
    const probes = this.#registered().map(({ probe }) => probe);
    for (const probe of probes) probe.expire();
    this.#ownIdentity = undefined;
    await this.#await(probes, { signal });
    await untilAborted(this.#readOwnIdentity(), signal);
    return this.snapshot();
  }

  reportFailure(name: string, reason: string): void {
    this.#find(name)?.reportFailure(reason);
  }

  expire(name: string): void {
    if (name === this.ownName) this.#ownIdentity = undefined;
    this.#find(name)?.expire();
  }

  changes(signal: AbortSignal): AsyncIterable<void> {
    return this.#wakers.add(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new DOMException('The registry is closed', 'AbortError'));
    this.#wakers.end();
    const registrations = [...this.#registrations.values()];
    this.#registrations.clear();
    await Promise.all(registrations.map((registration) => this.#close(registration)));
  }

  get #settings() {
    return this.#options.worker.config.current().instance.manager;
  }

  #intervalMs(): number {
    return this.#settings.probeIntervalSeconds * 1000;
  }

  /** What is registered now, under the own name of now. Members that joined are created, members that left are closed. */
  #registered(): readonly Registration[] {
    const { name, manager } = this.#options.worker.config.current().instance;
    const { instances } = manager;
    const isUnchanged = instances === this.#configured && name === this.#ownName;
    if (isUnchanged || this.#closed.signal.aborted) return [...this.#registrations.values()];
    this.#ownName = name;
    this.#configured = instances;
    const before = this.#registrations;
    this.#registrations = new Map(
      instances.map((instance) => {
        const key = keyOf(instance);
        return [key, before.get(key) ?? this.#register(instance)];
      }),
    );
    const left = [...before].filter(([key]) => !this.#registrations.has(key));
    for (const [, registration] of left) void this.#close(registration);
    this.#wakers.wake();
    return [...this.#registrations.values()];
  }

  #register(instance: RegisteredInstance): Registration {
    const { clock, createMember } = this.#options;
    const owned = createMember(instance);
    const probe: MemberProbe = new MemberProbe({
      member: this.#guarded(owned),
      url: instance.url,
      kind: instance.kind,
      clock,
      lanes: this.#lanes,
      texts: this.#texts,
      redact: this.#redact,
      timeoutMs: () => this.#settings.timeoutSeconds * 1000,
      intervalMs: () => this.#intervalMs(),
      onDue: () => this.#probeInBackground(probe),
      signal: this.#closed.signal,
      onStep: (events, hasChanged) => {
        // A probe may end after its member has left: nobody wants to hear of it.
        if (this.#registrations.get(keyOf(instance))?.probe !== probe) return;
        this.#log(events);
        if (hasChanged) this.#wakers.wake();
      },
    });
    return { probe, owned };
  }

  /** Every dropped answer is told once, here, whoever called (spec/manager.md § 6), and no word of a member goes on unmasked. */
  #guarded(member: Member): Member {
    const reported = <Answer>(operation: string, result: MemberResult<Answer>): MemberResult<Answer> => {
      if (result.kind === 'failure' && result.failure.kind === 'malformed') {
        this.#log([malformedEvent(member.name, operation, result.failure.reason)]);
      }
      return result;
    };
    return {
      name: member.name,
      identify: (call) => member.identify(call),
      watch: (options) => member.watch(options),
      execute: async (request, call) =>
        reported(
          request.operationName ?? 'execute',
          maskAnswer(await member.execute(request, call), this.#redact),
        ),
      // A member may come to speak in another way.
      get readLog() {
        const { readLog } = member;
        return (
          readLog &&
          (async (range: MemberLogRange, call: MemberCallOptions) =>
            reported('ReadEvents', await readLog(range, call)))
        );
      },
      get tellsTranscripts() {
        return member.tellsTranscripts ?? false;
      },
    };
  }

  #log(events: readonly NewEvent[]): void {
    if (events.length === 0 || this.#closed.signal.aborted) return;
    const { worker, logger } = this.#options;
    tryToWrite(() => worker.log.append(events), logger);
  }

  /** Probes them, and tells which of the probes have not ended when the patience has. */
  async #await(
    probes: readonly MemberProbe[],
    { signal, isHasty = false, patienceMs }: FleetReadOptions,
  ): Promise<ReadonlySet<MemberProbe>> {
    const pending = new Set(probes);
    const patient: Promise<void>[] = [];
    const brief: Promise<void>[] = [];
    for (const probe of probes) {
      const isLate = probe.isDown && probe.waitedMs >= DOWN_PATIENCE_MS;
      const probed = this.#probeShared(probe).then(() => void pending.delete(probe));
      if (!isLate) (isHasty || probe.isDown ? brief : patient).push(probed);
    }
    const waits = [this.#atMost(patienceMs, patient), this.#atMost(DOWN_PATIENCE_MS, brief)];
    await untilAborted(Promise.all(waits), signal);
    return pending;
  }

  async #atMost(patienceMs: number | undefined, waits: readonly Promise<void>[]): Promise<void> {
    if (waits.length === 0) return;
    const ended = Promise.all(waits);
    if (patienceMs === undefined) await ended;
    else await waitAtMost(this.#options.clock, patienceMs, ended);
  }

  #probeInBackground(probe: MemberProbe): void {
    void this.#probeShared(probe);
  }

  /** Never rejects: a member whose adapter is broken must not take the others' answers with it. */
  async #probeShared(probe: MemberProbe): Promise<void> {
    try {
      await probe.probe();
    } catch (error) {
      this.#options.logger.error({ err: error, instance: probe.member.name }, 'A probe failed by a defect');
      probe.reportFailure('the probe failed');
    }
  }

  #find(name: string): MemberProbe | undefined {
    return this.#registered().find(({ probe }) => probe.member.name === name)?.probe;
  }

  #ownEntry(): FleetEntry {
    const { clock, ownUrl } = this.#options;
    const own = this.#ownIdentity?.identity;
    return {
      member: this.#local,
      isLocal: true,
      url: typeof ownUrl === 'string' ? ownUrl : ownUrl(),
      state: 'live',
      detail: '',
      version: own?.version ?? '',
      probedAtMs: clock.nowMs(),
      identity: own && {
        name: this.ownName,
        role: 'manager',
        mode: own.scope.mode,
        managed: own.managed,
        sessionCount: own.sessionCount,
      },
    };
  }

  /** Whatever changes the identity is an event of the log or an edit of the configuration: while neither came, the last one holds. */
  async #readOwnIdentity(): Promise<void> {
    const { worker } = this.#options;
    const of = [worker.log.end(), worker.config.current()];
    if (this.#ownIdentity && of.every((value, index) => value === this.#ownIdentity?.of[index])) return;
    this.#ownIdentity = { of, identity: await worker.identity() };
  }

  async #close({ probe, owned: member }: Registration): Promise<void> {
    probe[Symbol.dispose]();
    try {
      await member[Symbol.asyncDispose]?.();
    } catch (error) {
      this.#options.logger.warn({ err: error, instance: member.name }, 'A member could not be closed');
    }
  }
}

function keyOf({ name, url, tokenEnv, kind, participant }: RegisteredInstance): string {
  return JSON.stringify([name, url, tokenEnv, kind, participant]);
}
