/** Where the reader is in the stream: what was seen, what is seen twice, what was missed. */

/** `cursor` is what a resume goes on after; `offsets` is the newest event of each instance. Never mutated. */
export interface Position {
  readonly cursor?: string;
  readonly offsets: ReadonlyMap<string, number>;
}

export interface Positioned {
  readonly cursor: string;
  readonly instance: string;
  readonly offset: number;
  readonly type: string;
}

/** `gap`: events were lost, so whatever was read before must be read again. */
export type Admission = 'event' | 'duplicate' | 'bookmark' | 'gap';

export function positionAt(cursor: string | undefined): Position {
  return { cursor, offsets: new Map() };
}

/** An instance's offsets only grow, until a gap starts them anew. */
export function admit(
  position: Position,
  event: Positioned,
): { readonly position: Position; readonly admission: Admission } {
  const { cursor } = event;
  if (event.type === 'stream.desync') return { position: positionAt(cursor), admission: 'gap' };
  if (event.type === 'stream.bookmark') return { position: { ...position, cursor }, admission: 'bookmark' };
  const seen = position.offsets.get(event.instance);
  if (seen !== undefined && event.offset <= seen) return { position, admission: 'duplicate' };
  const offsets = new Map(position.offsets).set(event.instance, event.offset);
  return { position: { cursor, offsets }, admission: 'event' };
}
