/** The four operations on receivers of push notifications: who may use them on which task (A2A § 3.1.7–3.1.10). */
import { notFound } from '../../schema/errors.ts';
import { A2AError } from './A2AError.ts';
import type { UnaryOperation } from './Operations.ts';
import { CreatePushParams, ListPushParams, PushParams, readParams } from './params.ts';
import type { PushConfigs } from './push/PushConfigs.ts';
import type { Call } from './readCall.ts';
import type { TaskAccess } from './TaskAccess.ts';

/** By the names of the protocol. */
export function pushOperations(
  access: TaskAccess,
  push: PushConfigs | undefined,
): Readonly<Record<string, UnaryOperation>> {
  /** The records, once the caller is known to be on the task. */
  async function open(taskId: string, call: Call): Promise<PushConfigs> {
    const configs = assertPush(push);
    await access.find(taskId, call);
    return configs;
  }

  return {
    async CreateTaskPushNotificationConfig(given, call) {
      const { taskId, ...config } = readParams(CreatePushParams, given);
      return (await open(taskId, call)).create(taskId, config, { participant: call.participant });
    },
    async GetTaskPushNotificationConfig(given, call) {
      const { taskId, id } = readParams(PushParams, given);
      const config = await (await open(taskId, call)).get(taskId, id);
      if (!config) throw notFound('push notification config', id);
      return config;
    },
    async ListTaskPushNotificationConfigs(given, call) {
      const { taskId } = readParams(ListPushParams, given);
      const configs = await (await open(taskId, call)).list(taskId);
      return { configs, nextPageToken: '' };
    },
    async DeleteTaskPushNotificationConfig(given, call) {
      const { taskId, id } = readParams(PushParams, given);
      await (await open(taskId, call)).delete(taskId, id);
      return {};
    },
  };
}

/** @throws {A2AError} PUSH_NOTIFICATION_NOT_SUPPORTED where there are none. */
export function assertPush(push: PushConfigs | undefined): PushConfigs {
  if (push) return push;
  throw new A2AError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'Cannot take request: this instance sends no push notifications',
  );
}
