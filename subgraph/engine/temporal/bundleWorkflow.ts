/** The workflow's code with everything that it imports, as Temporal's sandbox takes it. */
import { extname, join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** Takes a second or two. The source runs as it is, the package as JavaScript. */
export function bundleWorkflow(): Promise<WorkflowBundleWithSourceMap> {
  const { dirname, filename } = import.meta;
  return bundleWorkflowCode({
    workflowsPath: join(dirname, `workflows${extname(filename)}`),
    logger: new DefaultLogger('WARN'),
  });
}
