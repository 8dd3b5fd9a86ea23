/** One registered member and what is known of it: freshness, single-flight, transitions (spec/manager.md §§ 5.3–5.4). */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { NewEvent } from '../../subgraph/index.ts';
import type { IdentityAnswer, Member, MemberResult } from '../member/Member.ts';
import type { FleetEntry, MemberKind, MemberSchema } from './MemberRegistry.ts';
import type { ProbeLane, ProbeLanes } from './ProbeLanes.ts';
import { failureStep, type MemberCondition, type ProbeStep, probeStep } from './probeStep.ts';
import { SchemaProbe } from './SchemaProbe.ts';
import type { SdlTexts } from './SdlTexts.ts';

/** Of the freshness interval: past it a live finding is renewed in the background while requests keep coming. */
const PROBE_AHEAD = 2 / 3;

export interface MemberProbeOptions {
  readonly member: Member;
  readonly url: string;
  /** @default 'worker' */
  readonly kind?: MemberKind | undefined;
  readonly clock: Clock;
  readonly lanes: ProbeLanes;
  /** Of the whole fleet. */
  readonly texts: SdlTexts;
  /** For what the member says, before a row or an event repeats it. */
  readonly redact: Redactor;
  /** In milliseconds, asked for with every probe. */
  readonly timeoutMs: () => number;
  /** How long a finding is fresh, in milliseconds. */
  readonly intervalMs: () => number;
  /** Ends probes on the way. */
  readonly signal: AbortSignal;
  /** Called when it is time to look again after a member that is down. */
  readonly onDue: () => void;
  /** Events to log; `hasChanged` when the state is another one. */
  readonly onStep: (events: readonly NewEvent[], hasChanged: boolean) => void;
}

interface Finding {
  readonly condition: MemberCondition;
  /** Of the clock's monotonic time; freshness counts from here. */
  readonly atMs: number;
  /** Epoch milliseconds. */
  readonly probedAtMs: number;
  /** The demand that the probe met. */
  readonly demand: number;
  readonly schema: MemberSchema | undefined;
}

export class MemberProbe implements Disposable {
  readonly member: Member;
  readonly url: string;
  readonly #options: MemberProbeOptions;
  readonly #schema: SchemaProbe;
  #finding: Finding | undefined;
  #running: Promise<void> | undefined;
  /** Of the clock's monotonic time: when the probe on the way was asked for. */
  #askedAtMs = 0;
  /** Counts how often the finding was declared outdated: a probe that began before does not meet it. */
  #demand = 0;
  #renewal: Disposable | undefined;
  #isDisposed = false;

  constructor(options: MemberProbeOptions) {
    this.member = options.member;
    this.url = options.url;
    this.#options = options;
    this.#schema = new SchemaProbe(options.texts);
  }

  /** Found not live by its newest probe. */
  get isDown(): boolean {
    return this.#finding !== undefined && this.#finding.condition.state !== 'live';
  }

  /** A finding from before is asked to be another one, whatever its age. */
  get isOutdated(): boolean {
    return this.#finding?.demand !== this.#demand;
  }

  /** Whether the newest finding is younger than the interval, which is that of `MemberProbeOptions`, and still in demand. */
  isFresh(intervalMs: number): boolean {
    return this.#isYoungerThan(intervalMs);
  }

  /** Whether the finding that somebody uses is to be renewed in the background, so that the next one need not wait. */
  isDue(intervalMs: number): boolean {
    return !this.#isYoungerThan(intervalMs * (this.isDown ? 1 : PROBE_AHEAD));
  }

  /** No finding from before this call will do. */
  expire(): void {
    this.#demand += 1;
  }

  /** The probe on the way, if it is new enough, or else a new one; callers share it. Rejects only when the adapter throws. */
  async probe(): Promise<void> {
    const demand = this.#demand;
    // The one on the way may have asked before the demand: then one more, shared by all who wait for it.
    do {
      this.#running ??= this.#begin();
      await this.#running;
    } while (!this.#options.signal.aborted && (this.#finding?.demand ?? -1) < demand);
  }

  /** How long those who wait for the probe on the way have waited, in milliseconds; 0 when there is none. */
  get waitedMs(): number {
    return this.#running ? this.#options.clock.monotonicMs() - this.#askedAtMs : 0;
  }

  reportFailure(reason: string): void {
    const { name } = this.member;
    this.#record(failureStep(name, this.#finding?.condition.state, reason), { demand: this.#demand });
  }

  /** Nothing is due any more. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#renewal?.[Symbol.dispose]();
  }

  /** Undefined before the first probe. */
  toEntry(): FleetEntry | undefined {
    if (!this.#finding) return undefined;
    const { condition, probedAtMs, schema } = this.#finding;
    const isLive = condition.state === 'live';
    return {
      member: this.member,
      isLocal: false,
      kind: this.#options.kind,
      url: this.url,
      state: condition.state,
      detail: isLive ? '' : condition.detail,
      version: isLive ? condition.version : '',
      probedAtMs,
      identity: isLive ? condition.identity : undefined,
      schema,
    };
  }

  /** For a reader that does not wait for the probe on the way, whatever the one before has found. */
  toUnknownEntry(): FleetEntry {
    return {
      member: this.member,
      isLocal: false,
      kind: this.#options.kind,
      url: this.url,
      state: 'unreachable',
      detail: 'its probe has not ended',
      version: '',
      probedAtMs: this.#finding?.probedAtMs ?? this.#options.clock.nowMs(),
      identity: undefined,
    };
  }

  #begin(): Promise<void> {
    this.#askedAtMs = this.#options.clock.monotonicMs();
    return this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    const { member, clock, lanes, redact, timeoutMs, signal } = this.#options;
    const lane: ProbeLane = this.isDown ? 'background' : 'awaited';
    await lanes.run(lane, async () => {
      if (signal.aborted) return;
      const demand = this.#demand;
      using deadline = new Deadline(clock, timeoutMs(), signal);
      const result = masked(await member.identify({ signal: deadline.signal }), redact);
      const { condition } = probeStep(member.name, undefined, result);
      const schema =
        condition.state === 'live'
          ? await this.#schema.learn(member, {
              identity: condition.identity,
              wasLive: this.#finding?.condition.state === 'live',
              signal: deadline.signal,
            })
          : undefined;
      if (signal.aborted) return;
      // The state may have become another one meanwhile, by a call that failed.
      this.#record(probeStep(member.name, this.#finding?.condition.state, result), { demand, schema });
    });
  }

  #record(
    { condition, events }: ProbeStep,
    { demand, schema }: { readonly demand: number; readonly schema?: MemberSchema | undefined },
  ): void {
    const { clock, onStep } = this.#options;
    const hasChanged = condition.state !== this.#finding?.condition.state;
    this.#finding = { condition, atMs: clock.monotonicMs(), probedAtMs: clock.nowMs(), demand, schema };
    this.#scheduleRenewal();
    onStep(events, hasChanged);
  }

  /** A member that is down is looked after whether anybody asks for it or not, so that it is live within an interval once it is back. */
  #scheduleRenewal(): void {
    const { clock, intervalMs, onDue } = this.#options;
    this.#renewal?.[Symbol.dispose]();
    this.#renewal = undefined;
    if (this.isDown && !this.#isDisposed) this.#renewal = clock.schedule(intervalMs(), onDue);
  }

  #isYoungerThan(ageMs: number): boolean {
    const { clock } = this.#options;
    return (
      this.#finding !== undefined && !this.isOutdated && clock.monotonicMs() - this.#finding.atMs < ageMs
    );
  }
}

/** What a member may say in words of its own. */
function masked(result: MemberResult<IdentityAnswer>, redact: Redactor): MemberResult<IdentityAnswer> {
  if (result.kind === 'failure') return result;
  const { answer } = result;
  switch (answer.kind) {
    case 'status':
      return { ...result, answer: { ...answer, detail: redact(answer.detail) } };
    case 'document':
      return { ...result, answer: { ...answer, version: redact(answer.version) } };
    case 'refused':
      return { ...result, answer: { ...answer, reason: redact(answer.reason) } };
    case 'malformed':
      return result;
  }
}
