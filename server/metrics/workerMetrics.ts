/** What is measured of the worker half: tasks, effects, commits, the event log. Read when somebody asks. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Worker } from '../../subgraph/index.ts';

/** An engine that tells nothing has no series. */
export function createWorkerMetrics(
  registers: Registry[],
  { engine, log, canStore }: Pick<Worker, 'engine' | 'log' | 'canStore'>,
): void {
  new Gauge({
    name: 'flotilla_event_log_end_offset',
    help: 'Offset of the newest event in the log; 0 before the first.',
    registers,
    collect() {
      this.set(log.end());
    },
  });
  new Gauge({
    name: 'flotilla_state_writable',
    help: '1 while the state file can be written, else 0.',
    registers,
    collect() {
      this.set(canStore() ? 1 : 0);
    },
  });
  const stats = engine.stats?.bind(engine);
  if (!stats) return;
  new Gauge({
    name: 'flotilla_tasks',
    help: 'Tasks that are kept, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const [state, count] of Object.entries(stats().tasks)) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'flotilla_effects',
    help: 'Effects without an outcome: running, and waiting for a place.',
    labelNames: ['phase'],
    registers,
    collect() {
      const { running, waiting } = stats().effects;
      this.set({ phase: 'running' }, running);
      this.set({ phase: 'waiting' }, waiting);
    },
  });
  new Counter({
    name: 'flotilla_commits_total',
    help: 'Transactions that took in inputs of tasks, since the start.',
    registers,
    collect() {
      this.reset();
      this.inc(stats().commits);
    },
  });
}
