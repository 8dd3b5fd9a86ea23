/** What only an instance with a tracker can do: ours has none, and says so by name (spec/rest-on-tasks.md, Verbs). */
import { notSupported } from '../../schema/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../../schema/generated/resolvers.ts';
import { assertSelf, type WorkerParts } from './WorkerParts.ts';

type TrackerQuery = 'ticket' | 'pullRequestStatus' | 'pullRequestThreads' | 'pullRequestChecks';

type TrackerMutation =
  | 'postComment'
  | 'createTicket'
  | 'closeTicket'
  | 'createPullRequest'
  | 'resolveReviewThread'
  | 'mergePullRequest'
  | 'markPullRequestReady';

export function trackerQueries(parts: WorkerParts): Pick<QueryResolvers<unknown>, TrackerQuery> {
  return {
    ticket: refuse(parts, 'getTicket'),
    pullRequestStatus: refuse(parts, 'getPullRequestStatus'),
    pullRequestThreads: refuse(parts, 'listPullRequestThreads'),
    pullRequestChecks: refuse(parts, 'listPullRequestChecks'),
  };
}

export function trackerMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, TrackerMutation> {
  return {
    postComment: refuse(parts, 'postWorkItemComment'),
    createTicket: refuse(parts, 'createTicket'),
    closeTicket: refuse(parts, 'closeTicket'),
    createPullRequest: refuse(parts, 'createPullRequest'),
    resolveReviewThread: refuse(parts, 'resolveReviewThread'),
    mergePullRequest: refuse(parts, 'mergePullRequest'),
    markPullRequestReady: refuse(parts, 'markPullRequestReady'),
  };
}

/** `operationId` is the name that the REST contract has for it. */
function refuse(parts: WorkerParts, operationId: string) {
  return (_root: unknown, { instance }: { readonly instance?: string | null }): never => {
    assertSelf(parts, instance);
    throw notSupported(operationId, 'this instance has no tracker');
  };
}
