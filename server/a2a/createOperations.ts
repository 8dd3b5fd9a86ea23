/** The operations of A2A 1.0 on the tasks of this instance, whichever binding they came by (A2A § 3.1, spec/worker.md § 7). */
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import { refusalOf, toRefusalError, toTaskRow, type Worker } from '../../subgraph/index.ts';
import { A2AError } from './A2AError.ts';
import { createTaskStreams } from './createTaskStreams.ts';
import { MessageIntake, type Taken } from './MessageIntake.ts';
import type { OperationCall, Operations } from './Operations.ts';
import { CancelParams, GetParams, ListParams, readParams, SendParams, SubscribeParams } from './params.ts';
import type { PushConfigs } from './push/PushConfigs.ts';
import { assertPush, pushOperations } from './pushOperations.ts';
import type { Call } from './readCall.ts';
import { TaskAccess } from './TaskAccess.ts';
import { toA2ATask } from './toA2ATask.ts';
import type { StreamResponse, WireTask } from './wire.ts';

/** How many entries of its history a task that is read comes with, unless the reader says it; other answers come with none. */
const DEFAULT_HISTORY_LENGTH = 100;

export interface OperationsOptions {
  readonly worker: Worker;
  /** @default there are no push notifications */
  readonly push?: PushConfigs | undefined;
  readonly ids: IdSource;
  readonly logger: Logger;
}

/**
 * Nothing of a task lives in an operation: whoever leaves before the answer changes nothing, and a stream only reads the log.
 */
export function createOperations({ worker, push, ids, logger }: OperationsOptions): Operations {
  const { engine, log } = worker;
  const streams = createTaskStreams({ engine, log });
  const access = new TaskAccess(engine, logger);
  const intake = new MessageIntake({ worker, access, ids });

  async function take(params: SendParams, call: Call): Promise<Taken> {
    const given = params.configuration?.taskPushNotificationConfig;
    if (!given) return intake.take(params.message, call);
    // A message that is sent again brings the same record.
    const config = { ...given, id: given.id ?? params.message.messageId };
    const store = assertPush(push);
    // Before there is a task: what is refused leaves nothing behind.
    store.check(config);
    let storedFor: string | undefined;
    try {
      return await intake.take(params.message, call, async ({ taskId, sender: participant, since }) => {
        const isNew = (await store.get(taskId, config.id)) === undefined;
        await store.create(taskId, config, { participant, since });
        if (isNew) storedFor = taskId;
      });
    } catch (error) {
      if (storedFor !== undefined) await store.delete(storedFor, config.id);
      throw error;
    }
  }

  async function sendMessage(given: unknown, call: OperationCall): Promise<{ task: WireTask }> {
    const params = readParams(SendParams, given);
    const { historyLength, returnImmediately } = params.configuration ?? {};
    using _place = returnImmediately ? undefined : call.join();
    const taken = await take(params, call);
    const { task, notices } = returnImmediately
      ? { task: taken.task, notices: [] }
      : await streams.untilEnd(taken, call.signal);
    return { task: await access.tell(task, historyLength, ...notices) };
  }

  async function sendStreamingMessage(
    given: unknown,
    call: OperationCall,
  ): Promise<AsyncIterable<StreamResponse>> {
    const taken = await take(readParams(SendParams, given), call);
    return streams.ofMessage(taken, call.signal);
  }

  async function subscribeToTask(
    given: unknown,
    call: OperationCall,
  ): Promise<AsyncIterable<StreamResponse>> {
    const { id } = readParams(SubscribeParams, given);
    const before = log.end();
    const task = await access.find(id, call);
    const { participant: reader = '', signal } = call;
    return streams.ofTask(task, { reader, before, signal });
  }

  async function cancelTask(given: unknown, call: OperationCall): Promise<WireTask> {
    const { id, metadata } = readParams(CancelParams, given);
    await access.find(id, call);
    const reason = typeof metadata?.reason === 'string' ? metadata.reason : '';
    const participant = call.participant ?? '';
    const input = { kind: 'cancelRequested', participant, ...(reason && { reason }) } as const;
    const delivery = await engine.deliver({ id }, input);
    const refusal = refusalOf(delivery);
    if (refusal) {
      const error = toRefusalError({ id }, input, refusal);
      throw refusal.code === 'task.terminal'
        ? new A2AError('TASK_NOT_CANCELABLE', error.message, { cause: error })
        : error;
    }
    return toA2ATask(toTaskRow(delivery.state));
  }

  return {
    unary: {
      SendMessage: sendMessage,
      CancelTask: cancelTask,
      async GetTask(given, call) {
        const { id, historyLength = DEFAULT_HISTORY_LENGTH } = readParams(GetParams, given);
        return access.tell(await access.find(id, call), historyLength);
      },
      ListTasks: async (given, call) => access.list(readParams(ListParams, given), call),
      async GetExtendedAgentCard() {
        throw new A2AError(
          'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
          'Cannot read extended agent card: there is none, the agent card says everything',
        );
      },
      ...pushOperations(access, push),
    },
    streaming: { SendStreamingMessage: sendStreamingMessage, SubscribeToTask: subscribeToTask },
  };
}
