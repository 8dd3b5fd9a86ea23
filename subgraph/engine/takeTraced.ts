/** Inputs from outside, as a part of the request that brings them (spec/worker.md § 9.2). */
import { noTracer, type Tracer } from '../../lib/Tracer.ts';
import { agentAttributes, taskAttributes } from '../effects/spanAttributes.ts';
import type { Delivery } from './TaskEngine.ts';

export interface TracedParts {
  /** Records who asked for what the tasks do, and that it was done. @default nothing is recorded */
  readonly tracer?: Tracer;
  /** What the agent is called in records; asked at every message. @default 'agent' */
  readonly agentId?: () => string;
}

/**
 * Has the input taken with the `trace` of what is current, so that the effects which follow from it are a part of the same, in
 * whatever process they are made. A message to the agent is a span of its own, and what the agent does for it is below that.
 */
export function takeTraced<Input extends object>(
  { tracer = noTracer, agentId = () => 'agent' }: TracedParts,
  input: Input,
  take: (traced: Input & { readonly trace?: string }) => Promise<Delivery>,
): Promise<Delivery> {
  const takeNow = (): Promise<Delivery> => {
    const { traceparent: trace } = tracer.outgoingHeaders();
    return take({ ...input, ...(trace !== undefined && { trace }) });
  };
  if (!isMessage(input)) return takeNow();
  const agent = agentId();
  return tracer.span(`invoke_agent ${agent}`, { attributes: agentAttributes(agent) }, async (span) => {
    const delivery = await takeNow();
    span.set(taskAttributes(delivery.state));
    return delivery;
  });
}

/** Also a task that begins with one. */
function isMessage(input: { readonly kind?: unknown; readonly message?: unknown }): boolean {
  return input.kind === 'messageReceived' || input.message !== undefined;
}
