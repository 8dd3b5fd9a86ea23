/** `flotilla tasks …`: what a person does with tasks, against any instance. */
import { Command, InvalidArgumentError } from 'commander';
import {
  CliCancelTaskDocument,
  CliCompleteTaskDocument,
  CliCreateTaskDocument,
  CliRunCommandDocument,
  CliSendMessageDocument,
  CliTaskDocument,
  CliTaskEventsDocument,
  type CliTaskEventsSubscription,
  CliTaskIdDocument,
  type CliTaskQuery,
  CliTasksDocument,
  TaskState,
} from '../schema/generated/cliOperations.ts';
import { CliError } from './CliError.ts';
import { type ConnectionOptions, createClient, withConnection } from './connection.ts';
import type { FlotillaClient } from './FlotillaClient.ts';
import { type KeyedOptions, keyed } from './keyed.ts';
import { formatState, formatTable, print, printJson, toLine, warn, warnMissing } from './output.ts';
import { taskChangeCommands } from './taskChanges.ts';
import { formatHistoryEntry, formatTaskFacts } from './taskFacts.ts';

/** Most rows of one page of an instance. */
const MAX_PAGE = 1000;

const TASK_STATES = Object.values(TaskState);

type JsonOptions = ConnectionOptions & { json?: boolean };

export function tasksCommand(): Command {
  const tasks = new Command('tasks').description('list, start and talk to tasks');
  tasks.addCommand(
    withConnection(new Command('list'))
      .description('list tasks, newest first')
      .option('--state <states...>', `only these states: ${TASK_STATES.join(', ')}`, collectStates)
      .option('--text <text>', 'only tasks with this text in name, goal, ref or last reply')
      .option('--participant <id>', 'only tasks with this participant')
      .option('--instance <names...>', 'only tasks of these instances')
      .option('--limit <n>', 'how many tasks', toCount, 50)
      .option('--json', 'the rows as JSON')
      .action(listTasks),
  );
  tasks.addCommand(
    withConnection(new Command('new'))
      .description('start a task with a message')
      .argument('<message...>', 'the first message')
      .option('--name <name>', 'a name; default: the first line of the message')
      .option('--ref <ref>', 'a ref such as github:octo/repo#15; default: numbered by the instance')
      .option('--instance <name>', 'the instance that runs it; default: the one that is asked')
      .option('--json', 'the task as JSON')
      .action(newTask),
  );
  tasks.addCommand(
    keyed('show', 'show one task with its conversation')
      .option('--at <version>', 'as it was at this version', toCount)
      .option('--json', 'the task as JSON')
      .action(showTask),
  );
  tasks.addCommand(
    keyed('send', 'send a message, or a slash command such as /status')
      .argument('<text...>', 'what to send')
      .option('--participant <id>', 'who sends it', 'operator')
      .option('--interrupt', 'cut the running turn short, so that the message is read at once')
      .option('--json', 'the answer as JSON')
      .action(sendText),
  );
  tasks.addCommand(
    withConnection(new Command('watch'))
      .description('print events of tasks as they happen; Ctrl-C ends it')
      .argument('[ref]', 'only this task')
      .option('--instance <name>', 'only tasks of this instance')
      .option('--after <cursor>', 'go on after the cursor of an earlier event')
      .option('--json', 'one JSON object a line')
      .action(watchTasks),
  );
  tasks.addCommand(
    keyed('complete', 'end a task as completed')
      .option('--text <text>', 'the closing text')
      .action(completeTask),
  );
  tasks.addCommand(
    keyed('cancel', 'end a task as cancelled').option('--reason <text>', 'why').action(cancelTask),
  );
  for (const command of taskChangeCommands()) tasks.addCommand(command);
  return tasks;
}

interface ListOptions extends JsonOptions {
  state?: TaskState[];
  text?: string;
  participant?: string;
  instance?: string[];
  limit: number;
}

async function listTasks(options: ListOptions): Promise<void> {
  const client = createClient(options);
  const { state: states, text, participant, instance: instances } = options;
  const filter = { states, text, participant, instances };
  const rows = [];
  let after: string | null | undefined;
  do {
    const first = Math.min(MAX_PAGE, options.limit - rows.length);
    const { data, unreachable, warnings } = await client.request(CliTasksDocument, {
      first,
      after,
      filter,
      orderBy: 'CREATED_AT_DESC',
    });
    warnMissing({ unreachable: after ? [] : unreachable, warnings });
    rows.push(...data.tasks.nodes);
    after = data.tasks.pageInfo.hasNextPage ? data.tasks.pageInfo.endCursor : undefined;
  } while (after && rows.length < options.limit);
  if (options.json) return printJson(rows);
  if (rows.length === 0) return print('No tasks.');
  const header = ['instance', 'ref', 'state', 'name', 'last reply'];
  print(
    formatTable([
      header,
      ...rows.map(({ instance, ref, state, subState, name, lastReply }) => [
        instance,
        ref,
        formatState(state, subState),
        toLine(name, 40),
        toLine(lastReply, 60),
      ]),
    ]),
  );
}

interface NewOptions extends JsonOptions {
  name?: string;
  ref?: string;
  instance?: string;
}

async function newTask(message: string[], options: NewOptions): Promise<void> {
  const input = { message: message.join(' '), name: options.name, ref: options.ref };
  const { data } = await createClient(options).request(CliCreateTaskDocument, {
    input,
    instance: options.instance,
  });
  if (options.json) return printJson(data.createTask);
  print(`${data.createTask.ref} on ${data.createTask.instance}: ${formatState(data.createTask.state)}`);
}

async function showTask(ref: string, options: KeyedOptions & { at?: number }): Promise<void> {
  const client = createClient(options);
  const { at: atVersion, instance } = options;
  const history = [];
  let task: CliTaskQuery['task'];
  let after: string | null | undefined;
  do {
    const { data } = await client.request(CliTaskDocument, { ref, atVersion, instance, after });
    task = data.task;
    if (!task) throw new CliError(1, `Cannot find task: no task has the key "${ref}"`);
    history.push(...task.history.nodes);
    after = task.history.pageInfo.hasNextPage ? task.history.pageInfo.endCursor : undefined;
  } while (after);
  if (options.json) return printJson({ ...task, history });
  print(formatTaskFacts(task));
  for (const entry of history) print(formatHistoryEntry(entry));
}

async function sendText(
  ref: string,
  text: string[],
  options: KeyedOptions & { participant: string; interrupt?: boolean },
): Promise<void> {
  const client = createClient(options);
  const { instance, participant } = options;
  const variables = { ref, text: text.join(' '), participant, instance };
  if (!/^\/[a-zA-Z]/.test(variables.text)) {
    const { interrupt } = options;
    const { data } = await client.request(CliSendMessageDocument, { ...variables, interrupt });
    if (options.json) return printJson(data.sendMessage);
    return print(`delivered to ${data.sendMessage.ref} on ${data.sendMessage.instance}`);
  }
  const { data } = await client.request(CliRunCommandDocument, variables);
  if (options.json) printJson(data.runCommand);
  else print(data.runCommand.text);
  if (!data.runCommand.ok) process.exitCode = 1;
}

async function completeTask(ref: string, options: KeyedOptions & { text?: string }): Promise<void> {
  const { text, instance } = options;
  const { data } = await createClient(options).request(CliCompleteTaskDocument, { ref, text, instance });
  print(`${data.completeTask.ref} on ${data.completeTask.instance}: ${formatState(data.completeTask.state)}`);
}

async function cancelTask(ref: string, options: KeyedOptions & { reason?: string }): Promise<void> {
  const { reason, instance } = options;
  const { data } = await createClient(options).request(CliCancelTaskDocument, { ref, reason, instance });
  print(`${data.cancelTask.ref} on ${data.cancelTask.instance}: ${formatState(data.cancelTask.state)}`);
}

async function watchTasks(
  ref: string | undefined,
  options: KeyedOptions & { after?: string },
): Promise<void> {
  const { after, instance } = options;
  const client = createClient(options);
  // A manager's stream goes on behind a purge, and one that begins in the past may tell of an earlier task.
  const endsWithTask = ref !== undefined && after === undefined;
  let watched = endsWithTask ? await findTask(client, ref, instance) : undefined;
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('Interrupted'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const events = client.subscribe(
    CliTaskEventsDocument,
    { ref, instance },
    {
      signal: controller.signal,
      after,
      cursorOf: ({ taskEvents }) => taskEvents.cursor,
      // An instance ends the stream of one task with it.
      isLast: ({ taskEvents }) => taskEvents.type === 'task.purged',
      onLost: (hasPosition) =>
        warn(
          hasPosition
            ? 'the connection was lost; it is made again, and goes on where it was'
            : 'the connection was lost before the first event; it is made again, and tells what happens from then on',
        ),
    },
  );
  for await (const { taskEvents } of events) {
    if (options.json) print(JSON.stringify(taskEvents));
    else if (taskEvents.type !== 'stream.bookmark') print(formatEvent(taskEvents));
    if (!endsWithTask) continue;
    const { taskId } = taskEvents.data as { readonly taskId?: string };
    if (taskEvents.type === 'task.created' && taskId !== undefined) watched = { id: taskId };
    // An earlier task of the ref may be purged long after this one has come.
    if (taskEvents.type === 'task.purged' && (!watched || taskId === watched.id)) return;
  }
}

/** The task that has the ref now, without an id when there is none yet; undefined when nobody can say. */
async function findTask(
  client: FlotillaClient,
  ref: string,
  instance?: string,
): Promise<{ readonly id: string | undefined } | undefined> {
  try {
    const { data } = await client.request(CliTaskIdDocument, { ref, instance });
    return { id: data.task?.id };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.code === 'NOT_FOUND' ? { id: undefined } : undefined;
  }
}

function formatEvent({ at, instance, ref, type, data }: CliTaskEventsSubscription['taskEvents']): string {
  return `${at}  ${instance}  ${ref ?? ''}  ${type}  ${toLine(JSON.stringify(data), 120)}`;
}

function collectStates(value: string, previous: TaskState[] | undefined): TaskState[] {
  const state = TASK_STATES.find((known) => known === value.toUpperCase().replaceAll('-', '_'));
  if (!state) throw new InvalidArgumentError(`one of ${TASK_STATES.join(', ')} is expected.`);
  return [...(previous ?? []), state];
}

function toCount(value: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError('a number from 1 is expected.');
  return count;
}
