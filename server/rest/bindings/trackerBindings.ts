/** Tickets and pull requests on their tracker. */
import {
  CloseTicketDocument,
  CreatePullRequestDocument,
  CreateTicketDocument,
  GetPullRequestStatusDocument,
  GetTicketDocument,
  ListPullRequestChecksDocument,
  ListPullRequestThreadsDocument,
  MarkPullRequestReadyDocument,
  MergePullRequestDocument,
  PostWorkItemCommentDocument,
  ResolveReviewThreadDocument,
} from '../../../schema/generated/restOperations.ts';
import { bind, type RestHandler } from '../bind.ts';
import { passOn } from '../mappings/answers.ts';
import { parseRef } from '../rows.ts';
import { type ByInstance, type ByRef, toKey, withKey, withoutEmpty } from './inputs.ts';

interface ForItem extends ByRef {
  /** Empty is `ref`. */
  readonly workItem: string;
}

export const TRACKER_BINDINGS: Readonly<Record<string, RestHandler>> = {
  postWorkItemComment: bind({
    document: PostWorkItemCommentDocument,
    toVariables: (input: ByRef & { readonly body: string }) => withKey(input),
    map: passOn,
  }),
  getTicket: bind({ document: GetTicketDocument, toVariables: toKey, map: passOn }),
  createTicket: bind({
    document: CreateTicketDocument,
    toVariables: (input: TicketInput) => withoutEmpty(input),
    map: passOn,
  }),
  closeTicket: bind({
    document: CloseTicketDocument,
    toVariables: (input: ForItem & { readonly reason: string }) => forItem(input),
    map: passOn,
  }),
  createPullRequest: bind({
    document: CreatePullRequestDocument,
    toVariables: (input: PullRequestInput) => withoutEmpty(withKey(input)),
    map: passOn,
  }),
  getPullRequestStatus: bind({
    document: GetPullRequestStatusDocument,
    toVariables: (input: ForItem) => forItem(input),
    map: passOn,
  }),
  listPullRequestThreads: bind({
    document: ListPullRequestThreadsDocument,
    toVariables: (input: ForItem & { readonly all: boolean }) => forItem(input),
    map: passOn,
  }),
  listPullRequestChecks: bind({
    document: ListPullRequestChecksDocument,
    toVariables: (input: ForItem & { readonly failing: boolean; readonly logLines: number | null }) =>
      forItem(input),
    map: passOn,
  }),
  resolveReviewThread: bind({
    document: ResolveReviewThreadDocument,
    toVariables: (input: ForItem & { readonly thread: string }) => forItem(input),
    map: passOn,
  }),
  mergePullRequest: bind({
    document: MergePullRequestDocument,
    toVariables: (input: ForItem & { readonly method: string; readonly sha: string }) => forItem(input),
    map: passOn,
  }),
  markPullRequestReady: bind({
    document: MarkPullRequestReadyDocument,
    toVariables: (input: ForItem) => forItem(input),
    map: passOn,
  }),
};

interface TicketInput extends ByInstance {
  readonly repository: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly project: string;
}

interface PullRequestInput extends ByRef {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly repository: string;
  readonly draft: boolean;
}

/** @throws {FlotillaError} BAD_USER_INPUT when one of the two is not a ref. */
function forItem<Input extends ForItem>(input: Input) {
  const { workItem } = input;
  return { ...withoutEmpty(withKey(input)), workItem: workItem === '' ? null : parseRef(workItem) };
}
