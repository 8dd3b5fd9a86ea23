/** The verbs that the REST contract has for sessions, done on tasks (spec/rest-on-tasks.md, Verbs). A refused effect is an answer with exit code 1. */
import { isAbsolute } from 'node:path';
import { parseWorkItemRef } from '../../schema/config/workItemRef.ts';
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import type { MutationResolvers, OutputLine } from '../../schema/generated/resolvers.ts';
import { controlSession } from '../sessions/controlSession.ts';
import { isTerminal } from '../task/index.ts';
import { deliverText, refusalOf } from './deliveries.ts';
import { readRow } from './task.ts';
import { OPERATOR, toNewTask } from './toNewTask.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

type SessionMutation =
  | 'replySession'
  | 'controlSession'
  | 'closeSession'
  | 'registerSession'
  | 'linkPullRequest';

export function sessionMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, SessionMutation> {
  const { engine, ids, workItems, log } = parts;
  const tell = (type: string, ref: string, data: Readonly<Record<string, unknown>>): void => {
    log.append([{ type, level: 'INFO', source: 'sessions', ref, data }]);
  };
  return {
    async replySession(_root, { ref, text, actor, instance }) {
      assertSelf(parts, instance);
      const { participants } = await readRow(parts, ref);
      const participant = participants.find(({ id }) => id === actor)?.id ?? OPERATOR;
      const refusal = await refusalFrom(() =>
        deliverText(engine, ref, { text, messageId: ids.newId(), participant }),
      );
      if (refusal === undefined) tell('session.reply_sent', ref, { actor: actor || OPERATOR });
      return {
        instance: nameOf(parts),
        ref,
        delivered: refusal === undefined,
        ...toOutcome('delivered', refusal),
      };
    },

    async controlSession(_root, { ref, verb, instance }) {
      assertSelf(parts, instance);
      const { effect, refusal } = await controlSession(ref, verb, {
        ...parts,
        operator: OPERATOR,
        isDeclared: (item) => parts.config.current().instance.scope.workItems.includes(item),
        toTask: () => emptyTask(parts, ref),
      });
      return { instance: nameOf(parts), ref, verb, effect, ...toOutcome(effect, refusal) };
    },

    async closeSession(_root, { ref, instance }) {
      assertSelf(parts, instance);
      const delivery = await engine.deliver(ref, { kind: 'completeRequested', participant: OPERATOR });
      const refusal = refusalOf(delivery)?.reason;
      return { instance: nameOf(parts), ref, closed: refusal === undefined, ...toOutcome('closed', refusal) };
    },

    async registerSession(_root, { ref, cwd, force, instance }) {
      assertSelf(parts, instance);
      const present = await engine.read(ref);
      const isOpen = present !== undefined && !isTerminal(present);
      if (isOpen && !force) {
        throw badUserInput(
          `Cannot register session: "${ref}" has an open session, "force" is expected to take it over`,
        );
      }
      const { id } = isOpen ? present : (await engine.start(emptyTask(parts, ref))).state;
      // The contract's default is the caller's own directory, of which nothing is known here.
      if (cwd && isAbsolute(cwd)) workItems.setDirectory(ref, cwd);
      tell('session.registered', ref, { sessionId: id });
      return {
        instance: nameOf(parts),
        ref,
        harness: 'flotilla',
        harnessSessionId: id,
        ...toOutcome(isOpen ? 'taken over' : 'registered'),
      };
    },

    async linkPullRequest(_root, { ref, pullRequest, discover, instance }) {
      assertSelf(parts, instance);
      await readRow(parts, ref);
      const own = { instance: nameOf(parts), ref };
      if (!pullRequest) {
        if (!discover) {
          throw badUserInput(
            'Cannot link pull request: neither "pullRequest" nor "discover" is given, one is expected',
          );
        }
        return {
          ...own,
          linked: false,
          ...toOutcome('', 'pull requests are found by a tracker, which there is not'),
        };
      }
      const linked = parseWorkItemRef(pullRequest);
      if (linked === undefined) {
        throw badUserInput(
          'Cannot link pull request: "pullRequest" is not a ref, "provider:[host/]owner/repo#number" is expected',
        );
      }
      const isNew = workItems.linkPullRequest(ref, linked);
      if (isNew) tell('session.pr_linked', ref, { pullRequest: linked });
      return { ...own, pullRequest: linked, linked: true, ...toOutcome(isNew ? 'linked' : 'linked before') };
    },
  };
}

/** What every verb says: that it was done, or why not. */
export function toOutcome(done: string, refusal?: string): { exitCode: number; messages: OutputLine[] } {
  return {
    exitCode: refusal === undefined ? 0 : 1,
    messages: [refusal === undefined ? { stream: 'out', text: done } : { stream: 'err', text: refusal }],
  };
}

/** Why a task has not taken it; undefined when it has. */
async function refusalFrom(deliver: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await deliver();
    return undefined;
  } catch (error) {
    if (error instanceof FlotillaError && error.code === 'CONFLICT') return error.message;
    throw error;
  }
}

/** A task that waits for its first message. */
function emptyTask({ config, ids, allowedModels }: WorkerParts, ref: string) {
  const { agentId, maxTurns } = config.current().tasks;
  return toNewTask({ ref }, { messageId: ids.newId(), agentId, maxTurns, allowedModels });
}
