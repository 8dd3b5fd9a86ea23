/** The process graph of a work item: the plan of its task, read and set from outside (spec/rest-on-tasks.md, Verbs). */
import { badUserInput, notFound, notSupported } from '../../schema/errors.ts';
import type { CheckoutAnswer, MutationResolvers, QueryResolvers } from '../../schema/generated/resolvers.ts';
import type { NewInput, TaskRow } from '../engine/TaskEngine.ts';
import { toTaskRow } from '../engine/toTaskRow.ts';
import { forceWarnings, splitSkipped } from '../process/planChanges.ts';
import { toProcessGraph } from '../process/toProcessGraph.ts';
import { toProcessReport } from '../process/toProcessReport.ts';
import { findCheckout, openCheckout } from '../repo/openCheckout.ts';
import { currentStep, isTerminal, type PlanEdit, stepOf } from '../task/index.ts';
import { rootsOf } from './checkouts.ts';
import { refusalOf } from './deliveries.ts';
import { readRow } from './task.ts';
import { checkText } from './texts.ts';
import { OPERATOR } from './toNewTask.ts';
import { assertSelf, type WorkerParts } from './WorkerParts.ts';

const MAX_NODES = 100;
const MAX_REPOSITORIES = 50;

type ProcessMutation =
  | 'checkGraph'
  | 'completeGraph'
  | 'advanceGraph'
  | 'forceGraph'
  | 'skipGraph'
  | 'declareGraphRepos';

/** What all of them name. */
interface Addressed {
  readonly repo: string;
  readonly workItem?: string | null;
  /** Names the item where `workItem` is the name of a directory. */
  readonly ref?: string | null;
  readonly pr?: number | null;
  readonly prRepo?: string | null;
  readonly instance?: string | null;
}

export function processQueries(parts: WorkerParts): Pick<QueryResolvers<unknown>, 'processGraph'> {
  return {
    async processGraph(_root, { specDir, ...args }) {
      assertOwnPlan(parts, 'processGraph', args);
      const checkout = openCheckout(args.repo, rootsOf(parts));
      if (args.workItem) return { answer: toProcessGraph(await readRow(parts, args.workItem)) };
      // The REST contract has no other word for the item here; members of another make take a directory for it.
      const named = specDir ? await parts.engine.read(specDir) : undefined;
      const row = named ?? (await findDeclaring(parts, [checkout.repo, checkout.path]));
      return { answer: toProcessGraph(row) };
    },
  };
}

export function processMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, ProcessMutation> {
  /** Delivers the change; the task before and after it, and why it was refused. */
  async function change(
    args: Addressed & { readonly actor?: string | null },
    toInput: (participant: string) => NewInput,
  ): Promise<{ readonly before: TaskRow; readonly after: TaskRow; readonly refusal?: string }> {
    openCheckout(args.repo, rootsOf(parts));
    const ref = args.ref || args.workItem || '';
    const before = await readRow(parts, ref);
    const participant = before.participants.find(({ id }) => id === args.actor)?.id ?? OPERATOR;
    const delivery = await parts.engine.deliver(ref, toInput(participant));
    const refused = refusalOf(delivery);
    if (refused?.code === 'channel.not_a_member') throw notFound('task', ref);
    return { before, after: toTaskRow(delivery.state), ...(refused && { refusal: refused.reason }) };
  }

  const edit = (args: Addressed & { readonly actor?: string | null }, planEdit: PlanEdit) =>
    change(args, (participant) => ({ kind: 'planEdited', participant, edit: planEdit }));

  return {
    async checkGraph(_root, args) {
      assertOwnPlan(parts, 'checkGraph', args);
      const report = toProcessReport(await readRow(parts, args.workItem));
      const isThere = findCheckout(args.repo, rootsOf(parts)) !== undefined;
      return { answer: isThere ? report : { ...report, ok: false, repoResolved: false } };
    },

    async completeGraph(_root, { node, ...args }) {
      assertOwnPlan(parts, 'completeGraph', args);
      const { before, after, refusal } = await edit(args, {
        op: 'complete',
        ...(node && { step: checkText('name', node) }),
      });
      const wanted = before.plan && (node ? stepOf(before.plan, node) : currentStep(before.plan));
      const done = `step "${wanted?.id}" is done`;
      return toAnswer({ ...toProcessReport(after), node: wanted?.id ?? null }, refusal, done);
    },

    async advanceGraph(_root, args) {
      assertOwnPlan(parts, 'advanceGraph', args);
      const { after, refusal } = await edit(args, { op: 'advance' });
      const report = toProcessReport(after);
      const next =
        report.currentNode === null ? 'no step is left' : `step "${report.currentNode}" is current`;
      return toAnswer(report, refusal, next);
    },

    async forceGraph(_root, { toNode, reason, ...args }) {
      assertOwnPlan(parts, 'forceGraph', args);
      const step = checkText('name', toNode);
      const { before, after, refusal } = await edit(args, {
        op: 'force',
        step,
        reason: checkText('reason', reason),
      });
      const target = stepOf(after.plan, step)?.id ?? step;
      const isDone = refusal === undefined && before.plan && after.plan;
      return toAnswer(
        {
          workItem: after.ref,
          fromNode: (before.plan && currentStep(before.plan)?.id) ?? null,
          toNode: target,
          reason,
          warnings: isDone ? forceWarnings(before.plan, after.plan, target) : [],
        },
        refusal,
        `step "${target}" is current`,
      );
    },

    async skipGraph(_root, { nodes, reason, ...args }) {
      assertOwnPlan(parts, 'skipGraph', args);
      if (nodes.length === 0 || nodes.length > MAX_NODES) {
        throw badUserInput(
          `Cannot skip steps: "nodes" has ${nodes.length} entries, 1 to ${MAX_NODES} are expected`,
        );
      }
      const steps = nodes.map((node) => checkText('name', node));
      const { after, refusal } = await edit(args, { op: 'skip', steps, reason: checkText('reason', reason) });
      const { declared, rejected } =
        after.plan && refusal === undefined
          ? splitSkipped(after.plan, steps)
          : { declared: [], rejected: steps };
      const warnings = rejected.map((node) => `"${node}" is no open step`);
      return toAnswer(
        { workItem: after.ref, declared, rejected, reason, warnings },
        refusal,
        `skipped: ${declared.join(', ')}`,
      );
    },

    async declareGraphRepos(_root, { repositories, clear, ...args }) {
      assertOwnPlan(parts, 'declareGraphRepos', args);
      const wanted = clear ? [] : repositories;
      if (!wanted) {
        openCheckout(args.repo, rootsOf(parts));
        const { ref, repositories: declared = [] } = await readRow(parts, args.ref || args.workItem);
        return toAnswer({ workItem: ref, repositories: declared }, undefined, 'read');
      }
      const { after, refusal } = await change(args, (participant) => ({
        kind: 'repositoriesDeclared',
        participant,
        repositories: checkRepositories(wanted),
      }));
      const { ref, repositories: declared = [] } = after;
      return toAnswer({ workItem: ref, repositories: declared }, refusal, 'declared');
    },
  };
}

/** The open task that is worked on in one of these, else the newest that has declared one as a repository of its. */
async function findDeclaring(
  { engine, workItems }: WorkerParts,
  repositories: readonly string[],
): Promise<TaskRow> {
  const here = await engine.readMany(workItems.workedOnIn(repositories));
  const working = here.find((row) => row !== undefined && !isTerminal(row));
  if (working) return working;
  const [row] = await engine.list({
    limit: 1,
    order: 'UPDATED_AT_DESC',
    states: ['SUBMITTED', 'WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED'],
    repositories,
  });
  if (row) return row;
  throw notFound('task with the repository', repositories[0] ?? '');
}

/** @throws {FlotillaError} NOT_SUPPORTED for a pull request: a plan has no loops of its own for them. */
function assertOwnPlan(parts: WorkerParts, operation: string, { pr, prRepo, instance }: Addressed): void {
  assertSelf(parts, instance);
  if (typeof pr === 'number')
    throw notSupported(operation, 'plans of this instance have no graph of a pull request');
  if (prRepo) throw badUserInput(`Cannot do ${operation}: "prRepo" stands alone, it is expected beside "pr"`);
}

function checkRepositories(repositories: readonly string[]): readonly string[] {
  if (repositories.length <= MAX_REPOSITORIES) return repositories.map((name) => checkText('name', name));
  throw badUserInput(
    `Cannot declare repositories: there are ${repositories.length}, at most ${MAX_REPOSITORIES} are expected`,
  );
}

/** The envelope of the contract's verbs: a refused effect is an answer with exit code 1 (spec/rest-shapes.md § 13). */
function toAnswer(fields: object, refusal: string | undefined, done: string): Partial<CheckoutAnswer> {
  const isRefused = refusal !== undefined;
  const messages = [{ stream: isRefused ? 'err' : 'out', text: refusal ?? done }];
  return { answer: { ...fields, exitCode: isRefused ? 1 : 0, messages } };
}
