/** What is measured of the process, under the names that dashboards for Node know. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

const RESOLUTION_MS = 10;

/** Disposing stops the sampling of the event loop. */
export function createProcessMetrics(registers: Registry[]): Disposable {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();

  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.reset();
        else this.set(value);
      },
    });
  };

  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system time of the processors, in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const startedAt = Math.round(performance.timeOrigin / 1000);
  gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Open file descriptors; absent where the platform does not tell.', openFiles);
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Heap that is held.', () => process.memoryUsage().heapTotal);
  gauge(
    'nodejs_external_memory_bytes',
    'Memory of buffers and native objects.',
    () => process.memoryUsage().external,
  );
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Delay of the event loop since the last scrape, by quantile; 1 is the longest.',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const quantile of [0.5, 0.9, 0.99, 1]) {
        // Before the first sample there is none to tell.
        const nanoseconds = loop.count === 0 ? 0 : loop.percentile(quantile * 100);
        this.set({ quantile: String(quantile) }, nanoseconds / 1e9);
      }
      loop.reset();
    },
  });
  return { [Symbol.dispose]: () => void loop.disable() };
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
