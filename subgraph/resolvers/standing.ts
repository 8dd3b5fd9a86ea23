/** Standing sessions on the wire. */
import { toIsoTime } from '../../lib/Clock.ts';
import { StandingEntry } from '../../schema/config/StandingSessionsSection.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import type {
  StandingChange as ChangeRow,
  MutationResolvers,
  QueryResolvers,
  StandingOutcome,
  StandingSession as StandingRow,
} from '../../schema/generated/resolvers.ts';
import { formatStandingRef } from '../../schema/taskRef.ts';
import type { StandingChange, StandingSession } from '../standing/createStandingSessions.ts';
import type { StandingDefinition } from '../standing/StandingStore.ts';
import { deliverText } from './deliveries.ts';
import { toOutcome } from './sessionMutations.ts';
import { OPERATOR } from './toNewTask.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function standingQueries(
  parts: WorkerParts,
): Pick<QueryResolvers<unknown>, 'standingSessions' | 'standingSession'> {
  const { standing } = parts;
  return {
    async standingSessions() {
      const own = nameOf(parts);
      return (await standing.list()).map((session) => toStandingSession(session, own));
    },
    async standingSession(_root, { name, instance }) {
      assertSelf(parts, instance);
      const session = await standing.read(name);
      if (!session) throw notFound('standing session', name);
      return toStandingSession(session, nameOf(parts));
    },
  };
}

type StandingMutation = 'createStanding' | 'deleteStanding' | 'controlStanding' | 'sayStanding';

export function standingMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, StandingMutation> {
  const { engine, ids, standing, log } = parts;

  function toAnswer(
    changes: readonly StandingChange[],
    stopped?: readonly StandingChange[],
  ): StandingOutcome {
    const own = nameOf(parts);
    return {
      instance: own,
      ok: changes.every(({ outcome }) => outcome !== 'failed'),
      sessions: changes.map((change) => toChange(change, own)),
      ...(stopped && { stopped: stopped.map((change) => toChange(change, own)) }),
    };
  }

  return {
    async createStanding(_root, { name, cwd, prompt, description, autoStart, start, instance }) {
      assertSelf(parts, instance);
      const definition = toDefinition({
        name,
        ...(cwd && { directory: cwd }),
        ...(prompt && { prompt }),
        ...(description && { description }),
        autoStart: autoStart ?? true,
      });
      return toAnswer([await standing.create(definition, { start: start ?? true })]);
    },

    async deleteStanding(_root, { name, instance }) {
      assertSelf(parts, instance);
      return toAnswer([await standing.delete(name)]);
    },

    async controlStanding(_root, { name, verb, instance }) {
      assertSelf(parts, instance);
      const names = name ? [name] : (await standing.list()).map(({ definition }) => definition.name);
      switch (verb) {
        case 'start':
          return toAnswer(await inTurn(names, standing.start));
        case 'stop':
          return toAnswer(await inTurn(names, standing.stop));
        case 'restart': {
          if (!name)
            throw badUserInput('Cannot restart standing session: "name" is empty, a name is expected');
          const stopped = await standing.stop(name);
          return toAnswer([await standing.start(name)], [stopped]);
        }
        default:
          throw badUserInput(
            `Cannot control standing session: "verb" is "${verb}", one of start, stop, restart is expected`,
          );
      }
    },

    async sayStanding(_root, { name, text, actor, instance }) {
      assertSelf(parts, instance);
      const session = await standing.read(name);
      if (!session?.task || !session.running) throw notFound('running standing session', name);
      const ref = formatStandingRef(name);
      const participant = session.task.participants.find(({ id }) => id === actor)?.id ?? OPERATOR;
      await deliverText(engine, ref, { text, messageId: ids.newId(), participant });
      const data = { session: name, actor: actor || OPERATOR };
      log.append([{ type: 'standing.said', level: 'INFO', source: 'sessions', ref, data }]);
      return { instance: nameOf(parts), name, delivered: true, ...toOutcome('delivered') };
    },
  };
}

/** @throws {FlotillaError} BAD_USER_INPUT naming the first field that cannot be taken. */
function toDefinition(fields: Readonly<Record<string, unknown>>): StandingDefinition {
  const parsed = StandingEntry.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badUserInput(
    `Cannot create standing session: "${issue?.path.join('.')}" is not accepted, ${issue?.message}`,
  );
}

async function inTurn(
  names: readonly string[],
  change: (name: string) => Promise<StandingChange>,
): Promise<StandingChange[]> {
  const changes: StandingChange[] = [];
  for (const name of names) changes.push(await change(name));
  return changes;
}

function toChange({ session, outcome, detail }: StandingChange, instance: string): ChangeRow {
  return { session: toStandingSession(session, instance), outcome, detail };
}

function toStandingSession(
  { definition, declared, task, running }: StandingSession,
  instance: string,
): StandingRow {
  const { name, description, autoStart, directory } = definition;
  return {
    instance,
    name,
    declared,
    description,
    autoStart,
    harness: 'flotilla',
    cwd: directory,
    ref: formatStandingRef(name),
    status: task === undefined ? 'absent' : running ? 'running' : 'stopped',
    running,
    harnessSessionId: task?.id ?? '',
    startedAt: task && toIsoTime(task.createdAtMs),
    lastMessageAt: task && toIsoTime(task.updatedAtMs),
  };
}
