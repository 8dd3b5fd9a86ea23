/** Composite cursors of one reader, one after the other: only what has moved since the last one is written anew. */
import { type FleetCursor, formatFleetCursor } from './FleetCursor.ts';

interface Part {
  /** In the texts of all parts. */
  readonly index: number;
  offset: number;
}

/** A reader tells its cursor with each event, and of a thousand positions one has moved. */
export class CursorWriter {
  /** In code-point order of the names. */
  #texts: string[] = [];
  #parts = new Map<string, Part>();

  /** What `formatFleetCursor` writes. */
  write(cursor: FleetCursor): string {
    if (cursor.size !== this.#parts.size) return this.#writeAnew(cursor);
    for (const [name, offset] of cursor) {
      const part = this.#parts.get(name);
      if (!part) return this.#writeAnew(cursor);
      if (part.offset === offset) continue;
      part.offset = offset;
      this.#texts[part.index] = `${name}=${offset}`;
    }
    return this.#texts.join(',');
  }

  #writeAnew(cursor: FleetCursor): string {
    const text = formatFleetCursor(cursor);
    this.#texts = text === '' ? [] : text.split(',');
    this.#parts = new Map(
      this.#texts.map((part, index) => {
        const name = part.slice(0, part.indexOf('='));
        return [name, { index, offset: cursor.get(name) ?? 0 }];
      }),
    );
    return text;
  }
}
