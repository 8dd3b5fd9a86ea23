/** Server-sent events as the contract has them (spec/rest-shapes.md § 14, spec/manager.md § 14.2). Pure. */

export const RETRY_FRAME = 'retry: 3000\n\n';
export const KEEP_ALIVE_FRAME = ': keep-alive\n\n';

export interface Frame {
  /** The reader's position after the frame; frames without a position have none. */
  readonly id?: string;
  readonly event: 'log' | 'transcript' | 'desync';
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The last frame of a stream that the instance ends: a position and no event. Clients keep the id, by which they come back, and show
 * nothing.
 */
export function formatFinalFrame(cursor: string): string {
  return `: the instance is stopping\nid: ${cursor}\n\n`;
}

/** JSON has no raw line breaks, so the data is one line. */
export function formatFrame({ id, event, data }: Frame): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
