/** How an operation's answer goes over the wire, whatever the binding: at once, or as server-sent events (A2A §§ 9.4, 11.7). */
import type { FastifyReply } from 'fastify';
import { requestSignal } from '../http/requestSignal.ts';
import { FrameWriter } from '../sse/FrameWriter.ts';
import type { A2A } from './createA2A.ts';
import { formatJson } from './formatJson.ts';
import type { StreamingOperation, UnaryOperation } from './Operations.ts';
import type { Call } from './readCall.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const;

export interface Asked {
  readonly a2a: A2A;
  readonly params: unknown;
  readonly call: Call;
  readonly reply: FastifyReply;
}

/** The operation's result. */
export async function performUnary(
  operation: UnaryOperation,
  { a2a, params, call, reply }: Asked,
): Promise<unknown> {
  const signal = AbortSignal.any([requestSignal(reply.raw), a2a.stopping]);
  return operation(params, { ...call, signal, join: () => a2a.join(reply.raw, askerOf(params, call)) });
}

export interface StreamForm {
  /** One event of the stream as its data. */
  readonly wrap: (response: unknown) => unknown;
  /** The response goes on as long as its reader likes. */
  readonly onAccepted: () => void;
  /** Logs what ends a stream that should have gone on. */
  readonly onDefect: (error: unknown) => void;
}

/** Resolves when the stream has ended: by itself, by its reader or with the instance. @throws before anything is written, and only then. */
export async function performStreaming(
  operation: StreamingOperation,
  { a2a, params, call, reply }: Asked,
  { wrap, onAccepted, onDefect }: StreamForm,
): Promise<void> {
  const response = reply.raw;
  using subscriber = a2a.join(response, askerOf(params, call));
  const signal = AbortSignal.any([requestSignal(response), subscriber.signal]);
  const stream = await operation(params, { ...call, signal, join: () => subscriber });
  reply.hijack();
  onAccepted();
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...STREAM_HEADERS })) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200);
  const { clock, turns } = a2a;
  using writer = new FrameWriter(response, {
    clock,
    turns,
    signal,
    keepAliveMs: a2a.keepAliveMs(),
    maxStallMs: a2a.maxStallMs(),
    cursor: '',
  });
  try {
    for await (const event of stream) await writer.write(`data: ${formatJson(wrap(event))}\n\n`);
  } catch (error) {
    if (!signal.aborted) onDefect(error);
  } finally {
    writer.end({ isStopping: false });
  }
}

/** Who waits: by the header, or where there is none by the message. */
function askerOf(params: unknown, { participant }: Call): string {
  const { message } = (params ?? {}) as {
    readonly message?: { readonly metadata?: { readonly participant_id?: unknown } };
  };
  const claimed = message?.metadata?.participant_id;
  return participant ?? (typeof claimed === 'string' ? claimed : '');
}
