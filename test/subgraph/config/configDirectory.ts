/** A configuration file in a directory of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogFields, Logger } from '../../../lib/Logger.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

export interface ConfigDirectory extends Disposable {
  readonly directory: string;
  /** Of `flotilla.yaml`. */
  readonly path: string;
  write(text: string): void;
  read(): string;
}

/** @param text what the file holds; without one there is no file. */
export function configDirectory(text?: string): ConfigDirectory {
  const directory = temporaryDirectory();
  const path = join(directory.path, 'flotilla.yaml');
  if (text !== undefined) writeFileSync(path, text);
  return {
    directory: directory.path,
    path,
    write: (next) => writeFileSync(path, next),
    read: () => readFileSync(path, 'utf8'),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

export interface RecordedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** A logger that keeps what it is told. */
export function recordingLogger(): { readonly logger: Logger; readonly lines: RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const record = (level: RecordedLine['level']) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  const logger = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
  return { logger, lines };
}
