/**
 * Our manager beside the Python service's own, over the same workers of that service, in one run: list read and keyed read over the
 * REST contract, and the fan-in of the workers' event streams (spec/manager.md § 24).
 */
import { PYTHON } from '../test/support/PythonService.ts';
import { type FleetSize, startPythonFleet } from './restManagers/pythonFleet.ts';
import { measureReads, type ReadLoad } from './restManagers/reads.ts';
import { measureStreams, type StreamLoad } from './restManagers/streams.ts';
import type { BenchResult } from './support/BenchResult.ts';

export interface RestManagersSize extends FleetSize {
  readonly reads: readonly ReadLoad[];
  readonly stream: StreamLoad;
}

export const REST_MANAGERS: RestManagersSize = {
  members: 8,
  rows: 25,
  reads: [
    { concurrency: 1, rounds: 5, roundMs: 3_000, warmUpMs: 5_000 },
    {
      concurrency: 16,
      rounds: 5,
      roundMs: 3_000,
      warmUpMs: 3_000,
      list: { leastSpeed: 5, mostP99: 0.5 },
      keyed: { leastSpeed: 2, mostP99: 0.5 },
    },
  ],
  stream: { rates: [50, 200, 400], seconds: 5, rounds: 3, leastFrames: 5 },
};
export const SHORT_REST_MANAGERS: RestManagersSize = {
  members: 3,
  rows: 25,
  reads: [
    { concurrency: 1, rounds: 3, roundMs: 400, warmUpMs: 1_500 },
    { concurrency: 16, rounds: 3, roundMs: 400, warmUpMs: 400, list: { leastSpeed: 1.5 } },
  ],
  stream: { rates: [50, 400], seconds: 2, rounds: 1, leastFrames: 2 },
};

/** Without the service there is one result, which says so. @throws {Error} where `CI` is set and the service is missing. */
export async function measureRestManagers({
  reads,
  stream,
  ...size
}: RestManagersSize): Promise<BenchResult[]> {
  if (PYTHON === undefined) return [notMeasured];
  await using resources = new AsyncDisposableStack();
  const fleet = await startPythonFleet(resources, size);
  return [...(await measureReads(fleet, size, reads)), await measureStreams(fleet, stream)];
}

const notMeasured: BenchResult = {
  title: "Our manager beside the Python service's own",
  measurements: [],
  facts: {
    'NOT MEASURED':
      'there is no interpreter with the Python service: FLOTILLA_INTEROP_PYTHON names one, `.ci/run` installs it into .interop',
  },
};
