/**
 * The only way from the adapter to the endpoint.
 *
 * 1. Of the headers only those that the request needs go out, whatever the SDK or its environment variables add.
 * 2. Redirects are not followed; they come back as they are.
 * 3. The body is read whole before the answer is, so that the SDK's timeout covers it, and up to a limit.
 */
import { unreadable } from './WireApi.ts';

/** Largest body of an answer, in bytes after decompression. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What is read of an error's body; the rest of it is dropped. */
const MAX_ERROR_BYTES = 64 * 1024;

const HEADERS_OUT = ['accept', 'authorization', 'content-type', 'user-agent'];

/** Wraps `send`. A successful answer with a larger body makes the call reject with a `ModelError`, `provider.failed`. */
export function guardedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, headers: pick(init?.headers), redirect: 'manual' });
    const body = await readBody(response);
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return new Response(body.byteLength > 0 ? body : null, { status: response.status, headers });
  };
}

function pick(headers: RequestInit['headers']): Headers {
  const all = new Headers(headers);
  const picked = new Headers();
  for (const name of HEADERS_OUT) {
    const value = all.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const limit = response.ok ? MAX_BYTES : MAX_ERROR_BYTES;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) {
      if (response.ok) throw unreadable(`its body is larger than ${MAX_BYTES} bytes`);
      break;
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
