/** What is measured of members: their calls, their probes, and how they are. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MemberObserver } from '../../gateway/index.ts';
import { MemberSeries } from './MemberSeries.ts';
import type { MemberStates } from './memberStates.ts';

/** In seconds: a local answer takes a millisecond, the longest call a minute. */
export const LATENCY_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

const STATES = ['live', 'unreachable', 'mismatched', 'unprobed'] as const;

export interface MemberMetrics {
  readonly observe: MemberObserver;
  /** Tells the states of these members, and from now on drops the series of those that have left. */
  watch(states: () => MemberStates): void;
  /** To be called before the series are read. */
  prune(): void;
}

export function createMemberMetrics(registers: Registry[]): MemberMetrics {
  const duration = new Histogram({
    name: 'flotilla_member_request_duration_seconds',
    help: 'Time of one call to a member, by its outcome.',
    labelNames: ['member', 'outcome'],
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const errors = new Counter({
    name: 'flotilla_member_errors_total',
    help: 'Errors of members, by code: of failed calls, and in answers.',
    labelNames: ['member', 'code'],
    registers,
  });
  const probes = new Counter({
    name: 'flotilla_member_probes_total',
    help: 'Identity probes of members, by outcome.',
    labelNames: ['member', 'outcome'],
    registers,
  });
  const series = {
    duration: new MemberSeries(duration),
    errors: new MemberSeries(errors),
    probes: new MemberSeries(probes),
  };
  let states: (() => MemberStates) | undefined;
  return {
    observe({ member, call, outcome, durationMs, codes }) {
      if (call === 'identify') {
        series.probes.add({ member, outcome });
        probes.inc({ member, outcome });
        return;
      }
      series.duration.add({ member, outcome });
      duration.observe({ member, outcome }, durationMs / 1000);
      for (const code of codes) {
        series.errors.add({ member, code });
        errors.inc({ member, code });
      }
    },
    watch(current) {
      states = current;
      new Gauge({
        name: 'flotilla_member_state',
        help: '1 for the state that the newest probe of a member has found, 0 for the others.',
        labelNames: ['member', 'state'],
        registers,
        collect() {
          this.reset();
          for (const [member, found = 'unprobed'] of current()) {
            for (const state of STATES) this.set({ member, state }, state === found ? 1 : 0);
          }
        },
      });
    },
    prune() {
      if (!states) return;
      const members = new Set(states().keys());
      for (const metric of Object.values(series)) metric.retain(members);
    },
  };
}
