/** Work items, their sessions, and standing sessions. */
import { badUserInput } from '../../../schema/errors.ts';
import {
  CloseSessionDocument,
  ControlSessionDocument,
  ControlStandingSessionDocument,
  CreateStandingSessionDocument,
  DeleteStandingSessionDocument,
  GetSessionDocument,
  GetStandingSessionDocument,
  GetWorkItemDocument,
  LinkSessionPullRequestDocument,
  ListSessionsDocument,
  ListStandingSessionsDocument,
  ListWorkItemsDocument,
  RegisterSessionDocument,
  ReplySessionDocument,
  SayToStandingSessionDocument,
  type SessionStatus,
  SessionTranscriptDocument,
} from '../../../schema/generated/restOperations.ts';
import { bind, type RestHandler } from '../bind.ts';
import {
  closeSession,
  controlSession,
  getSession,
  linkSessionPullRequest,
  listSessions,
  registerSession,
  replySession,
  sessionTranscript,
} from '../mappings/sessions.ts';
import {
  controlStandingSession,
  createStandingSession,
  deleteStandingSession,
  getStandingSession,
  listStandingSessions,
  sayToStandingSession,
} from '../mappings/standing.ts';
import { getWorkItem, listWorkItems } from '../mappings/workItems.ts';
import { parseRef } from '../rows.ts';
import { type ByName, type ByRef, toKey, withKey, withoutEmpty } from './inputs.ts';

interface Said {
  readonly text: string;
  readonly actor: string;
}

export const SESSION_BINDINGS: Readonly<Record<string, RestHandler>> = {
  listWorkItems: bind({
    document: ListWorkItemsDocument,
    toVariables: () => ({}),
    pages: {
      next: ({ tasks: { pageInfo } }) => (pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined),
      join: ({ tasks: sofar }, { tasks: last }) => ({
        tasks: { nodes: [...sofar.nodes, ...last.nodes], pageInfo: last.pageInfo },
      }),
    },
    map: listWorkItems,
  }),
  getWorkItem: bind({ document: GetWorkItemDocument, toVariables: toKey, map: getWorkItem }),
  listSessions: bind({
    document: ListSessionsDocument,
    toVariables: ({ status }: { readonly status?: string }) => ({
      status: status?.toUpperCase() as SessionStatus | undefined,
    }),
    map: listSessions,
  }),
  getSession: bind({ document: GetSessionDocument, toVariables: toKey, map: getSession }),
  sessionTranscript: bind({
    document: SessionTranscriptDocument,
    toVariables: (input: ByRef & { readonly tail: number }) => withKey(input),
    map: sessionTranscript,
  }),
  registerSession: bind({
    document: RegisterSessionDocument,
    toVariables: (
      input: ByRef & {
        readonly harness: string;
        readonly harnessSessionId: string;
        readonly cwd: string;
        readonly force: boolean;
      },
    ) => withKey(input),
    map: registerSession,
  }),
  replySession: bind({
    document: ReplySessionDocument,
    toVariables: (input: ByRef & Said & { readonly comment: boolean }) =>
      withoutEmpty(withKey(withText(input))),
    map: replySession,
  }),
  controlSession: bind({
    document: ControlSessionDocument,
    toVariables: (input: ByRef & { readonly verb: string; readonly comment: boolean }) => withKey(input),
    map: controlSession,
  }),
  closeSession: bind({
    document: CloseSessionDocument,
    toVariables: (input: ByRef & { readonly keepTmux: boolean | null }) => withKey(input),
    map: closeSession,
  }),
  linkSessionPullRequest: bind({
    document: LinkSessionPullRequestDocument,
    toVariables: toLink,
    map: linkSessionPullRequest,
  }),
  listStandingSessions: bind({
    document: ListStandingSessionsDocument,
    toVariables: () => ({}),
    map: listStandingSessions,
  }),
  getStandingSession: bind({
    document: GetStandingSessionDocument,
    toVariables: (input: ByName) => withoutEmpty(input),
    map: getStandingSession,
  }),
  createStandingSession: bind({
    document: CreateStandingSessionDocument,
    toVariables: (input: StandingInput) => withoutEmpty(input),
    map: createStandingSession,
  }),
  deleteStandingSession: bind({
    document: DeleteStandingSessionDocument,
    toVariables: (input: ByName) => withoutEmpty(input),
    map: deleteStandingSession,
  }),
  controlStandingSession: bind({
    document: ControlStandingSessionDocument,
    toVariables: (input: ByName & { readonly verb: string }) => withoutEmpty(input),
    map: controlStandingSession,
  }),
  sayToStandingSession: bind({
    document: SayToStandingSessionDocument,
    toVariables: (input: ByName & Said) => withoutEmpty(withText(input)),
    map: sayToStandingSession,
  }),
};

interface StandingInput extends ByName {
  readonly harness: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly description: string;
  readonly harnessArgs: readonly string[] | null;
  readonly slackEnabled: boolean;
  readonly slackChannel: string;
  readonly autoStart: boolean;
  readonly start: boolean;
}

interface LinkInput extends ByRef {
  readonly pullRequest: string;
  readonly discover: boolean;
  readonly branch: string;
  readonly repository: string;
  readonly headOwner: string;
}

function toLink(input: LinkInput) {
  const { pullRequest, discover } = input;
  if (pullRequest === '' && !discover) {
    throw badUserInput(
      'Cannot link pull request: neither "pullRequest" nor "discover" is given, one is expected',
    );
  }
  return { ...withoutEmpty(withKey(input)), pullRequest: pullRequest === '' ? null : parseRef(pullRequest) };
}

/** @throws {FlotillaError} BAD_USER_INPUT for a text of blanks. */
function withText<Input extends Said>(input: Input): Input {
  if (input.text.trim() === '') throw badUserInput('Cannot reply: "text" is empty, a message is expected');
  return input;
}
