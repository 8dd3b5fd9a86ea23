/**
 * What an instance measures of itself, for Prometheus: one registry per instance, never the global one.
 *
 * Every label has few values: members that are registered, templates of paths, states, codes and reasons of closed sets. No ref, no
 * id, no text of a client.
 */
import { Registry } from 'prom-client';
import type { FleetStreamObserver, Manager, MemberObserver } from '../../gateway/index.ts';
import type { Worker } from '../../subgraph/index.ts';
import type { AnsweredRequest } from '../http/observeRequests.ts';
import { createMemberMetrics } from './memberMetrics.ts';
import { memberStates } from './memberStates.ts';
import { createProcessMetrics } from './processMetrics.ts';
import { createRequestMetrics } from './requestMetrics.ts';
import { createStreamMetrics, type SubscriberClass } from './streamMetrics.ts';
import { createWorkerMetrics } from './workerMetrics.ts';

export interface Metrics extends Disposable {
  readonly observeRequest: (request: AnsweredRequest) => void;
  readonly observeMember: MemberObserver;
  readonly streamObserver: FleetStreamObserver;
  /** What there is to be read at each scrape; once per instance. */
  watch(sources: MetricsSources): void;
  /** The text format of Prometheus, version 0.0.4. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface MetricsSources {
  readonly worker: Worker;
  /** Present on a manager. */
  readonly manager?: Manager | undefined;
  readonly subscribers: readonly SubscriberClass[];
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const observeRequest = createRequestMetrics(registers);
  const members = createMemberMetrics(registers);
  const streams = createStreamMetrics(registers);
  const processMetrics = createProcessMetrics(registers);
  return {
    observeRequest,
    observeMember: members.observe,
    streamObserver: streams.observer,
    watch({ worker, manager, subscribers }) {
      createWorkerMetrics(registers, worker);
      streams.watchSubscribers(subscribers);
      if (!manager) return;
      members.watch(() => memberStates(worker, manager));
      streams.watchFleet(() => manager.streamStats());
    },
    async render() {
      members.prune();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    [Symbol.dispose]: () => processMetrics[Symbol.dispose](),
  };
}
