/** What holds whatever happens to a task, in any order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminal, replay, step, type TaskState } from '../../../subgraph/task/index.ts';
import { creation, MESSENGERS, type Move, moves, parsed, play } from './arbitraryTask.ts';
import { TaskMachine } from './TaskMachine.ts';

function holds(name: string, check: (task: TaskMachine, list: readonly Move[]) => void): void {
  test(name, () => {
    fc.assert(
      fc.property(creation, moves, (given, list) => check(new TaskMachine(parsed(given)), parsed(list))),
      { numRuns: 150 },
    );
  });
}

holds('the version counts the inputs', (task, list) => {
  for (const state of play(task, list)) expect(state.version).toBe(task.inputs.length);
});

holds('history ids count from 1 without a gap and entries never change', (task, list) => {
  let before = task.history;
  for (const { history, lastEntryId } of play(task, list)) {
    expect(history.map(({ id }) => id)).toEqual(history.map((_, index) => index + 1));
    expect(lastEntryId).toBe(history.length);
    expect(history.slice(0, before.length)).toEqual(before);
    before = history;
  }
});

holds(
  'at most one effect of the run, one of a command and one intake are out, and the state knows them',
  (task, list) => {
    for (const { run, commands, mailbox } of play(task, list)) {
      const known = [run, ...commands, ...mailbox].flatMap((each) =>
        'effectKey' in each && each.effectKey !== undefined ? [each.effectKey] : [],
      );
      const out = task.outstanding.filter(({ kind }) => !MESSENGERS.includes(kind));
      expect(out.map(({ key }) => key).sort()).toEqual(known.sort());
      expect(commands.slice(1).every(({ effectKey: key }) => key === undefined)).toBe(true);
      expect(mailbox.filter(({ effectKey: key }) => key !== undefined).length).toBeLessThanOrEqual(1);
    }
  },
);

holds('nothing that may run waits', (task, list) => {
  for (const state of play(task, list)) {
    const { paused, run, mailbox, notes = [], heldBy, lifecycle } = state;
    if (paused || isTerminal(state) || 'effectKey' in run) continue;
    const isReady = mailbox.length > 0 && !mailbox[0]?.needsIntake;
    if (heldBy === undefined || lifecycle === 'PARTICIPANT') {
      expect(isReady).toBe(false);
      expect(notes.some(({ wakes }) => wakes)).toBe(false);
    }
    if (run.phase === 'waiting') expect(state.status.state).toBe('WORKING');
    else expect(['INPUT_REQUIRED', 'SUBMITTED']).toContain(state.status.state);
    if (state.status.state === 'SUBMITTED') expect(mailbox[0]?.needsIntake).toBe(true);
    expect(state.commands.every((command, index) => index > 0 || command.effectKey !== undefined)).toBe(true);
  }
});

holds('a parked task waits for an answer exactly while a question is open', (task, list) => {
  for (const { status, question } of play(task, list)) {
    const isAsked = status.subState === 'AWAITING_ANSWER';
    if (status.state === 'INPUT_REQUIRED') expect(isAsked).toBe(question !== undefined);
    else expect(status).not.toHaveProperty('subState');
  }
});

holds('a budget of the task lets no turn begin beyond it', (task, list) => {
  for (const { budget, turns } of play(task, list)) {
    const begins = task.events.some(({ type }) => type === 'task.turnStarted');
    if (begins && budget?.turns !== undefined) expect(turns).toBeLessThan(budget.turns);
  }
});

holds('sub-tasks are numbered once and in order, and have the settings of their parent', (task, list) => {
  let last = 0;
  for (const { settings, lastChild = 0, children = [] } of play(task, list)) {
    for (const effect of task.effects) {
      if (effect.kind !== 'startChild') continue;
      last += 1;
      expect(effect.child.id).toBe(`t1.${last}`);
      expect(effect.child.participants.some(({ id }) => id === 'flotilla')).toBe(true);
      if (effect.child.lifecycle !== 'CONVERSATION') expect(effect.child.settings).toEqual(settings);
    }
    expect(lastChild).toBe(last);
    expect(new Set(children.map(({ id }) => id)).size).toBe(children.length);
  }
});

holds('a parent is told once, at the end', (task, list) => {
  let tales = 0;
  for (const state of play(task, list)) {
    tales += task.effects.filter(({ kind }) => kind === 'tellParent').length;
    expect(tales).toBe(isTerminal(state) && state.parent ? 1 : 0);
  }
});

holds('an effect key is given once and names task, version and index', (task, list) => {
  for (const { version } of play(task, list)) {
    task.effects.forEach((effect, index) => {
      if (effect.kind !== 'abandon') expect(effect.key).toBe(`t1:${version}:${index}`);
    });
  }
  expect(new Set(task.keys).size).toBe(task.keys.length);
});

holds('a terminal task stays as it is and asks for nothing', (task, list) => {
  let ended: TaskState | undefined;
  for (const state of play(task, list)) {
    if (ended) {
      expect(state).toEqual({ ...ended, version: state.version });
      expect(task.effects).toEqual([]);
      expect(task.events.every(({ type }) => type === 'task.inputRefused')).toBe(true);
    } else if (isTerminal(state)) {
      ended = state;
      expect(state).toMatchObject({ run: { phase: 'idle' }, mailbox: [], commands: [] });
      expect(task.outstanding.filter(({ kind }) => !MESSENGERS.includes(kind))).toEqual([]);
    }
  }
});

holds('every change of status is told, and nothing else as one', (task, list) => {
  let told: object = { state: 'SUBMITTED' };
  for (const { status } of play(task, list)) {
    for (const event of task.events) {
      if (event.type === 'task.status') told = event;
    }
    const { atMs: _, ...shown } = status;
    expect({ type: 'task.status', ...shown }).toEqual({ type: 'task.status', ...told });
  }
});

holds('states, effects and events survive JSON', (task, list) => {
  for (const _ of play(task, list)) expect(parsed(task.last)).toStrictEqual(task.last);
});

holds('replay gives the state that the steps gave', (task, list) => {
  for (const _ of play(task, list));
  expect(replay(parsed(task.inputs))).toEqual(task.state);
});

holds('an input that is delivered again asks for nothing that was completed', (task, list) => {
  for (const state of play(task, list)) {
    const input = task.inputs.at(-1);
    if (!input || !('effectKey' in input || input.kind === 'childChanged')) continue;
    expect(step(state, input)).toEqual({
      state: { ...state, version: state.version + 1 },
      effects: [],
      events: [],
    });
  }
});

holds('every tool result follows its call', (task, list) => {
  for (const _ of play(task, list));
  task.history.forEach((entry, index) => {
    if (entry.kind !== 'toolResult') return;
    expect(task.history[index - 1]).toMatchObject({ kind: 'toolCall', callId: entry.callId });
  });
});
