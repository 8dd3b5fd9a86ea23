/** A subscriber of an event stream that counts what it is told of one run, and how old that is. */
import { Client } from 'undici';

/** What each event of a run carries. */
const MARK = /"run":(\d+),"sent_ms":([\d.]+)/;
const INSTANCE = /"instance":"([^"]*)"/;

/** What a subscriber got of one run. */
export interface StreamCount {
  readonly frames: number;
  /** When the last of them came, on the clock of this process. */
  readonly lastMs: number;
  /** Of each: milliseconds from its writing to its arrival. */
  readonly lagsMs: readonly number[];
}

export class StreamReader implements AsyncDisposable {
  /** Members of which something has come; one without a name stands for a worker that is read itself. */
  readonly heard = new Set<string>();
  /** Times that it was told that something is missing. */
  desyncs = 0;
  readonly #client: Client;
  #run = 0;
  #lastMs = 0;
  #lagsMs: number[] = [];
  #rest = '';

  /** Resolves when it is accepted. */
  static async open(url: string): Promise<StreamReader> {
    const client = new Client(url, { bodyTimeout: 0 });
    const response = await client.request({ path: '/api/v1/stream', method: 'GET' });
    if (response.statusCode !== 200) throw new Error(`Cannot open a stream: HTTP ${response.statusCode}`);
    const reader = new StreamReader(client);
    // How it ends is how the benchmark ends it; one that ends before lacks frames.
    void reader.#read(response.body).catch(() => {});
    return reader;
  }

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Only what belongs to this run counts from now on. */
  begin(run: number): void {
    this.#run = run;
    this.#lagsMs = [];
  }

  get count(): StreamCount {
    return { frames: this.#lagsMs.length, lastMs: this.#lastMs, lagsMs: this.#lagsMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.destroy();
  }

  async #read(body: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const frames = (this.#rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      this.#rest = frames.pop() ?? '';
      const nowMs = performance.now();
      for (const frame of frames) this.#take(frame, nowMs);
    }
  }

  #take(frame: string, nowMs: number): void {
    if (frame.includes('event: desync')) this.desyncs += 1;
    const mark = MARK.exec(frame);
    if (!mark) return;
    this.heard.add(INSTANCE.exec(frame)?.[1] ?? '');
    if (Number(mark[1]) !== this.#run) return;
    this.#lastMs = nowMs;
    this.#lagsMs.push(nowMs - Number(mark[2]));
  }
}
