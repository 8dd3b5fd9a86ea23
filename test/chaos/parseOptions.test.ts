import { expect, test } from 'vitest';
import { parseOptions } from './parseOptions.ts';

test('parseOptions() without arguments is the long run, with a seed of its own', () => {
  expect(parseOptions([], () => 42)).toEqual({
    seconds: 600,
    seed: 42,
    workers: 8,
    subscribers: 50,
    keep: false,
  });
});

test('parseOptions() takes the seed of an earlier run', () => {
  const options = parseOptions(['--seconds', '60', '--seed', '0', '--keep'], () => 42);
  expect(options).toMatchObject({ seconds: 60, seed: 0, keep: true });
});

test.each([['--seconds', '0'], ['--seed', 'x'], ['--workers', '1.5'], ['--unknown']])(
  'parseOptions() refuses %s %s',
  (...args) => {
    expect(() => parseOptions(args.filter(Boolean), () => 42)).toThrow(args[0]);
  },
);
