/** The workflow types of an instance, for Temporal's bundler. */
export { HeartbeatWorkflow } from './heartbeatWorkflow.ts';
export { TaskWorkflow } from './workflow.ts';
