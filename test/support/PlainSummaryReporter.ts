/** Ends a test run with what was left out and the plain line `N passed, N failed, N skipped`. */
import type { Reporter, TestModule } from 'vitest/node';

export class PlainSummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const brokenModules = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    );
    const failed = count('failed') + brokenModules.length + unhandledErrors.length;
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    if (skipped.length > 0) {
      process.stdout.write(`\nLEFT OUT, because this machine lacks what they need:\n`);
      for (const test of skipped)
        process.stdout.write(`  ${test.module.relativeModuleId} › ${test.fullName}\n`);
    }
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed, ${skipped.length} skipped\n`);
  }
}
