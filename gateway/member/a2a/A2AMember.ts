/** An existing A2A 1.0 agent as a member, mounted unchanged: its card, its tasks, and their streams (design § 4). */
import type { GraphQLSchema } from 'graphql';
import type { AddressGuard } from '../../../lib/AddressGuard.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { closableIterable } from '../../../lib/closableIterable.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { createRedactor, type Redactor } from '../../../lib/redact.ts';
import { CallFailed } from '../CallFailed.ts';
import { createHttpConnection } from '../HttpConnection.ts';
import type { Member, MemberErrorEntry, MemberEventPage } from '../Member.ts';
import { SchemaExecutor } from '../SchemaExecutor.ts';
import { SentMessages } from '../SentMessages.ts';
import { SharedLists } from '../SharedLists.ts';
import { StreamPace } from '../StreamPace.ts';
import { settle } from '../settle.ts';
import type { A2ABinding } from './A2ABinding.ts';
import { A2ACalls } from './A2ACalls.ts';
import { type CreationOutcome, createA2AContext, type SentOutcome } from './A2AContext.ts';
import { AgentWatch } from './AgentWatch.ts';
import type { TaskList } from './collectTasks.ts';
import { createA2ABinding } from './createA2ABinding.ts';
import { FirstSeen } from './FirstSeen.ts';
import type { AgentCard } from './judgeAgentCard.ts';
import { openTaskStream } from './openTaskStream.ts';
import { readAgent } from './readAgent.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import { TaskLog } from './TaskLog.ts';
import { TaskTracker } from './TaskTracker.ts';
import { watchLog } from './watchLog.ts';

/** Some 200 frames that come one by one, and up to 400 that come together. */
const STREAM_STEPS_PER_SECOND = 400;

export interface A2AMemberOptions {
  readonly name: string;
  /** The registered URL, behind which the card is: http or https, with or without a path prefix. */
  readonly url: string;
  /** Of A2A agents: `buildMemberSchema` over `A2A_FIELDS`. */
  readonly schema: GraphQLSchema;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Judges the addresses of the agent's host. */
  readonly guard: AddressGuard;
  /** As whom the agent is asked, when an operation names nobody. @default 'operator' */
  readonly participant?: string;
  /** The agent's own bearer token, asked for with every request and never kept. @default none */
  readonly token?: () => string | undefined;
  /** For the texts of the agent. @default what looks like a credential is masked */
  readonly redact?: Redactor;
  /** See `HttpConnectionOptions`. @default none */
  readonly outgoingHeaders?: () => Readonly<Record<string, string>>;
}

/** What is known of the agent by its newest card. */
interface Agent {
  readonly card: AgentCard;
  readonly binding: A2ABinding;
}

/** Opens no socket before the first call. Disposing ends calls on the way; streams end with their own signals. */
export function createA2AMember(options: A2AMemberOptions): Member & AsyncDisposable {
  const { name, url, schema, clock, ids, logger, guard, outgoingHeaders } = options;
  const { participant = 'operator', token = () => undefined, redact = createRedactor() } = options;
  // The interface that a card names is on the same host, and not always behind the registered path.
  const { origin } = new URL(url);
  const connection = createHttpConnection({
    url: origin,
    token,
    guard,
    ...(outgoingHeaders && { outgoingHeaders }),
  });
  const executor = new SchemaExecutor({
    schema,
    logger,
    owner: 'the A2A adapter',
    isFatal: (error) => error instanceof CallFailed,
  });
  const messages = new SentMessages<SentOutcome>();
  const creations = new SentMessages<CreationOutcome>();
  const lists = new SharedLists<TaskList>(clock);
  const firstSeen = new FirstSeen();
  const log = new TaskLog(clock.nowMs());
  const tracker = new TaskTracker({ name, log, clock });
  const pace = new StreamPace(clock, STREAM_STEPS_PER_SECOND);
  let agent: Agent | undefined;
  let running: AgentWatch | undefined;

  /** @throws {CallFailed} before a card was accepted, and after one was refused. */
  function known(): Agent {
    if (agent) return agent;
    throw new CallFailed({ kind: 'status', reason: 'its agent card is not known' });
  }

  function callsOf({ binding }: Agent, signal: AbortSignal): A2ACalls {
    return new A2ACalls({ connection, binding, participant, lists, redact, clock, signal });
  }

  function createWatch({ binding, card }: Agent): AgentWatch {
    const shared = { binding, origin, participant, guard, clock, redact, pace };
    return new AgentWatch({
      tracker,
      clock,
      logger,
      list: async (signal) => (await callsOf({ binding, card }, signal).listAll()).tasks,
      stream: card.isStreaming
        ? (id, signal) => openTaskStream({ ...shared, id, token: token(), signal })
        : undefined,
    });
  }

  function learn(task: RemoteTask): void {
    tracker.see(task);
    running?.nudge();
  }

  function learnNew(task: RemoteTask): void {
    tracker.seeNew(task);
    running?.nudge();
  }

  /** What has happened while nobody listened belongs before where who comes now begins. */
  async function lookedAt(signal: AbortSignal): Promise<TaskLog> {
    if (!running) await createWatch(known()).look(signal);
    return log;
  }

  async function* watch(after: number | undefined, signal: AbortSignal): AsyncGenerator<MemberEventPage> {
    const watching = createWatch(known());
    running = watching;
    try {
      yield* watchLog({ log, after, signal, run: (ended) => watching.run(ended) });
    } finally {
      if (running === watching) running = undefined;
    }
  }

  return {
    name,
    execute: (request, { signal }) =>
      settle(signal, async () => {
        const told: MemberErrorEntry[] = [];
        const context = createA2AContext({
          name,
          calls: callsOf(known(), signal),
          redact,
          firstSeen,
          messages,
          creations,
          newId: () => ids.newId(),
          tracker,
          learn,
          learnNew,
          tell: (error) => told.push(error),
          position: log.end,
          readLog: () => lookedAt(signal),
        });
        const { data, errors } = await executor.execute(request, context);
        return { data, errors: [...errors, ...told] };
      }),
    async identify({ signal }) {
      const probe = { name, url, connection, signal, hasToken: token() !== undefined };
      const { card, result } = await readAgent(probe, (read) => callsOf(toAgent(read), signal));
      agent = card && toAgent(card);
      return result;
    },
    watch: ({ after, signal }) =>
      closableIterable((closed) => watch(after, AbortSignal.any([signal, closed]))),
    readLog: ({ after, first }, { signal }) =>
      settle(signal, async () => {
        const { end, start } = await lookedAt(signal);
        return { events: log.after(after, first), newest: end, start };
      }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function toAgent(card: AgentCard): Agent {
  return { card, binding: createA2ABinding(card.agentInterface) };
}
