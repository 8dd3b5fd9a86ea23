/** The log of an agent's tasks as a list: what this manager has seen of them, and looks for now when nobody listens. */
import { type EventPage, type EventPageArguments, parseEventRange, toEventPage } from '../toEventPage.ts';
import type { A2AContext } from './A2AContext.ts';

/** @throws {FlotillaError} BAD_USER_INPUT for a page or a cursor that is none; what the agent tells. */
export async function readEvents(
  args: EventPageArguments,
  { readLog }: Pick<A2AContext, 'readLog'>,
): Promise<EventPage> {
  const range = parseEventRange(args);
  const { all } = await readLog();
  const events = all.filter(({ offset }) => offset > range.position);
  return toEventPage(events, range, { filter: args.filter });
}
