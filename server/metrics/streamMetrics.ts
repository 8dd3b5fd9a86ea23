/** What is measured of the live streams: who listens, who is behind, what had to be caught up. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { FleetStreamObserver, StreamStats } from '../../gateway/index.ts';

/** Subscribers of one face. */
export interface SubscriberClass {
  readonly name: 'graphql' | 'sse' | 'a2a';
  /** Who listens now. */
  readonly count: () => number;
  /** Values that were handed over and that the readers' connections have not taken yet. */
  readonly queued: () => number;
}

/** The values of `reason`; whatever else a member says is `other`. */
const DESYNC_REASONS: ReadonlySet<string> = new Set([
  'bad-cursor',
  'joined',
  'member',
  'queue-overflow',
  'replay-window',
  'rotated',
  'truncated',
]);

export interface StreamMetrics {
  readonly observer: FleetStreamObserver;
  watchSubscribers(classes: readonly SubscriberClass[]): void;
  /** Of a manager's fan-in. */
  watchFleet(stats: () => StreamStats): void;
}

export function createStreamMetrics(registers: Registry[]): StreamMetrics {
  const desyncs = new Counter({
    name: 'flotilla_stream_desyncs_total',
    help: 'Desyncs that were told to subscribers of the fan-in, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const catchUps = new Counter({
    name: 'flotilla_stream_catchup_reads_total',
    help: 'Pages of members’ logs that were read for subscribers which had fallen behind.',
    registers,
  });
  return {
    observer: {
      desync: (reason) => desyncs.inc({ reason: DESYNC_REASONS.has(reason) ? reason : 'other' }),
      catchUp: () => catchUps.inc(),
    },
    watchSubscribers(classes) {
      const gauge = (name: string, help: string, read: (subscribers: SubscriberClass) => number): void => {
        new Gauge({
          name,
          help,
          labelNames: ['class'],
          registers,
          collect() {
            for (const subscribers of classes) this.set({ class: subscribers.name }, read(subscribers));
          },
        });
      };
      gauge('flotilla_subscribers', 'Open subscriptions, by face.', ({ count }) => count());
      gauge(
        'flotilla_subscriber_queue_depth',
        'Values that wait for the connections of their subscribers; at most one for each.',
        ({ queued }) => queued(),
      );
    },
    watchFleet(stats) {
      const perMember = (
        name: string,
        help: string,
        read: (member: StreamStats['members'][number]) => number,
      ): void => {
        new Gauge({
          name,
          help,
          labelNames: ['member'],
          registers,
          collect() {
            this.reset();
            for (const member of stats().members) this.set({ member: member.name }, read(member));
          },
        });
      };
      perMember(
        'flotilla_member_stream_up',
        '1 while the upstream of a member is connected or connecting, else 0.',
        ({ isOpen }) => (isOpen ? 1 : 0),
      );
      perMember(
        'flotilla_member_stream_lag_events',
        'Events of a member that its slowest subscriber has not been given yet.',
        ({ lagEvents }) => lagEvents,
      );
      perMember(
        'flotilla_member_stream_lag_seconds',
        'Between the newest event of a member and its arrival here, by the clocks of both.',
        ({ lagSeconds }) => lagSeconds,
      );
    },
  };
}
