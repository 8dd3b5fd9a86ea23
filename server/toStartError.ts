/** Which failures of a start the operator can mend. */
import { StateFileError } from '../lib/StateDatabase.ts';
import { FlotillaError } from '../schema/errors.ts';
import { ConfigError, formatFinding } from '../subgraph/index.ts';
import { StartError } from './StartError.ts';

/** What is told as one line, or the error itself when it is a defect. */
export function toStartError(error: unknown): unknown {
  if (error instanceof ConfigError) {
    const findings = error.findings.map((finding) => formatFinding(error.path, finding));
    return new StartError(`Cannot read config: ${findings.join('; ')}`, error);
  }
  if (error instanceof FlotillaError || error instanceof StateFileError) {
    return new StartError(error.message.replace(/\s*\n\s*/g, ' '), error);
  }
  return error;
}
