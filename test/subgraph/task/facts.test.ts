/** The agent, settings, roles, skills and forks of a task (spec/worker.md §§ 3.8, 6.4, 8.5). */
import { describe, expect, test } from 'vitest';
import { agentIdOf } from '../../../subgraph/task/index.ts';
import { CREATION, TaskMachine, typesOf } from './TaskMachine.ts';

const ADMIN = { id: 'ops', kind: 'HUMAN', role: 'ADMIN', displayName: '' } as const;

describe('agentIdOf()', () => {
  const agent = (id: string, role: 'ASSIGNEE' | 'WATCHER') =>
    ({ id, kind: 'AGENT', role, displayName: '' }) as const;

  test.each([
    ['the id of its creation', { agentId: 'own', participants: [agent('a', 'ASSIGNEE')] }, 'own'],
    ['the assigned agent', { participants: [agent('a', 'WATCHER'), agent('b', 'ASSIGNEE')] }, 'b'],
    ['any agent', { participants: [ADMIN, agent('a', 'WATCHER')] }, 'a'],
    ['a name of its own', { participants: [ADMIN] }, 'flotilla'],
  ])('is %s', (_what, state, id) => {
    expect(agentIdOf(state)).toBe(id);
  });
});

test('no model of this instance runs for a remote task', () => {
  const task = TaskMachine.working({ lifecycle: 'REMOTE' });
  expect(task.effects).toEqual([]);
  expect(task.state.mailbox).toHaveLength(1);
});

describe('settings', () => {
  test('are changed by a participant from the next request on', () => {
    const task = TaskMachine.working({ settings: { model: 'm1', effort: 'LOW' } });
    task.apply({ kind: 'settingsChanged', participant: 'bob', model: 'm2', effort: null });
    expect(task.events).toEqual([{ type: 'task.updated', changed: ['settings'], settings: { model: 'm2' } }]);
    expect(task.effects).toEqual([]);
    task.calls('get_order');
    task.toolReturns('7');
    expect(task.effects).toEqual([{ kind: 'callModel', key: 't1:4:0', model: 'm2' }]);
  });

  test('a name of 128 characters is the longest', () => {
    const task = TaskMachine.parked();
    task.apply({ kind: 'settingsChanged', participant: 'bob', model: 'm'.repeat(129) });
    expect(task.events).toMatchObject([{ code: 'task.invalid_change' }]);
    task.apply({ kind: 'settingsChanged', participant: 'bob', model: 'm'.repeat(128) });
    expect(task.state.settings.model).toHaveLength(128);
  });

  test.each([{ model: 'm 2' }, { effort: 'SOME' as never }])('%o is refused', (change) => {
    const task = TaskMachine.parked();
    task.apply({ kind: 'settingsChanged', participant: 'bob', ...change });
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.invalid_change' }]);
    expect(task.state.settings).toEqual({});
  });
});

describe('set_participant_role', () => {
  const afterRole = (actor: string, args: { participant_id: string; role: string }) => {
    const task = new TaskMachine({ participants: [...CREATION.participants, ADMIN] });
    task.says(actor, 'Make bob an admin');
    task.calls('set_participant_role', args);
    return task;
  };

  test('changes the role when an admin has spoken last', () => {
    const task = afterRole('ops', { participant_id: 'bob', role: 'admin' });
    expect(task.state.actor).toBe('ops');
    expect(task.state.participants[2]).toMatchObject({ id: 'bob', role: 'ADMIN' });
    expect(task.events[1]).toEqual({ type: 'task.updated', changed: ['participants'] });
  });

  test.each([
    ['alice', 'bob', 'admin', /^channel.not_a_member: /],
    ['ops', 'mallory', 'admin', /^channel.not_a_member: /],
    ['ops', 'bob', 'king', /^tool.invalid_arguments: .* one of assignee/],
  ])('for %s and %s as %s is an error result', (actor, participant_id, role, text) => {
    const task = afterRole(actor, { participant_id, role });
    expect(task.history.at(-1)).toMatchObject({ isError: true, text: expect.stringMatching(text) });
    expect(task.state.participants).toEqual([...CREATION.participants, ADMIN]);
  });
});

describe('a skill', () => {
  const after = (task: TaskMachine, command: { kind: 'skillLoaded' | 'skillUnloaded'; body?: string }) => {
    task.calls('load_skill', { name: 'sums' });
    const { kind, body = '' } = command;
    const loaded = { kind: 'skillLoaded', name: 'sums', body, tools: ['sums.add'] } as const;
    task.apply({
      kind: 'toolReturned',
      effectKey: task.keyOf('callTool'),
      text: 'ok',
      isError: false,
      command: kind === 'skillLoaded' ? loaded : { kind, name: 'sums' },
    });
    return task;
  };

  test('is kept with its body and tools until it is unloaded', () => {
    const task = after(TaskMachine.working(), { kind: 'skillLoaded', body: 'Add up' });
    expect(task.state.loadedSkills).toEqual([{ name: 'sums', body: 'Add up', tools: ['sums.add'] }]);
    expect(typesOf(task.events)).toEqual(['task.updated', 'task.toolReturned', 'task.turnStarted']);
    after(task, { kind: 'skillLoaded', body: 'Add up well' });
    expect(task.state.loadedSkills).toMatchObject([{ body: 'Add up well' }]);
    after(task, { kind: 'skillUnloaded' });
    expect(task.state).not.toHaveProperty('loadedSkills');
    after(task, { kind: 'skillUnloaded' });
    expect(typesOf(task.events)).toEqual(['task.toolReturned', 'task.turnStarted']);
  });
});

describe('a fork', () => {
  test('begins as a settled copy of the past: what was said is there, what was under way is not', () => {
    const past = TaskMachine.working({
      name: 'Refund',
      settings: { model: 'm1' },
      parent: { ref: 'r', id: 't0' },
    });
    past.calls('create_plan', { steps: [{ name: 'Look up', description: '' }] });
    past.spawns('Look up', { step: 'look-up' });
    past.asks('bob');
    past.says('bob', '7');
    past.calls('refund');
    past.commands('ping');
    past.says('alice', 'Quick');
    const fork = new TaskMachine({
      id: 't2',
      ref: 'o/r#2',
      origin: { ref: 'o/r#1', version: past.state.version, state: past.state },
    });
    expect(fork.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(fork.history.slice(0, -1)).toEqual(past.history);
    expect(fork.history.at(-1)).toMatchObject({
      id: past.history.length + 1,
      kind: 'toolResult',
      tool: 'refund',
      isError: true,
    });
    expect(fork.state).toMatchObject({
      id: 't2',
      ref: 'o/r#2',
      version: 1,
      name: 'Refund',
      goal: 'hello',
      plan: { steps: [{ id: 'look-up', state: 'PENDING' }] },
      origin: { ref: 'o/r#1', version: past.state.version },
      run: { phase: 'idle' },
      mailbox: [],
      commands: [],
      seenMessageIds: [],
      turns: 0,
      usage: { inputTokens: 0 },
    });
    expect(fork.state.plan?.steps[0]).not.toHaveProperty('linkedTasks');
    for (const field of ['children', 'question', 'parent', 'notes'])
      expect(fork.state).not.toHaveProperty(field);
    expect(fork.outstanding).toEqual([]);
    expect(JSON.parse(JSON.stringify(fork.state))).toStrictEqual(fork.state);
    fork.says('alice', 'Go another way', 'm1');
    expect(fork.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('keeps what was learned: the summary, the skills, the description and the criteria', () => {
    const past = TaskMachine.working({
      description: 'of order 7',
      acceptanceCriteria: [{ text: 'paid', met: false }],
    });
    past.apply({ kind: 'compactionDue', effectKey: past.keyOf('callModel') });
    const sizes = { summary: 'Hello', tokensBefore: 9, tokensAfter: 3 };
    past.apply({ kind: 'compacted', effectKey: past.keyOf('compact'), removedThroughId: 1, ...sizes });
    past.calls('load_skill', { name: 'sums' });
    const command = { kind: 'skillLoaded', name: 'sums', body: 'Add up', tools: [] } as const;
    const effectKey = past.keyOf('callTool');
    past.apply({ kind: 'toolReturned', effectKey, text: 'ok', isError: false, command });
    const origin = { ref: 'o/r#1', version: past.state.version, state: past.state };
    expect(new TaskMachine({ id: 't2', origin }).state).toMatchObject({
      description: 'of order 7',
      acceptanceCriteria: [{ text: 'paid', met: false }],
      summary: 'Hello',
      compactedThroughId: 1,
      loadedSkills: [{ name: 'sums', body: 'Add up', tools: [] }],
    });
  });

  test('of an ended task is open', () => {
    const past = TaskMachine.parked();
    past.apply({ kind: 'completeRequested', participant: 'alice' });
    const origin = { ref: 'o/r#1', version: past.state.version, state: past.state };
    expect(new TaskMachine({ id: 't2', origin }).state).toMatchObject({
      status: { state: 'INPUT_REQUIRED' },
      lastReply: 'hi',
    });
  });
});
