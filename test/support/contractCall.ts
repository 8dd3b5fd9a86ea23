/** A request of each operation of the REST contract that an instance can fulfil, on things of its own. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { readContract } from '../../server/rest/readContract.ts';

export type ContractInput = Readonly<Record<string, unknown>>;

export interface ContractCall {
  readonly input: ContractInput;
  /** What is asked of the holder of the key first, in this order; what registers an instance is asked of the manager. */
  readonly before: readonly (readonly [operationId: string, input: ContractInput])[];
}

/** A ref and a name that nothing else has, and a checkout that the instance may read. */
export interface ContractThings {
  readonly ref: string;
  readonly name: string;
  readonly repo: string;
}

/** Operations that take a tracker: 501 on an instance of ours. */
export const TRACKER_OPERATIONS: ReadonlySet<string> = new Set([
  'postWorkItemComment',
  'getTicket',
  'createTicket',
  'closeTicket',
  'createPullRequest',
  'getPullRequestStatus',
  'listPullRequestThreads',
  'resolveReviewThread',
  'mergePullRequest',
  'listPullRequestChecks',
  'markPullRequestReady',
]);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const ANSWERS = new Map(readContract().operations.map(({ operationId, answer }) => [operationId, answer]));

/** Asserts that a document has the shape that the contract gives the answer of an operation. */
export function expectDocumented(operationId: string, document: unknown): void {
  const validate = ajv.compile(ANSWERS.get(operationId) ?? false);
  validate(document);
  expect(validate.errors ?? [], JSON.stringify(document)).toEqual([]);
}

/** Lists, and what is about the instance itself, are asked without anything. */
export function contractCall(operationId: string, { ref, name, repo }: ContractThings): ContractCall {
  const plan = { repo, workItem: ref };
  const registration = { ref, harness: 'flotilla', harnessSessionId: '' };
  const member = { name, url: `http://127.0.0.1:1/${name}` };
  const alone = (input: ContractInput): ContractCall => ({ input, before: [] });
  const onSession = (input: ContractInput): ContractCall => ({
    input,
    before: [['registerSession', registration]],
  });
  const onStanding = (input: ContractInput): ContractCall => ({
    input,
    before: [['createStandingSession', { name }]],
  });
  const onPlan = (input: ContractInput): ContractCall => ({
    input,
    before: [['registerSession', { ...registration, cwd: repo }]],
  });
  switch (operationId) {
    case 'getWorkItem':
    case 'getSession':
    case 'sessionTranscript':
    case 'closeSession':
      return onSession({ ref });
    case 'controlSession':
      return onSession({ ref, verb: 'pause' });
    case 'replySession':
      return onSession({ ref, text: 'Hello' });
    case 'linkSessionPullRequest':
      return onSession({ ref, pullRequest: 'github:octo/lib#7' });
    case 'registerSession':
      return alone(registration);
    case 'createStandingSession':
      return alone({ name });
    case 'getStandingSession':
    case 'deleteStandingSession':
      return onStanding({ name });
    case 'controlStandingSession':
      return onStanding({ name, verb: 'restart' });
    case 'sayToStandingSession':
      return onStanding({ name, text: 'Hello' });
    case 'updateConfig':
      return alone({ patch: { log: { level: 'info' } } });
    case 'controlDaemon':
      return alone({ daemon: 'heartbeat', verb: 'start' });
    case 'restart':
      return alone({ withUpgrade: true });
    case 'registerInstance':
      return alone(member);
    case 'unregisterInstance':
      return { input: { name }, before: [['registerInstance', member]] };
    case 'postWorkItemComment':
      return alone({ ref, body: 'A word' });
    case 'createTicket':
      return alone({ repository: 'octo/repo', title: 'A ticket' });
    case 'createPullRequest':
      return alone({ ref, title: 'A change', head: 'topic' });
    case 'resolveReviewThread':
      return alone({ ref, thread: 't1' });
    case 'getTicket':
    case 'closeTicket':
    case 'getPullRequestStatus':
    case 'listPullRequestThreads':
    case 'listPullRequestChecks':
    case 'mergePullRequest':
    case 'markPullRequestReady':
      return alone({ ref });
    case 'graphShow': {
      const { before } = onPlan(plan);
      return { input: { repo }, before: [...before, ['graphRepos', { ...plan, repositories: [repo] }]] };
    }
    case 'graphCheck':
    case 'graphAdvance':
    case 'graphRepos':
    case 'graphComplete':
      return onPlan(plan);
    case 'graphForce':
      return onPlan({ ...plan, toNode: 'first', reason: 'It is done elsewhere' });
    case 'graphSkip':
      return onPlan({ ...plan, nodes: ['first'], reason: 'It is not needed' });
    case 'repoScenarios':
      return alone({ repo, glob: ['**/*.feature', '**/*.test.ts'] });
    case 'repoInstructions':
    case 'repoCritics':
    case 'repoReviewPolicy':
      return alone({ repo });
    case 'repoCriticRun':
      return alone({ repo, name: 'strict' });
    case 'queryEvents':
      return alone({ type: ['task.*', 'session.*'], limit: 5 });
    default:
      return alone({});
  }
}
