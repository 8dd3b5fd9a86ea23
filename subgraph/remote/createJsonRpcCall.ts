/** JSON-RPC 2.0 over HTTP(S), one request per question (spec/worker.md §§ 4.4, 8.7). */
import { readBodyWithin } from '../../lib/readBodyWithin.ts';
import { MAX_ANSWER_BYTES, type RemoteCall, RemoteCallError } from './RemoteCall.ts';

/** Redirects are not followed, and an answer of more than 256 KiB is none. Time is the caller's. */
export function createJsonRpcCall(
  url: string,
  {
    headers = {},
    send = fetch,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly send?: typeof fetch } = {},
): RemoteCall {
  return async (method, params, { signal }) => {
    const response = await send(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    }).catch((cause: unknown) => fail('the executor cannot be reached', signal, cause));
    if (!response.ok) {
      await response.body?.cancel();
      throw new RemoteCallError(`the executor answered with status ${response.status}, 200 is expected`);
    }
    const text = await readBodyWithin(response, MAX_ANSWER_BYTES).catch((cause: unknown) =>
      fail('the answer of the executor broke off', signal, cause),
    );
    if (text === undefined) {
      throw new RemoteCallError(`the answer of the executor is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    return resultOf(parse(text));
  };
}

function fail(message: string, signal: AbortSignal, cause: unknown): never {
  signal.throwIfAborted();
  throw new RemoteCallError(message, { cause });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RemoteCallError('the answer of the executor is no JSON', { cause });
  }
}

/** The id need not be compared: an HTTP answer belongs to its request. */
function resultOf(answer: unknown): unknown {
  if (typeof answer === 'object' && answer !== null && 'jsonrpc' in answer && answer.jsonrpc === '2.0') {
    if ('error' in answer && answer.error) {
      const { message } = answer.error as { readonly message?: unknown };
      const detail = typeof message === 'string' ? `: ${message.slice(0, 500)}` : '';
      throw new RemoteCallError(`the executor answered with an error${detail}`);
    }
    if ('result' in answer) return answer.result;
  }
  throw new RemoteCallError('the answer of the executor is no JSON-RPC 2.0 response');
}
