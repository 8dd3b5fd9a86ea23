import { expect, test } from 'vitest';
import type { EventRowFragment } from '../../../schema/generated/restOperations.ts';
import { formatFrame } from '../../../server/sse/frames.ts';
import { planStream, streamEvents } from '../../../server/sse/streamEvents.ts';

const WORKER = { isManager: false };
const MANAGER = { isManager: true };
const REF = 'github:octo/repo#15';
const OTHER = 'github:octo/repo#16';
const NOTHING = { workItem: [], transcript: [] };

function anEvent(fields: Partial<EventRowFragment> = {}): { events: EventRowFragment } {
  const events = {
    cursor: 'alpha=7',
    instance: 'alpha',
    type: 'task.status',
    at: '2026-01-01T00:00:00.000Z',
    level: 'INFO' as const,
    ref: REF,
    source: 'tasks',
    pid: 7,
    data: { subState: 'awaiting_message' },
    ...fields,
  };
  return { events };
}

test('formatFrame() writes one line of data, whatever the text has in it', () => {
  expect(formatFrame({ id: '7', event: 'log', data: { text: 'one\ntwo\r\nthree' } })).toBe(
    'id: 7\nevent: log\ndata: {"text":"one\\ntwo\\r\\nthree"}\n\n',
  );
  expect(formatFrame({ event: 'desync', data: {} })).toBe('event: desync\ndata: {}\n\n');
});

test('streamEvents() makes a log frame of a record, stamped on a manager', () => {
  const row = {
    ts: '2026-01-01T00:00:00.000Z',
    source: 'tasks',
    event: 'task.status',
    level: 'info',
    pid: 7,
    work_item: REF,
    sub_state: 'awaiting_message',
  };
  const plan = { workItems: [], ownName: 'alpha' };
  expect(streamEvents(anEvent(), WORKER, plan)).toEqual({ id: 'alpha=7', event: 'log', data: row });
  expect(streamEvents(anEvent(), MANAGER, plan)?.data).toEqual({ ...row, instance: 'alpha' });
});

test('streamEvents() makes a frame without an id of a transcript that grew, whatever the work items', () => {
  const event = anEvent({ type: 'stream.transcript', data: { totalLines: 12 } });
  const frame = streamEvents(event, MANAGER, { workItems: [OTHER], ownName: 'alpha' });
  expect(frame).toEqual({ event: 'transcript', data: { ref: REF, totalLines: 12 } });
});

test.each([['api.request'], ['mcp.call'], ['stream.bookmark']])('streamEvents() never shows %s', (type) => {
  expect(streamEvents(anEvent({ type }), WORKER, { workItems: [], ownName: 'alpha' })).toBeUndefined();
});

test.each([
  ['the own', 'alpha', { reason: 'replay-window', cursor: 'alpha=7' }],
  ["a member's", 'beta', { reason: 'replay-window', cursor: 'alpha=7', instance: 'beta' }],
])('streamEvents() makes a frame without an id of %s desync', (_title, instance, data) => {
  const event = anEvent({ type: 'stream.desync', instance, ref: null, data: { reason: 'replay-window' } });
  const frame = streamEvents(event, MANAGER, { workItems: [REF], ownName: 'alpha' });
  expect(frame).toEqual({ event: 'desync', data });
});

test('streamEvents() keeps to the work items that were asked for', () => {
  const plan = { workItems: [REF, OTHER], ownName: 'alpha' };
  expect(streamEvents(anEvent({ ref: OTHER }), WORKER, plan)).toBeDefined();
  expect(streamEvents(anEvent({ ref: 'github:octo/repo#17' }), WORKER, plan)).toBeUndefined();
  expect(streamEvents(anEvent({ ref: null, data: { workItems: [OTHER] } }), WORKER, plan)).toBeDefined();
});

test('planStream() has the graph filter by one work item and resume after the cursor', () => {
  const plan = planStream({ ...NOTHING, workItem: [REF], 'Last-Event-ID': '12' }, WORKER);
  expect(plan.variables).toEqual({ after: '12', filter: { ref: REF } });
  expect(planStream({ ...NOTHING, workItem: [REF, OTHER] }, WORKER).variables).toEqual({});
});

test.each([
  ['65 work items', { ...NOTHING, workItem: Array(65).fill(REF) }],
  ['65 transcripts', { ...NOTHING, transcript: Array(65).fill(REF) }],
  ['what is no ref', { ...NOTHING, workItem: ['octo'] }],
  ['a cursor of a manager', { ...NOTHING, 'Last-Event-ID': 'alpha=7' }],
  ['an empty cursor', { ...NOTHING, 'Last-Event-ID': '' }],
])('planStream() refuses %s on a worker', (_title, input) => {
  expect(() => planStream(input, WORKER)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});

test('planStream() passes on the transcripts that are watched', () => {
  const plan = planStream({ ...NOTHING, transcript: [REF, OTHER] }, WORKER);
  expect(plan.variables).toEqual({ transcripts: [REF, OTHER] });
});

test('planStream() leaves a cursor to the manager that it is sent to', () => {
  expect(planStream({ ...NOTHING, 'Last-Event-ID': '!' }, MANAGER).variables).toEqual({ after: '!' });
});
