/** Server-sent events as a client reads them. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface FrameReader extends Disposable {
  readonly status: number;
  readonly headers: Headers;
  /** The raw text so far. */
  text(): string;
  /** Frames in order; ends with the stream. */
  readonly frames: AsyncGenerator<EventSourceMessage>;
  /** The next `count` frames. */
  take(count: number): Promise<EventSourceMessage[]>;
}

export async function readFrames(url: string, headers: Record<string, string> = {}): Promise<FrameReader> {
  const client = new AbortController();
  const response = await fetch(url, { headers, signal: client.signal });
  let text = '';
  async function* read(): AsyncGenerator<EventSourceMessage> {
    const waiting: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => waiting.push(message) });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      const part = decoder.decode(chunk, { stream: true });
      text += part;
      parser.feed(part);
      yield* waiting.splice(0);
    }
  }
  const frames = read();
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    frames,
    async take(count) {
      const taken: EventSourceMessage[] = [];
      while (taken.length < count) {
        const { value, done } = await frames.next();
        if (done) throw new Error(`The stream ended after ${taken.length} of ${count} frames: ${text}`);
        taken.push(value);
      }
      return taken;
    },
    [Symbol.dispose]: () => client.abort(),
  };
}
