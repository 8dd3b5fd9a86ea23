/**
 * Server-sent events from the pieces in which they arrive (spec/manager.md § 14.5, HTML § 9.2.6).
 *
 * A frame of more than 1,048,576 characters is dropped whole, so that a peer that never ends one costs no memory. The stream goes on:
 * a member must not be lost for one record, while our clients (`client/FrameParser.ts`) end a stream rather than miss an event of it.
 */

/** Longest frame that is kept, in characters. */
const MAX_FRAME = 1_048_576;

export interface EventFrame {
  /** Undefined when the frame has none of its own. */
  readonly id: string | undefined;
  /** @default 'message' */
  readonly event: string;
  /** Several data lines are joined by line feeds. */
  readonly data: string;
}

export class EventStreamParser {
  /** What came of a line that has not ended. */
  #rest = '';
  /** Whether the line under way is one that is passed over to its end. */
  #isLineLost = false;
  /** Whether the frame under way is one that is passed over to its end. */
  #isFrameLost = false;
  /** Whether a line feed that comes next belongs to the line that was ended already. */
  #endedInReturn = false;
  #id: string | undefined;
  #event = '';
  #data: string[] = [];
  #length = 0;

  /** The frames that end in this piece. Comments, `retry` and unknown fields are passed over. */
  push(piece: string): EventFrame[] {
    const text = this.#endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') this.#endedInReturn = piece.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    const frames = lines.flatMap((line) => this.#endLine(line) ?? []);
    if (!this.#isLineLost) this.#rest += rest;
    if (this.#length + this.#rest.length > MAX_FRAME) this.#loseFrame();
    return frames;
  }

  #endLine(end: string): EventFrame | undefined {
    const line = this.#rest + end;
    const isLost = this.#isLineLost;
    this.#rest = '';
    this.#isLineLost = false;
    if (isLost) return undefined;
    if (line === '') return this.#endFrame();
    this.#length += line.length;
    if (this.#length > MAX_FRAME) this.#isFrameLost = true;
    if (!this.#isFrameLost) this.#readField(line);
    return undefined;
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
  }

  #endFrame(): EventFrame | undefined {
    const frame = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    const isWhole = !this.#isFrameLost && this.#data.length > 0;
    this.#id = undefined;
    this.#event = '';
    this.#data = [];
    this.#length = 0;
    this.#isFrameLost = false;
    return isWhole ? frame : undefined;
  }

  #loseFrame(): void {
    this.#isFrameLost = true;
    this.#isLineLost = this.#isLineLost || this.#rest !== '';
    this.#rest = '';
    this.#data = [];
  }
}
