/** Server-sent events out of the pieces in which they arrive (HTML § 9.2.6). */

/** Longest frame that is accepted, in characters. */
const MAX_FRAME_LENGTH = 1_048_576;

export interface Frame {
  /** The reader's position after the frame; undefined when the frame has none. */
  readonly id: string | undefined;
  /** @default 'message' */
  readonly event: string;
  /** Several lines are joined by line feeds; empty where a frame only moves the position. */
  readonly data: string;
  /** How long the service asks to wait before a lost connection is made again, in milliseconds. */
  readonly retryMs: number | undefined;
}

export class FrameParser {
  #rest = '';
  #lines: string[] = [];
  #length = 0;

  /**
   * The frames that end in this piece.
   *
   * @throws {RangeError} as soon as a frame is longer than 1,048,576 characters: to pass over it would lose an event silently.
   */
  push(piece: string): readonly Frame[] {
    // A carriage return at the end may be one half of a line break, so it waits for what follows.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const frames: Frame[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#lines.length > 0) frames.push(toFrame(this.#lines));
        this.#lines = [];
        this.#length = 0;
      } else if (!line.startsWith(':')) {
        this.#lines.push(line);
        this.#length += line.length;
      }
    }
    if (this.#length + this.#rest.length > MAX_FRAME_LENGTH) {
      throw new RangeError(`Cannot read stream: a frame is longer than ${MAX_FRAME_LENGTH} characters`);
    }
    return frames;
  }
}

function toFrame(lines: readonly string[]): Frame {
  const fields = lines.map((line) => {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    return { name, value };
  });
  const last = (wanted: string) => fields.findLast(({ name }) => name === wanted)?.value;
  const id = last('id');
  const retry = last('retry') ?? '';
  return {
    id: id?.includes('\0') ? undefined : id,
    event: last('event') || 'message',
    data: fields.flatMap(({ name, value }) => (name === 'data' ? [value] : [])).join('\n'),
    retryMs: /^\d{1,7}$/.test(retry) ? Number(retry) : undefined,
  };
}
