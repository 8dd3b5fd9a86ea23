/** One registered member and what is known of it: freshness, single-flight, transitions (spec/manager.md §§ 5.3–5.4). */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import type { NewEvent } from '../../subgraph/index.ts';
import type { Member } from '../member/Member.ts';
import type { FleetEntry } from './MemberRegistry.ts';
import type { ProbeLane, ProbeLanes } from './ProbeLanes.ts';
import { failureStep, type MemberCondition, type ProbeStep, probeStep } from './probeStep.ts';

export interface MemberProbeOptions {
  readonly member: Member;
  readonly url: string;
  readonly clock: Clock;
  readonly lanes: ProbeLanes;
  /** In milliseconds, asked for with every probe. */
  readonly timeoutMs: () => number;
  /** Ends probes on the way. */
  readonly signal: AbortSignal;
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
}

export class MemberProbe {
  readonly member: Member;
  readonly url: string;
  readonly #options: MemberProbeOptions;
  #finding: Finding | undefined;
  #running: Promise<void> | undefined;
  /** Of the clock's monotonic time: when the probe on the way was asked for. */
  #askedAtMs = 0;
  /** Counts how often the finding was declared outdated: a probe that began before does not meet it. */
  #demand = 0;

  constructor(options: MemberProbeOptions) {
    this.member = options.member;
    this.url = options.url;
    this.#options = options;
  }

  /** Found not live by its newest probe: nobody waits long for it. */
  get isDown(): boolean {
    return this.#finding !== undefined && this.#finding.condition.state !== 'live';
  }

  /** Whether the newest finding is younger than `maxAgeMs` and still in demand. */
  isFresh(maxAgeMs: number): boolean {
    if (!this.#finding || this.#finding.demand !== this.#demand) return false;
    return this.#options.clock.monotonicMs() - this.#finding.atMs < maxAgeMs;
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
    this.#record(failureStep(name, this.#finding?.condition.state, reason), this.#demand);
  }

  /** Undefined before the first probe. */
  toEntry(): FleetEntry | undefined {
    if (!this.#finding) return undefined;
    const { condition, probedAtMs } = this.#finding;
    const isLive = condition.state === 'live';
    return {
      member: this.member,
      isLocal: false,
      url: this.url,
      state: condition.state,
      detail: isLive ? '' : condition.detail,
      version: isLive ? condition.version : '',
      probedAtMs,
      identity: isLive ? condition.identity : undefined,
    };
  }

  /** For a reader that does not wait for the probe on the way, whatever the one before has found. */
  toUnknownEntry(): FleetEntry {
    return {
      member: this.member,
      isLocal: false,
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
    const { member, clock, lanes, timeoutMs, signal } = this.#options;
    const lane: ProbeLane = this.isDown ? 'background' : 'awaited';
    await lanes.run(lane, async () => {
      if (signal.aborted) return;
      const demand = this.#demand;
      using deadline = new Deadline(clock, timeoutMs(), signal);
      const result = await member.identify({ signal: deadline.signal });
      if (!signal.aborted)
        this.#record(probeStep(member.name, this.#finding?.condition.state, result), demand);
    });
  }

  #record({ condition, events }: ProbeStep, demand: number): void {
    const { clock, onStep } = this.#options;
    const hasChanged = condition.state !== this.#finding?.condition.state;
    this.#finding = { condition, atMs: clock.monotonicMs(), probedAtMs: clock.nowMs(), demand };
    onStep(events, hasChanged);
  }
}
