/** What is read of checkouts on this machine, and the critics that review them (spec/rest-on-tasks.md, Verbs). */
import { isAbsolute } from 'node:path';
import { badUserInput } from '../../schema/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../../schema/generated/resolvers.ts';
import { resolveWithin } from '../plugins/resolveWithin.ts';
import type { CriticOutcome } from '../repo/critics/Critics.ts';
import { type Checkout, findCheckout, openCheckout } from '../repo/openCheckout.ts';
import { readDocument, readInstructions } from '../repo/readInstructions.ts';
import { readScenarioTable } from '../repo/readScenarioTable.ts';
import { toCost } from './money.ts';
import { readRow } from './task.ts';
import { checkText } from './texts.ts';
import { assertSelf, type WorkerParts } from './WorkerParts.ts';

/** In seconds. */
const MAX_TIMEOUT = 3_600;

type CheckoutQuery = 'repoScenarios' | 'repoInstructions' | 'repoCritics' | 'repoReviewPolicy';

export function checkoutQueries(parts: WorkerParts): Pick<QueryResolvers<unknown>, CheckoutQuery> {
  const { config, critics } = parts;
  const open = ({
    repo,
    instance,
  }: {
    readonly repo: string;
    readonly instance?: string | null;
  }): Checkout => {
    assertSelf(parts, instance);
    return openCheckout(repo, rootsOf(parts));
  };
  return {
    async repoScenarios(_root, { globs, ...args }) {
      return { answer: await readScenarioTable(open(args), globs ?? []) };
    },

    async repoInstructions(_root, { docs, onMissing, ...args }) {
      const documents = docs && docs.length > 0 ? docs : config.current().instructions.documents;
      return { answer: await readInstructions(open(args), documents, onMissing) };
    },

    repoCritics(_root, args) {
      open(args);
      return {
        answer: critics.list().map(({ name, model, available, enabled, error }) => ({
          name,
          harness: 'flotilla',
          model,
          binary: '',
          available,
          enabled,
          error,
        })),
      };
    },

    repoReviewPolicy(_root, args) {
      const { repo } = open(args);
      const ready = critics.list().filter(({ available, enabled }) => available && enabled);
      return {
        answer: {
          repo,
          critics: ready.map(({ name, model, tokens, timeoutSeconds }) => ({
            name,
            model,
            tokens,
            timeoutSeconds,
          })),
        },
      };
    },
  };
}

export function checkoutMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, 'runCritic'> {
  return {
    async runCritic(_root, { repo, name, prompt, promptFile, workItem, timeout, cwd, instance }) {
      assertSelf(parts, instance);
      const checkout = openCheckout(repo, rootsOf(parts));
      const task = workItem ? await readRow(parts, workItem) : undefined;
      const asked = [prompt, promptFile ? await readPrompt(checkout, promptFile) : ''].filter(Boolean);
      const outcome = await parts.critics.run({
        name,
        checkout: cwd ? within(checkout, cwd) : checkout,
        ...(asked.length > 0 && { prompt: checkText('description', asked.join('\n\n')) }),
        ...(typeof timeout === 'number' && { timeoutMs: toTimeoutMs(timeout) }),
        ...(task && { task }),
      });
      const { model, usage } = outcome.kind === 'reviewed' ? outcome : {};
      if (model !== undefined) {
        const data = {
          critic: name,
          model,
          repo,
          inputTokens: usage?.inputTokens,
          outputTokens: usage?.outputTokens,
        };
        parts.log.append([
          { type: 'critic.reviewed', level: 'INFO', source: 'critic', ...(task && { ref: task.ref }), data },
        ]);
      }
      return { answer: { name, harness: 'flotilla', repo, ...toAnswer(outcome) } };
    },
  };
}

/** The configured roots, else the directory that the instance was started in. */
export function rootsOf({ config, workingDirectory }: WorkerParts): readonly string[] {
  const { roots } = config.current().checkouts;
  return roots.length > 0 ? roots : [workingDirectory];
}

function toAnswer(outcome: CriticOutcome): object {
  switch (outcome.kind) {
    case 'reviewed': {
      const { review, model, base, truncated, usage } = outcome;
      const { costMicros, ...tokens } = usage;
      const used = { ...tokens, cost: toCost(costMicros) ?? null };
      const messages = [{ stream: 'out', text: review }];
      return { outcome: 'reviewed', model, base, review, truncated, usage: used, exitCode: 0, messages };
    }
    case 'unchanged': {
      const messages = [{ stream: 'out', text: `nothing differs from ${outcome.base}` }];
      return { outcome: 'unchanged', base: outcome.base, review: '', exitCode: 0, messages };
    }
    default:
      return {
        outcome: 'refused',
        review: '',
        exitCode: 1,
        messages: [{ stream: 'err', text: outcome.reason }],
      };
  }
}

async function readPrompt({ path }: Checkout, promptFile: string): Promise<string> {
  const { text, detail } = await readDocument(path, promptFile);
  if (text !== null) return text;
  throw badUserInput(
    `Cannot read prompt: "${promptFile}" cannot be used: ${detail}, a document of the checkout is expected`,
  );
}

function within({ path, root }: Checkout, cwd: string): Checkout {
  const real = cwd.includes('\0') ? undefined : resolveWithin(path, isAbsolute(cwd) ? cwd : `./${cwd}`);
  const found = real === undefined ? undefined : findCheckout(real, [root]);
  if (found) return found;
  throw badUserInput(`Cannot run critic: "cwd" is "${cwd}", a directory of the checkout is expected`);
}

function toTimeoutMs(seconds: number): number {
  if (seconds > 0 && seconds <= MAX_TIMEOUT) return seconds * 1_000;
  throw badUserInput(
    `Cannot run critic: "timeout" is ${seconds}, more than 0 and at most ${MAX_TIMEOUT} is expected`,
  );
}
