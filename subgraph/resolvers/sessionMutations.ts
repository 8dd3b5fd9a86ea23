/** The verbs that the REST contract has for sessions, done on tasks (spec/rest-on-tasks.md, Verbs). A refused effect is an answer with exit code 1. */
import { badUserInput, notSupported } from '../../schema/errors.ts';
import type { MutationResolvers } from '../../schema/generated/resolvers.ts';
import type { NewInput } from '../engine/TaskEngine.ts';
import { isTerminal } from '../task/index.ts';
import { deliverText, refusalOf } from './deliveries.ts';
import { readRow } from './task.ts';
import { OPERATOR } from './toNewTask.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function sessionMutations(
  parts: WorkerParts,
): Pick<MutationResolvers<unknown>, 'replySession' | 'controlSession' | 'closeSession'> {
  const { engine, ids } = parts;
  return {
    async replySession(_root, { ref, text, actor, instance }) {
      assertSelf(parts, instance);
      const { participants } = await readRow(parts, ref);
      const participant = participants.find(({ id }) => id === actor)?.id ?? OPERATOR;
      await deliverText(engine, ref, { text, messageId: ids.newId(), participant });
      return { instance: nameOf(parts), ref, delivered: true, ...toOutcome('delivered') };
    },

    async controlSession(_root, { ref, verb, instance }) {
      assertSelf(parts, instance);
      const { effect, refusal } = await control(parts, ref, verb);
      return { instance: nameOf(parts), ref, verb, effect, ...toOutcome(effect, refusal) };
    },

    async closeSession(_root, { ref, instance }) {
      assertSelf(parts, instance);
      const delivery = await engine.deliver(ref, { kind: 'completeRequested', participant: OPERATOR });
      const refusal = refusalOf(delivery)?.reason;
      return { instance: nameOf(parts), ref, closed: refusal === undefined, ...toOutcome('closed', refusal) };
    },
  };
}

async function control(
  parts: WorkerParts,
  ref: string,
  verb: string,
): Promise<{ effect: string; refusal?: string }> {
  const row = await readRow(parts, ref);
  const deliver = async (kind: NewInput['kind'] & `${string}Requested`, effect: string) => {
    const refusal = refusalOf(await parts.engine.deliver(ref, { kind, participant: OPERATOR }));
    return refusal ? { effect: 'rejected', refusal: refusal.reason } : { effect };
  };
  switch (verb) {
    case 'start':
      return isTerminal(row)
        ? { effect: 'rejected', refusal: `the task is ${row.status.state}` }
        : { effect: 'noop' };
    case 'pause':
      return deliver('pauseRequested', 'paused');
    case 'resume':
      return deliver('resumeRequested', 'resumed');
    case 'stop':
      return deliver('cancelRequested', 'stopped');
    case 'cleanup':
      throw notSupported(
        'controlSession',
        'this instance keeps the records of ended tasks and has no "cleanup"',
      );
    default:
      throw badUserInput(
        `Cannot control session: "verb" is "${verb}", one of start, pause, resume, stop, cleanup is expected`,
      );
  }
}

function toOutcome(done: string, refusal?: string) {
  return {
    exitCode: refusal === undefined ? 0 : 1,
    messages: [refusal === undefined ? { stream: 'out', text: done } : { stream: 'err', text: refusal }],
  };
}
