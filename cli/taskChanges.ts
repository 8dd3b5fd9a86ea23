/** `flotilla tasks …`: what a person decides about a task beside talking to it. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  CliAnswerQuestionDocument,
  CliForkTaskDocument,
  CliPauseTaskDocument,
  CliPurgeTaskDocument,
  CliResumeTaskDocument,
  CliSetTaskBudgetDocument,
} from '../schema/generated/cliOperations.ts';
import { CliError } from './CliError.ts';
import { createClient } from './connection.ts';
import { type KeyedOptions, keyed } from './keyed.ts';
import { formatState, print } from './output.ts';
import { formatBudget } from './taskFacts.ts';

export function taskChangeCommands(): readonly Command[] {
  return [
    keyed('answer', 'answer the question of a task')
      .argument('<text...>', 'the answer')
      .option('--participant <id>', 'who answers; default: who is asked')
      .action(answerQuestion),
    keyed('pause', 'start no new turn; messages queue').action(pauseTask),
    keyed('resume', 'let turns start again').action(resumeTask),
    keyed('budget', 'raise, lower or lift what a task may use')
      .option('--turns <n>', 'most model turns, or "none"', toCount)
      .option('--tokens <n>', 'most tokens, or "none"', toCount)
      .option('--cost <amount>', 'highest cost, or "none"', toAmount)
      .action(setBudget),
    keyed('purge', 'delete a task, open or ended, with all that is held of it').action(purgeTask),
    keyed('fork', 'start a new task from a past version of another one')
      .argument('<version>', 'the version; "tasks show" tells the newest one', toVersion)
      .argument('[message...]', 'the first message on the new way')
      .option('--ref <ref>', 'the ref of the new task; default: numbered by the instance')
      .option('--name <name>', 'its name; default: that of the other task')
      .action(forkTask),
  ];
}

async function answerQuestion(
  ref: string,
  text: string[],
  options: KeyedOptions & { participant?: string },
): Promise<void> {
  const { participant, instance } = options;
  const variables = { ref, text: text.join(' '), participant, instance };
  const { data } = await createClient(options).request(CliAnswerQuestionDocument, variables);
  print(`answered on ${data.answerQuestion.instance}: ${formatState(data.answerQuestion.state)}`);
}

async function pauseTask(ref: string, options: KeyedOptions): Promise<void> {
  const { data } = await createClient(options).request(CliPauseTaskDocument, {
    ref,
    instance: options.instance,
  });
  print(`${data.pauseTask.ref} on ${data.pauseTask.instance}: paused`);
}

async function resumeTask(ref: string, options: KeyedOptions): Promise<void> {
  const { data } = await createClient(options).request(CliResumeTaskDocument, {
    ref,
    instance: options.instance,
  });
  const { resumeTask: task } = data;
  print(`${task.ref} on ${task.instance}: ${formatState(task.state, task.subState)}`);
}

async function purgeTask(ref: string, options: KeyedOptions): Promise<void> {
  await createClient(options).request(CliPurgeTaskDocument, { ref, instance: options.instance });
  print(`${ref}: purged`);
}

/** Lifts a limit. A word, because the parser of options makes text of a null. */
const NONE = 'none';

type Limit = number | typeof NONE;

interface BudgetOptions extends KeyedOptions {
  readonly turns?: Limit;
  readonly tokens?: Limit;
  readonly cost?: Limit;
}

async function setBudget(ref: string, options: BudgetOptions): Promise<void> {
  const { turns, tokens, cost, instance } = options;
  if (turns === undefined && tokens === undefined && cost === undefined) {
    throw new CliError(2, 'Cannot set budget: no limit is given, --turns, --tokens or --cost is expected');
  }
  const budget = { turns: toLimit(turns), tokens: toLimit(tokens), cost: toLimit(cost) };
  const variables = { ref, instance, budget };
  const { data } = await createClient(options).request(CliSetTaskBudgetDocument, variables);
  const { setTaskBudget: task } = data;
  print(`${task.ref} on ${task.instance}: ${formatBudget(task)}`);
}

async function forkTask(
  ref: string,
  atVersion: number,
  message: string[],
  options: KeyedOptions & { ref?: string; name?: string },
): Promise<void> {
  const { name, ref: newRef, instance } = options;
  const variables = { ref, atVersion, message: message.join(' ') || null, newRef, name, instance };
  const { data } = await createClient(options).request(CliForkTaskDocument, variables);
  print(`${data.forkTask.ref} on ${data.forkTask.instance}: ${formatState(data.forkTask.state)}`);
}

function toLimit(limit: Limit | undefined): number | null | undefined {
  return limit === NONE ? null : limit;
}

function toCount(value: string): Limit {
  return value === NONE ? NONE : toWhole(value, 0);
}

function toAmount(value: string): Limit {
  if (value === NONE) return NONE;
  const amount = Number(value);
  if (value.trim() === '' || !Number.isFinite(amount) || amount < 0) {
    throw new InvalidArgumentError('an amount from 0 on, or "none", is expected.');
  }
  return amount;
}

function toVersion(value: string): number {
  return toWhole(value, 1);
}

function toWhole(value: string, least: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number >= least) return number;
  throw new InvalidArgumentError(`a whole number from ${least} on is expected.`);
}
