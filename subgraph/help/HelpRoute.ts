/** Where a need for help goes, and whether a route can be taken (spec/worker.md § 5.4). Pure. */
import { z } from 'zod';

/** Longest name of a task that is made of a question, in characters. */
const MAX_NAME_LENGTH = 60;

export interface HelpNeed {
  readonly question: string;
  /** A hint for the answer. */
  readonly options: readonly string[];
  /** It is work of somebody else that the task waits for. */
  readonly blockingWork: boolean;
  /** Who is thought of. */
  readonly participant?: string;
}

const OptionalText = z
  .string()
  .nullish()
  .transform((text) => text?.trim() || undefined);
const Texts = z
  .array(z.string())
  .readonly()
  .nullish()
  .transform((texts) => texts ?? []);

const HelpRoute = z.strictObject({
  route: z.enum(['ask', 'create_task']),
  participantId: z.string(),
  question: OptionalText,
  options: Texts,
  name: OptionalText,
  goal: OptionalText,
  acceptanceCriteria: Texts,
  reason: OptionalText,
});
export type HelpRoute = z.output<typeof HelpRoute>;

/** Why a route cannot be taken: `<what is>, <what is expected>`. */
export interface Objection {
  readonly objection: string;
}

/**
 * Reads what a model or a hook has decided.
 *
 * @param partners ids of those who can be asked.
 */
export function readHelpRoute(
  value: unknown,
  need: HelpNeed,
  partners: readonly string[],
): HelpRoute | Objection {
  const parsed = HelpRoute.safeParse(value);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    const place = path.length > 0 ? `"${path.join('.')}" of the route` : 'the route';
    return { objection: `${place} is not of the wanted shape (${message}), one that is is expected` };
  }
  const { route, participantId, question, goal } = parsed.data;
  if (!partners.includes(participantId)) {
    return { objection: `"${participantId}" cannot be addressed, one of ${partners.join(', ')} is expected` };
  }
  if (route === 'ask' && need.blockingWork) {
    return { objection: 'work of somebody else is to be asked for, a task for it is expected' };
  }
  if (route === 'ask' && question === undefined) {
    return { objection: 'nothing is asked, a question is expected' };
  }
  if (goal === undefined && question === undefined) {
    return { objection: 'the task has neither a goal nor a question, one of them is expected' };
  }
  return parsed.data;
}

/** Where a need goes that nobody has decided about. */
export function defaultRoute(
  { question, options, blockingWork }: HelpNeed,
  participantId: string,
): z.input<typeof HelpRoute> {
  if (!blockingWork) {
    return { route: 'ask', participantId, question, options, reason: 'A question is asked by default' };
  }
  return {
    route: 'create_task',
    participantId,
    name: question.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH).toWellFormed(),
    goal: question,
    reason: 'Work of somebody else is a task by default',
  };
}
