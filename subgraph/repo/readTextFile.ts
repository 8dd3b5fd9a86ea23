/** Reads one text of a bounded size, and nothing that is not a plain file. */
import { constants, open } from 'node:fs/promises';

export type TextFile =
  | { readonly text: string }
  /** Why there is no text: `<what is>`. */
  | { readonly problem: string };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Codes of a file that is not there, is a link, or may not be read. */
const EXPECTED = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'ENXIO',
  'EISDIR',
  'ENAMETOOLONG',
]);

/**
 * A link as the last part of the path is not followed, a pipe is not waited for, and a file with a zero byte is no text.
 *
 * @throws what the file system says of anything but the file.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return { problem: 'it is no file' };
    const buffer = Buffer.alloc(Math.min(stat.size, maxBytes) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = (await file.read(buffer, length, buffer.length - length)).bytesRead;
    }
    if (length > maxBytes) return { problem: `it has more than ${maxBytes} bytes` };
    const bytes = buffer.subarray(0, length);
    return bytes.includes(0) ? { problem: 'it is no text' } : { text: bytes.toString('utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !EXPECTED.has(code)) throw error;
    return { problem: code === 'ENOENT' || code === 'ENOTDIR' ? 'it is not there' : 'it cannot be read' };
  }
}
