/** What holds for the tasks of a host, whatever people do, and wherever its process ends (spec/worker.md §§ 3, 13). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextTurn } from '../../../../lib/nextTurn.ts';
import { Journal } from '../../../../subgraph/engine/embedded/Journal.ts';
import type { TaskRow } from '../../../../subgraph/engine/TaskEngine.ts';
import { isTerminalState, replay } from '../../../../subgraph/task/index.ts';
import {
  anyLife,
  begin,
  createObedientPerformer,
  type LifeMove,
  make,
  REF,
  repeatableLife,
} from '../../../support/arbitraryLife.ts';
import { expectNoGap, Faults, ignoreUnavailable, recordedOutcomes } from '../../../support/crashes.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import type { FakePerformer } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

/** The write at which the process dies; some are beyond the end of a life. */
const atWrite = fc.integer({ min: 1, max: 250 });

test('whatever is done to a task, in any order, and whenever the process dies, its promises hold', async () => {
  await fc.assert(
    fc.asyncProperty(anyLife, fc.array(atWrite, { maxLength: 3 }), async (life, deaths) => {
      using directory = temporaryDirectory();
      const performer = createObedientPerformer();
      let made = -1;
      for (const death of [...deaths, Number.POSITIVE_INFINITY]) {
        const fault = new Faults({ atWrite: death, afterwards: 'dead' });
        await using opened = await openAt(directory.path, performer, fault);
        const recorded = recordedOutcomes(opened);
        const before = performer.attempts.length;
        const living = (async () => {
          if (made < 0) await begin(opened.engine);
          made = Math.max(made, 0);
          for (; made < life.length; made += 1) await make(opened.engine, life[made]!, made);
          await settled(opened);
        })();
        await Promise.race([fault.happened, living.catch(ignoreUnavailable)]);
        const repeated = performer.attempts.slice(before).filter(({ effect }) => recorded.has(effect.key));
        expect(
          repeated.map(({ effect }) => effect.key),
          'no completed effect is done again',
        ).toEqual([]);
        if (!fault.hasHappened) await expectPromises(opened);
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('a life comes to the same result, wherever the process has died in it', async () => {
  await fc.assert(
    fc.asyncProperty(repeatableLife, atWrite, async (life, death) => {
      const undisturbed = await resultOf(life, Number.POSITIVE_INFINITY);
      expect(await resultOf(life, death)).toEqual(undisturbed);
    }),
    { numRuns: 40 },
  );
}, 120_000);

/** Each move is made when the one before has come to rest; one whose process dies is made again by the next process. */
async function resultOf(life: readonly LifeMove[], death: number): Promise<unknown> {
  using directory = temporaryDirectory();
  const performer = createObedientPerformer();
  let made = -1;
  const live = async (opened: OpenEngine): Promise<void> => {
    await settled(opened);
    for (; made < life.length; made += 1) {
      if (made < 0) await begin(opened.engine);
      else await make(opened.engine, life[made]!, made);
      await settled(opened);
    }
  };
  const fault = new Faults({ atWrite: death, afterwards: 'dead' });
  {
    await using opened = await openAt(directory.path, performer, fault);
    await Promise.race([fault.happened, live(opened).catch(ignoreUnavailable)]);
    if (!fault.hasHappened) return describeAll(opened);
  }
  await using opened = await openAt(directory.path, performer);
  await live(opened);
  return describeAll(opened);
}

function openAt(directory: string, performer: FakePerformer, fault?: Faults): Promise<OpenEngine> {
  return openEngine({ directory, performer, clock: new FakeClock(), ...(fault && { wrap: fault.wrap }) });
}

/** Resolves when no effect is out: nothing happens by itself any more. */
async function settled({ database, log }: OpenEngine): Promise<void> {
  const journal = new Journal(database, log);
  while (journal.pendingEffects({ limit: 1 }).length > 0) await nextTurn();
}

async function rowsOf({ engine }: OpenEngine): Promise<readonly TaskRow[]> {
  return engine.list({ limit: 100, order: 'CREATED_AT_ASC' });
}

/**
 * Without ids and times, which are others each time, and without what depends on who is faster, a sub-task or its parent: how often
 * the parent says that it waits.
 */
async function describeAll(opened: OpenEngine): Promise<unknown> {
  const main = await opened.engine.read(REF);
  const anonymous = (text: string): string => text.replaceAll(main?.id ?? '', 'main');
  const all = [];
  for (const { id, lifecycle, status, settings, paused, lastReply, question } of await rowsOf(opened)) {
    const history = await opened.engine.history({ id }, { afterId: 0, limit: 1_000 });
    const told = history.filter((entry) => entry.kind !== 'message' || entry.role === 'USER');
    all.push({
      ...{ name: anonymous(id), lifecycle, state: status.state, subState: status.subState },
      ...{ settings, paused, lastReply, isAsked: question !== undefined },
      history: told.map(({ kind, ...entry }) => [kind, 'text' in entry && anonymous(entry.text)]),
    });
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function expectPromises(opened: OpenEngine): Promise<void> {
  const { database, log } = opened;
  expectNoGap(opened, 'offsets have no gap');
  const journal = new Journal(database, log);
  const events = log.read({ limit: 1_001 });
  const main = await opened.engine.read(REF);
  for (const row of await rowsOf(opened)) {
    const { status, question } = row;
    if (status.state === 'INPUT_REQUIRED') {
      expect(status.subState === 'AWAITING_ANSWER', 'one question is open').toBe(question !== undefined);
    }
    const told = events.filter(({ type, ref }) => type === 'task.status' && ref === row.ref);
    const states = told.map(({ data }) => String(data.state));
    expect(
      states.slice(0, -1).some((state) => isTerminalState(state as never)),
      'an end is the end',
    ).toBe(false);
    expect(states.at(-1), 'what is told is what is').toBe(status.state);

    const number = journal.findById(row.id)!;
    const inputs = journal.loadInputs(number);
    const { history: _history, seenMessageIds: _seen, ...replayed } = replay(inputs);
    const { history: _none, seenMessageIds: __none, ...stored } = journal.load(number);
    expect(replayed, 'a replay gives the state').toEqual(stored);
    expect(stored.version, 'the version counts the inputs').toBe(inputs.length);

    const [creation] = inputs;
    if (row.parent && creation?.kind === 'taskCreated') {
      const models = ['m1', 'm2', 'm3', 'm4'];
      expect(models, 'a sub-task has settings of its parent').toContain(creation.settings.model);
      expect(row.settings, 'which it keeps').toEqual(creation.settings);
      expect(row.parent.id).toBe(main?.id);
    }
  }
}
