/** Our own task core on either of its hosts, with a model and a tool that answer at once. */
import { join } from 'node:path';
import { systemClock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { openStateDatabase } from '../../lib/StateDatabase.ts';
import type { EffectOutcome, EffectPerformer } from '../../subgraph/effects/EffectPerformer.ts';
import type { EmbeddedEngineOptions } from '../../subgraph/engine/embedded/EmbeddedEngine.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import type { TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import { createEventLog } from '../../subgraph/log/createEventLog.ts';
import { QUESTION, REPLY, TOOL_ARGUMENTS, TOOL_RESULT, type TurnHost } from './TurnHost.ts';

const ONE_ATTEMPT = {
  initialIntervalSeconds: 1,
  backoffCoefficient: 2,
  maximumIntervalSeconds: 60,
  maximumAttempts: 1,
};

/** The first model turn after a message calls the tool, the one after the tool's result replies. */
const SCRIPTED: EffectPerformer = {
  async perform(effect, { state }): Promise<EffectOutcome> {
    const effectKey = effect.key;
    if (effect.kind === 'callTool') {
      return {
        kind: 'completed',
        input: { kind: 'toolReturned', effectKey, text: TOOL_RESULT, isError: false },
      };
    }
    const isReply = state.history.at(-1)?.kind === 'toolResult';
    const call = { callId: effectKey, tool: 'orders.find', arguments: TOOL_ARGUMENTS };
    return {
      kind: 'completed',
      input: {
        kind: 'modelReplied',
        effectKey,
        text: isReply ? REPLY : '',
        toolCalls: isReply ? [] : [call],
        usage: { inputTokens: 900, cachedTokens: 800, outputTokens: 60 },
        model: 'instant',
        finish: isReply ? 'stop' : 'toolCalls',
      },
    };
  },
  isIdempotent: () => true,
};

/** Opens a fresh state file in the directory, and on it the engine that `open` makes. */
export async function createEngineHost(
  directory: string,
  open: (options: EmbeddedEngineOptions) => Promise<TaskEngine>,
): Promise<TurnHost> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(
    openStateDatabase(join(directory, 'state.db'), { migrations: STATE_MIGRATIONS }),
  );
  const log = createEventLog({ database, clock: systemClock, pid: process.pid });
  const engine = resources.use(
    await open({
      database,
      log,
      performer: SCRIPTED,
      clock: systemClock,
      ids: systemIds,
      logger: silentLogger,
      instanceName: () => 'bench',
      retries: () => ({ default: ONE_ATTEMPT, perActivity: {} }),
    }),
  );
  const end = new AbortController();
  const wake = new Map<string, () => void>();
  const parked = (ref: string): Promise<void> => new Promise((resolve) => wake.set(ref, resolve));
  const watch = async (): Promise<void> => {
    const filter = { types: ['task.status'] };
    for await (const { records } of log.watch({ after: log.end(), filter, signal: end.signal })) {
      for (const { ref = '', data } of records) if (data.state === 'INPUT_REQUIRED') wake.get(ref)?.();
    }
  };
  const watching = watch();
  resources.defer(async () => {
    end.abort();
    await watching;
  });
  const owned = resources.move();
  return {
    async open(conversation) {
      const ref = toRef(conversation);
      const isParked = parked(ref);
      await engine.start({
        ref,
        lifecycle: 'CONVERSATION',
        participants: [
          { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
          { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
        ],
        settings: {},
        maxTurns: 50,
      });
      await isParked;
    },
    async turn(conversation, number) {
      const ref = toRef(conversation);
      const isParked = parked(ref);
      await engine.deliver(ref, {
        kind: 'messageReceived',
        messageId: `${conversation}-${number}`,
        participant: 'alice',
        text: QUESTION,
      });
      await isParked;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function toRef(conversation: number): string {
  return `github:octo/repo#${conversation}`;
}
