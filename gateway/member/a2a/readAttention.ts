/** The tasks of an agent that wait for a person (spec/rest-shapes.md § 4). */
import type { AttentionItem } from '../../../schema/generated/resolvers.ts';
import { cutText } from '../cutText.ts';
import type { A2AContext } from './A2AContext.ts';
import { formatAgentRef } from './agentRef.ts';
import type { RemoteTask } from './readRemoteTask.ts';

/** Longest question that is shown, in characters. */
const MAX_DETAIL = 500;

/** In the agent's order. A task that is only parked until the next message waits for nobody. */
export async function readAttention({
  name,
  calls,
}: Pick<A2AContext, 'name' | 'calls'>): Promise<readonly AttentionItem[]> {
  const { tasks } = await calls.listAll();
  return tasks.filter(isWaiting).map(({ id, state, statusText }) => ({
    instance: name,
    ref: formatAgentRef(name, id),
    kind: 'awaiting-input',
    detail: cutText(
      statusText ?? (state === 'AUTH_REQUIRED' ? 'It is to be authorized.' : 'A question is open.'),
      MAX_DETAIL,
    ),
    at: null,
    record: null,
  }));
}

function isWaiting({ state, subState }: RemoteTask): boolean {
  return state === 'AUTH_REQUIRED' || (state === 'INPUT_REQUIRED' && subState !== 'AWAITING_MESSAGE');
}
