/** One reading of the configuration file. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Finding } from './ConfigError.ts';
import { type CheckedDocument, checkDocument } from './checkDocument.ts';
import type { Environment } from './combinationProblems.ts';
import { MAX_CONFIG_BYTES, parseYaml, type YamlSource } from './parseYaml.ts';

/** The text of the file; of one that is not there or cannot be read, the empty text. */
export interface ConfigText {
  readonly exists: boolean;
  readonly text: string;
  /** Why it cannot be read. */
  readonly fault?: Finding;
  /** What the file system said. */
  readonly cause?: unknown;
}

/** The file, read and checked; findings and warnings in the order of the file. */
export interface ConfigReading extends CheckedDocument {
  readonly exists: boolean;
  /** As authored; frozen. */
  readonly document: YamlSource['document'];
  readonly cause?: unknown;
}

/** One reading of the file. Never throws for what can be wrong with it: that is in `findings`. */
export function readConfig(path: string, env: Environment): ConfigReading {
  return checkConfig(readConfigText(path), { env, directory: dirname(resolve(path)) });
}

/** What a text of the file means. Pure. */
export function checkConfig(
  file: ConfigText,
  options: { readonly env: Environment; readonly directory: string },
): ConfigReading {
  const { exists, text, fault, cause } = file;
  const { document, isReadable, positionOf, ...source } = parseYaml(text);
  const checked = isReadable ? checkDocument(document, { ...options, positionOf }) : undefined;
  const findings = [...(fault ? [fault] : []), ...source.findings, ...(checked?.findings ?? [])];
  return {
    exists,
    document,
    config: findings.length > 0 ? undefined : checked?.config,
    findings: findings.sort(inFileOrder),
    warnings: [...(checked?.warnings ?? [])].sort(inFileOrder),
    cause,
  };
}

/** The text as it is, a byte order mark included. */
export function readConfigText(path: string): ConfigText {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_CONFIG_BYTES) {
      return unreadable(`the file is too long, at most ${MAX_CONFIG_BYTES} bytes are expected`);
    }
    return { exists: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { exists: false, text: '' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable('the file is not UTF-8 text', error);
    if (code !== undefined) return unreadable(`the file cannot be read (${code})`, error);
    throw error;
  }
}

/** What tells a changed file from the one before, without reading it. */
export interface FileStamp {
  /** Another one when the file was edited in place, replaced, made readable or taken away. */
  readonly id: string;
  /** Epoch milliseconds of the newest change; an edit in the same tick of the file system's clock may have the same `id`. */
  readonly changedAtMs: number;
}

/** Cheap: one `stat`. */
export function stampOf(path: string): FileStamp {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return { id: [dev, ino, size, mtimeNs, ctimeNs].join(':'), changedAtMs: Number(ctimeNs / 1_000_000n) };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { id: code, changedAtMs: 0 };
  }
}

/** The code of an error of the platform, such as `EACCES`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Orders by line and column. */
export function inFileOrder(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column;
}

function unreadable(message: string, cause?: unknown): ConfigText {
  return { exists: true, text: '', fault: { key: '', line: 1, column: 1, message }, cause };
}
