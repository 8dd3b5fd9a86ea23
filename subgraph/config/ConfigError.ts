/** What is wrong with a configuration file, said by key, file and line. */

/** One key at fault, or one that was narrowed. Never holds a configured value. */
export interface Finding {
  /** Dotted, list entries by index; empty for the file as a whole. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** What is expected. */
  readonly message: string;
  /** What becomes of a value that was narrowed. */
  readonly consequence?: string;
}

/** A configuration that nothing starts on. Its text has one line for every key at fault: `file:line:column key: what is expected`. */
export class ConfigError extends Error {
  readonly path: string;
  /** In the order of the file. */
  readonly findings: readonly Finding[];

  constructor(path: string, findings: readonly Finding[], { cause }: { cause?: unknown } = {}) {
    const count = findings.length === 1 ? '1 thing is' : `${findings.length} things are`;
    const lines = findings.map((finding) => `  ${formatFinding(path, finding)}`);
    super(
      [`Cannot read config: ${count} wrong`, ...lines].join('\n'),
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ConfigError';
    this.path = path;
    this.findings = findings;
  }
}

/** `file:line:column key: message; consequence`, without the parts that are not there. */
export function formatFinding(path: string, { key, line, column, message, consequence }: Finding): string {
  const text = consequence === undefined ? message : `${message}; ${consequence}`;
  return `${path}:${line}:${column} ${key === '' ? '' : `${key}: `}${text}`;
}
