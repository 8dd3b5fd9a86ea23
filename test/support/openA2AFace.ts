/** An instance on a host of tasks, as clients of A2A see it. */
import { A2AClient } from './A2AClient.ts';
import { FakeModel, type FakeReply } from './FakeModel.ts';
import { type HostedInstance, type HostedOptions, openHosted, type TaskHost } from './taskHosts.ts';

export interface A2AFace extends AsyncDisposable {
  readonly instance: HostedInstance;
  readonly model: FakeModel;
  /** A client that asserts this participant. @default nobody */
  as(participant?: string): A2AClient;
}

export async function openA2AFace(
  host: TaskHost,
  replies: readonly FakeReply[],
  options: HostedOptions = {},
): Promise<A2AFace> {
  const model = new FakeModel(replies);
  const instance = await openHosted(host, { model, ...options });
  return {
    instance,
    model,
    as: (participant) => new A2AClient(instance.url, participant === undefined ? {} : { participant }),
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  };
}
