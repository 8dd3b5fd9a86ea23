/** What `npm run chaos -- …` takes. */
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  /** How long writes and faults go on. */
  readonly seconds: number;
  readonly seed: number;
  readonly workers: number;
  readonly subscribers: number;
  /** Instances' folders are kept, also of a run that passes. */
  readonly keep: boolean;
}

/** @throws {Error} for a flag that there is not, and for a value that is no whole number in its range. */
export function parseOptions(args: readonly string[], randomSeed: () => number): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '600' },
      seed: { type: 'string' },
      workers: { type: 'string', default: '8' },
      subscribers: { type: 'string', default: '50' },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    seconds: parseWhole('seconds', values.seconds, [1, 86_400]),
    seed: values.seed === undefined ? randomSeed() : parseWhole('seed', values.seed, [0, 2 ** 32 - 1]),
    workers: parseWhole('workers', values.workers, [1, 26]),
    subscribers: parseWhole('subscribers', values.subscribers, [1, 1000]),
    keep: values.keep,
  };
}

/** @throws {Error} for what is no whole number in the range. */
export function parseWhole(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`Cannot read --${name}: "${text}" is no whole number from ${least} to ${most}`);
}
