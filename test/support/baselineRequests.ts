/** What the first release was asked, in this order: each way in that it had, with what it accepts and what it refuses. */
import type { BaselineRequest } from './baseline.ts';

/** A root field of the graph; everything that the release had in its type is asked for. */
export interface GraphRequest {
  readonly kind: 'query' | 'mutation';
  readonly field: string;
  /** Absent for a scalar. */
  readonly type: string | undefined;
}

const INVITED = 'github:o/invited#2';
const PLANNED = 'github:o/planned#1';
const OPEN = 'github:o/waiting#3';

/** Change state; the next one is sent when the tasks of the one before have come to rest. */
export const WRITES: readonly (BaselineRequest | GraphRequest)[] = [
  mutation(
    'createTask(input: { message: "Say hello", messageId: "c-1", ref: "github:o/planned#1" })',
    'Task',
  ),
  mutation(
    'createTask(input: { message: "Say hello", messageId: "c-1", ref: "github:o/planned#1" })',
    'Task',
  ),
  mutation('createTask(input: { name: "taken", ref: "github:o/planned#1" })', 'Task'),
  mutation('createTask(input: { name: "no ref", ref: "planned" })', 'Task'),
  mutation('createTask(input: { name: "elsewhere" }, instance: "nobody")', 'Task'),
  mutation(
    `createTask(input: {
      message: "Look at this", name: "Invited", goal: "Find out", ref: "${INVITED}", participant: "ada"
      participants: [{ id: "bob", role: WATCHER, displayName: "Bob" }], settings: { effort: LOW }
    })`,
    'Task',
  ),
  mutation(`createTask(input: { name: "Waiting", goal: "To be told", ref: "${OPEN}" })`, 'Task'),
  mutation(`sendMessage(ref: "${PLANNED}", text: "- first\\n- second", messageId: "m-1")`, 'MessageReceipt'),
  mutation(`sendMessage(ref: "${PLANNED}", text: "- first\\n- second", messageId: "m-1")`, 'MessageReceipt'),
  mutation(`sendMessage(ref: "${INVITED}", text: "more", participant: "bob")`, 'MessageReceipt'),
  mutation(`sendMessage(ref: "${INVITED}", text: " ")`, 'MessageReceipt'),
  mutation('sendMessage(ref: "github:o/nothing#1", text: "more")', 'MessageReceipt'),
  mutation(`runCommand(ref: "${PLANNED}", text: "/effort high")`, 'CommandReply'),
  mutation(`runCommand(ref: "${PLANNED}", text: "/model scripted")`, 'CommandReply'),
  mutation(`runCommand(ref: "${PLANNED}", text: "/nothing")`, 'CommandReply'),
  rest('POST', '/sessions/reply', { ref: OPEN, text: 'from an operator', actor: 'ada' }),
  rest('POST', '/sessions/reply', { ref: OPEN, text: ' ' }),
  rest('POST', '/sessions/reply', { text: 'no ref' }),
  ...['pause', 'resume', 'cleanup', 'start', 'dance'].map((verb) =>
    rest('POST', '/sessions/control', { ref: OPEN, verb }),
  ),
  mutation(`replySession(ref: "${OPEN}", text: "over the graph")`, 'SessionReply'),
  mutation(`controlSession(ref: "${OPEN}", verb: "pause")`, 'SessionControl'),
  mutation(`controlSession(ref: "${OPEN}", verb: "resume")`, 'SessionControl'),
  mutation('createTask(input: { message: "To be ended", ref: "github:o/ended#1" })', 'Task'),
  mutation('completeTask(ref: "github:o/ended#1", text: "Good enough")', 'Task'),
  mutation('completeTask(ref: "github:o/ended#1")', 'Task'),
  mutation('sendMessage(ref: "github:o/ended#1", text: "too late")', 'MessageReceipt'),
  mutation('createTask(input: { message: "To be given up", ref: "github:o/ended#2" })', 'Task'),
  mutation('cancelTask(ref: "github:o/ended#2", reason: "No need")', 'Task'),
  mutation('createTask(input: { message: "To be closed", ref: "github:o/ended#3" })', 'Task'),
  rest('POST', '/sessions/close', { ref: 'github:o/ended#3' }),
  rest('POST', '/sessions/close', { ref: 'github:o/nothing#1' }),
  mutation('createTask(input: { message: "To be closed again", ref: "github:o/ended#5" })', 'Task'),
  mutation('closeSession(ref: "github:o/ended#5")', 'SessionClose'),
  mutation('createTask(input: { message: "Numbered by the instance" })', 'Task'),
  mutation('createTask(input: { message: "To be stopped", ref: "github:o/ended#4" })', 'Task'),
  rest('POST', '/sessions/control', { ref: 'github:o/ended#4', verb: 'stop' }),
  mutation('updateConfig(patch: { tasks: { maxTurns: 21 } })', 'ConfigUpdate'),
  mutation('updateConfig(patch: { state: 7 })', 'ConfigUpdate'),
  mutation('updateConfig(patch: { tasks: { maxTurns: 20 } })', 'ConfigUpdate'),
  mutation('registerInstance(name: "gamma", url: "http://127.0.0.1:4116")', 'ConfigUpdate'),
  mutation('unregisterInstance(name: "beta")', 'ConfigUpdate'),
  rest('POST', '/instances/register', { name: 'gamma', url: 'http://127.0.0.1:4116' }),
  rest('POST', '/instances/unregister', { name: 'beta' }),
];

/** Change nothing. */
export const READS: readonly (BaselineRequest | GraphRequest)[] = [
  ...[
    '/health',
    '/health?instance=nobody',
    '/instance',
    '/instance?instance=alpha',
    '/instances',
    '/work-items',
    `/work-items/one?ref=${encodeURIComponent(PLANNED)}`,
    '/work-items/one?ref=github:o/nothing%231',
    '/work-items/one',
    '/sessions',
    '/sessions?status=active',
    '/sessions?status=closed',
    '/sessions?status=odd',
    `/sessions/one?ref=${encodeURIComponent(INVITED)}&instance=alpha`,
    '/sessions/one?ref=github:o/nothing%231',
    `/events?workItem=${encodeURIComponent(PLANNED)}&limit=0`,
    '/events?type=task.*&limit=3',
    '/events?limit=none',
    '/events/types',
  ].map((path) => rest('GET', path)),
  query('tasks(first: 3)', 'TaskConnection'),
  query('tasks(orderBy: REF_ASC, filter: { states: [INPUT_REQUIRED] })', 'TaskConnection'),
  query('tasks(filter: { text: "invited" })', 'TaskConnection'),
  query('tasks(first: 1001)', 'TaskConnection'),
  ...[PLANNED, INVITED, OPEN, 'github:o/ended#1', 'github:o/nothing#1'].map((ref) =>
    query(`task(ref: "${ref}")`, 'Task'),
  ),
  query('commands', 'Command'),
  query('events(first: 5)', 'EventConnection'),
  query(`events(last: 1000, filter: { ref: "${INVITED}" })`, 'EventConnection'),
  query('events(last: 1000, filter: { types: ["task.turn*"], level: INFO })', 'EventConnection'),
  query('eventTypes', 'EventType'),
  query('config', 'ConfigDocument'),
  query('config(instance: "nobody")', 'ConfigDocument'),
  query('configSchema'),
  query('instance', 'InstanceDocument'),
  query('instances', 'Instance'),
  query('health', 'Health'),
  query('sessions', 'Session'),
  query(`session(ref: "${OPEN}")`, 'Session'),
  query('session(ref: "github:o/nothing#1")', 'Session'),
  query('nothing'),
];

function rest(method: 'GET' | 'POST', path: string, body?: unknown): BaselineRequest {
  return { method, path: `/api/v1${path}`, ...(body !== undefined && { body }) };
}

function query(field: string, type?: string): GraphRequest {
  return { kind: 'query', field, type };
}

function mutation(field: string, type: string): GraphRequest {
  return { kind: 'mutation', field, type };
}
