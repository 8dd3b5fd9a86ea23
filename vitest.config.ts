import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PlainSummaryReporter } from './test/support/PlainSummaryReporter.ts';

export default defineConfig({
  // The file that Node takes: the copy behind `module` would refuse the types of the schemas that packages build.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    // Most tests wait for other processes and for clocks, so two files at once suit a small machine as well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes its time; who waits for what never comes is told so before the test is over.
    expect: { poll: { timeout: 10_000 } },
    reporters: [['default', { summary: false }], new PlainSummaryReporter()],
  },
});
