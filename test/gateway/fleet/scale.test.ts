/** A page over many members costs the same wherever it is; the long form is in `npm run bench`. CPU is compared, in one run. */
import { expect, test } from 'vitest';
import { measureScale } from '../../../bench/fleetScale.ts';
import { ratio } from '../../../bench/support/measure.ts';

test.skipIf(process.platform !== 'linux')(
  'a page in the middle of 100,000 tasks of 100 members costs what the first one costs',
  async () => {
    const { measurements } = await measureScale(
      { members: 100, rows: 1000 },
      { warmUp: 10, rounds: 9, runsPerRound: 5 },
    );
    const [first, middle] = measurements;
    expect(ratio(middle!.roundCpuMs, first!.roundCpuMs).median).toBeLessThan(1.5);
  },
  60_000,
);
