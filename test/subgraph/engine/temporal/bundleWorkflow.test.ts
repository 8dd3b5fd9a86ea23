import { expect, test } from 'vitest';
import { bundleWorkflow } from '../../../../subgraph/engine/temporal/bundleWorkflow.ts';

/** Of ours; the core comes with it. */
const ALLOWED = ['HostedTask', 'heartbeatWorkflow', 'protocol', 'workflow', 'workflows'];

test('the workflow holds the core and its host, and nothing else of ours', { timeout: 60_000 }, async () => {
  const { code } = await bundleWorkflow();
  const modules = [...code.matchAll(/"\.\/((?:subgraph|lib|schema|gateway|server)\/[^"]+\.ts)"/g)].map(
    ([, path]) => path,
  );
  const outside = [...new Set(modules)].filter(
    (path) =>
      !path?.startsWith('subgraph/task/') &&
      !ALLOWED.some((name) => path === `subgraph/engine/temporal/${name}.ts`),
  );
  expect(modules).toContain('subgraph/task/step.ts');
  expect(outside).toEqual([]);
});
