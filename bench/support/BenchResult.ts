/** What one benchmark tells. */
import type { Measurement } from './measure.ts';

export interface BenchResult {
  readonly title: string;
  readonly measurements: readonly Measurement[];
  /** What it is about, as text with its spread: ratios of what was measured in the same rounds. */
  readonly facts: Readonly<Record<string, string>>;
  /** The target that was missed, if one was: the run goes on and ends with exit code 1. */
  readonly missed?: string;
}
