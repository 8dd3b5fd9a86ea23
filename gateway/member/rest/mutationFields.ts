/** Writes to a member of the REST contract: each is one request, and is never sent again by us. */
import { badUserInput, conflict, notSupported } from '../../../schema/errors.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './RestCalls.ts';
import type { RestContext, RowFields } from './RestContext.ts';
import { found, rowsOf } from './rows.ts';
import { isPaused, readTask } from './taskFields.ts';

/** Writes whose body is the arguments as they are: the contract calls them alike. */
const VERBS: Readonly<Record<string, string>> = {
  registerSession: '/api/v1/sessions/register',
  replySession: '/api/v1/sessions/reply',
  controlSession: '/api/v1/sessions/control',
  linkPullRequest: '/api/v1/sessions/link-pr',
  closeSession: '/api/v1/sessions/close',
  createStanding: '/api/v1/standing-sessions/create',
  deleteStanding: '/api/v1/standing-sessions/delete',
  controlStanding: '/api/v1/standing-sessions/control',
  sayStanding: '/api/v1/standing-sessions/say',
  controlDaemon: '/api/v1/daemons/control',
  restart: '/api/v1/restart',
  postComment: '/api/v1/work-items/comments',
  createTicket: '/api/v1/work-items/tickets',
  closeTicket: '/api/v1/work-items/tickets/close',
  createPullRequest: '/api/v1/work-items/pull-requests',
  resolveReviewThread: '/api/v1/pull-requests/threads/resolve',
  mergePullRequest: '/api/v1/pull-requests/merge',
  markPullRequestReady: '/api/v1/pull-requests/ready',
  checkGraph: '/api/v1/graph/check',
  completeGraph: '/api/v1/graph/complete',
  advanceGraph: '/api/v1/graph/advance',
  forceGraph: '/api/v1/graph/force',
  skipGraph: '/api/v1/graph/skip',
  declareGraphRepos: '/api/v1/graph/repos',
  runCritic: '/api/v1/repo/critics/run',
};

/** The root type Mutation. */
export const mutationFields: RowFields = {
  ...Object.fromEntries(
    Object.entries(VERBS).map(([name, path]) => [
      name,
      (_root: Row, args: Row, { calls }: RestContext) => calls.write(path, bodyOf(args)),
    ]),
  ),
  sendMessage: async (_root, args, { calls, messages, newId, position }) => {
    const { ref, text, messageId, participant, interrupt } = args;
    if (interrupt === true) throw notSupported('sendMessage', 'the member cannot interrupt a turn');
    const id = messageId ? String(messageId) : newId();
    const { answer, isDuplicate } = await messages.once(`${ref} ${id}`, () =>
      calls.write('/api/v1/sessions/reply', bodyOf({ ref, text, actor: participant })),
    );
    return { ...answer, ref, messageId: id, isDuplicate, position };
  },
  updateConfig: (_root, { patch }, { calls }) => {
    if (!asRecord(patch)) throw badUserInput('Cannot update config: "patch" is no object, one is expected');
    return calls.write('/api/v1/config', { patch });
  },
  pauseTask: (_root, { ref }, context) => controlTask(String(ref), 'pause', context),
  resumeTask: (_root, { ref }, context) => controlTask(String(ref), 'resume', context),
};

/** @throws {FlotillaError} CONFLICT with the member's words when the task is then not as it should be. */
async function controlTask(ref: string, verb: 'pause' | 'resume', context: RestContext): Promise<Row> {
  const { messages } = await context.calls.write('/api/v1/sessions/control', { ref, verb });
  const task = found(await readTask(ref, context), 'work item', ref);
  if (isPaused(task) === (verb === 'pause')) return task;
  const reasons = rowsOf(messages).map(({ text }) => String(text));
  throw conflict(reasons.join('; ') || `Cannot ${verb} task: the member did not`);
}

/** The operation's own arguments; what was not given is left to the member's defaults. */
function bodyOf({ instance: _, ...args }: Row): Row {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined),
  );
}
