/**
 * Traces: the life of a task as text, one file each.
 *
 * A block is an input, a line `----` and what came of it; anything else is a comment. The first line
 * of an input is its kind and `field=word` pairs, each further line one field as `field: value`, JSON
 * when it starts with `[` or `{`. A task lives by the rules that its creation names. An outcome without an `effectKey` is that of the effect that is out.
 * `UPDATE_TRACES=1` rewrites what came of the inputs.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type HistoryEntry,
  replay,
  type TaskCreated,
  type TaskEffect,
  type TaskEvent,
} from '../../../subgraph/task/index.ts';
import { CREATION, NO_USAGE, OUTCOMES, TaskMachine, type Untimed } from './TaskMachine.ts';

const FOLDER = join(import.meta.dirname, 'traces');

type Fields = Readonly<Record<string, unknown>>;

/** Fields that a trace may leave out. */
const DEFAULTS: Readonly<Record<string, Fields>> = {
  // The traces that name no rules were recorded when 2 was the newest.
  taskCreated: { ...CREATION, rules: 2 },
  modelReplied: { text: '', toolCalls: [], usage: NO_USAGE, model: 'm', finish: 'stop' },
  modelFailed: { attempts: 1 },
  toolReturned: { isError: false },
  toolFailed: { attempts: 1 },
  childFailed: { attempts: 1 },
  commandReceived: { args: '' },
};

test.each(globSync('*.txt', { cwd: FOLDER }).sort())('%s', (name) => {
  const path = join(FOLDER, name);
  const text = readFileSync(path, 'utf8');
  const actual = run(text);
  if (process.env.UPDATE_TRACES) writeFileSync(path, actual);
  else expect(actual).toBe(text);
});

/** The trace with what really comes of its inputs. */
function run(trace: string): string {
  let task: TaskMachine | undefined;
  const blocks = trace.trimEnd().split(/\n{2,}/);
  const actual = blocks.map((block) => {
    const [input = '', result] = block.split(/^----$/m);
    if (result === undefined) return block;
    const before = task?.history.length ?? 0;
    task = applyLine(task, input);
    expect(replay(task.inputs), input).toEqual(task.state);
    return `${input}----\n${describe(task, before)}`;
  });
  return `${actual.join('\n\n')}\n`;
}

function applyLine(task: TaskMachine | undefined, text: string): TaskMachine {
  const { kind, ...fields } = parseInput(text);
  const input = { kind, ...DEFAULTS[kind as string], ...fields };
  if (!task) return new TaskMachine(input as Partial<TaskCreated>);
  const effect = task.outstanding.find((candidate) => OUTCOMES[candidate.kind].some((it) => it === kind));
  task.apply({ ...(effect && { effectKey: effect.key }), ...input } as unknown as Untimed);
  return task;
}

function parseInput(text: string): Fields {
  const [head = '', ...body] = text.trimEnd().split('\n');
  const [kind = '', ...pairs] = head.split(' ');
  const fields: Record<string, unknown> = { kind };
  for (const pair of pairs) setField(fields, pair.split('=', 2));
  for (const line of body) setField(fields, line.trim().split(/: (.*)/s, 2));
  return fields;
}

function setField(fields: Record<string, unknown>, [name = '', value = '']: readonly string[]): void {
  fields[name] = /^([[{]|\d+$|true$|false$)/.test(value) ? JSON.parse(value) : value;
}

function describe({ state, events, effects, history }: TaskMachine, before: number): string {
  const { status, run, mailbox, commands, paused, heldBy, question, compactedThroughId } = state;
  const { children = [], notes = [] } = state;
  const facts = [
    `state ${status.state}${status.subState === undefined ? '' : `/${status.subState}`}`,
    `run=${run.phase}`,
    ...(mailbox.length > 0 ? [`mailbox=${mailbox.length}`] : []),
    ...(commands.length > 0 ? [`commands=${commands.length}`] : []),
    ...(paused ? ['paused'] : []),
    ...(heldBy === undefined ? [] : [`heldBy=${heldBy}`]),
    ...(question ? [`question=${question.participant}`] : []),
    ...children.map((child) => `child ${child.id}=${child.state}`),
    ...(notes.length > 0 ? [`notes=${notes.length}`] : []),
    ...(compactedThroughId === undefined ? [] : [`compacted=${compactedThroughId}`]),
  ];
  return [
    facts.join(' '),
    ...history.slice(before).map(describeEntry),
    ...events.map(describeEvent),
    ...effects.map(describeEffect),
  ].join('\n');
}

function describeEntry({ id, atMs: _, kind, ...fields }: HistoryEntry): string {
  return `  history ${id} ${kind}${describeFields(fields)}`;
}

function describeEvent({ type, ...fields }: TaskEvent): string {
  return `  event ${type}${describeFields(fields)}`;
}

function describeEffect({ kind, key, ...fields }: TaskEffect): string {
  return `  effect ${kind} ${key}${describeFields(fields)}`;
}

function describeFields(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${isWord(value) ? value : JSON.stringify(value)}`)
    .join('');
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[\w./-]+$/.test(value);
}
