/** What a list costs over very many members: its first page beside a page in the middle, and beside fewer members. */
import { formatFleetPageCursor } from '../gateway/cursor/FleetPageCursor.ts';
import { startManagerOf, startMembers } from './fleetScale/simulatedFleet.ts';
import { atOf } from './fleetScale/simulatedRows.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { createQuery } from './support/createQuery.ts';
import { formatSpread, type Measurement, measure, type Rounds, ratio, spread } from './support/measure.ts';

const PAGE = 50;
const FIELDS = 'instance ref id state subState name goal lastReply createdAt updatedAt version';
/** Nobody probes while pages are read: a round of probes over a thousand members is another question. */
const SETTINGS = { timeoutSeconds: 60, probeIntervalSeconds: 3600 };

/** How many times the manager's CPU for the first page one in the middle may take. */
const MOST_TO_FIRST = 1.5;

export interface ScaleShape {
  readonly members: number;
  /** Of each member. */
  readonly rows: number;
}

export async function measureScale({ members, rows }: ScaleShape, rounds: Rounds): Promise<BenchResult> {
  await using resources = new AsyncDisposableStack();
  const simulated = await startMembers(resources, { members, rows });
  const tenth = await startMembers(resources, { members: members / 10, rows });
  const manager = await startManagerOf(resources, simulated.members, SETTINGS);
  const small = await startManagerOf(resources, tenth.members, SETTINGS);
  const middle = cursorAt(members, Math.floor((members * rows) / 2));
  const ask = ({ url, pid }: typeof manager, text: string) => ({
    pid,
    run: createQuery(resources, url, { text, rows: PAGE }),
  });
  const measurements = await measure(
    [
      { name: 'first page', ...ask(manager, page()) },
      { name: 'page in the middle', ...ask(manager, page(middle)) },
      { name: 'first page, a tenth of it', ...ask(small, page()) },
    ],
    rounds,
  );
  const [first, later, less] = measurements as [Measurement, Measurement, Measurement];
  const cpuToFirst = ratio(later.roundCpuMs, first.roundCpuMs);
  return {
    title: `A page of ${PAGE} over ${members} members with ${members * rows} tasks`,
    measurements,
    facts: {
      'the page in the middle to the first, time': formatSpread(
        ratio(later.roundMediansMs, first.roundMediansMs),
      ),
      'the page in the middle to the first, CPU': formatSpread(cpuToFirst),
      'to the first page over a tenth of the members, time': formatSpread(
        ratio(first.roundMediansMs, less.roundMediansMs),
      ),
      "the manager's CPU for one member, in microseconds": formatSpread(
        spread(first.roundCpuMs.map((cpuMs) => (cpuMs * 1000) / members)),
      ),
      'characters of the cursor in the middle': String(middle.length),
    },
    ...(cpuToFirst.median > MOST_TO_FIRST && {
      missed: `${cpuToFirst.median.toFixed(2)} times the CPU of the first page, ${MOST_TO_FIRST} is expected`,
    }),
  };
}

function page(after?: string): string {
  const position = after === undefined ? '' : `, after: "${after}"`;
  return `{ tasks(first: ${PAGE}${position}) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`;
}

/** The cursor that a walk from the newest row on holds behind the `place`-th row of the fleet. */
function cursorAt(members: number, place: number): string {
  const id = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
  return formatFleetPageCursor(new Map(), {
    row: { value: atOf(place), id },
    member: `m${place % members}`,
    names: new Set(Array.from({ length: members }, (_, index) => `m${index}`)),
  });
}
