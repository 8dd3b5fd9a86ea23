/** The tasks of the demonstration: one that asks, one that works, one that is done. */
import type { HistoryEntryFragment, TaskDetailFragment, TaskRowFragment } from '../gql/graphql.ts';

type DetailOnly = Omit<TaskDetailFragment, keyof TaskRowFragment>;

export interface DemoTask {
  readonly row: TaskRowFragment;
  readonly detail: DetailOnly;
  readonly history: readonly HistoryEntryFragment[];
}

/** Name of the worker. */
export const DEMO_NAME = 'demo';

const MINUTE_MS = 60_000;

/** The newest activity first; every time is before `nowMs`. */
export function demoTasks(nowMs: number): readonly DemoTask[] {
  const ago = (minutes: number): string => new Date(nowMs - minutes * MINUTE_MS).toISOString();
  return [
    {
      row: {
        ...row(1, 'Choose the order of the release notes', ago(40), ago(2)),
        state: 'INPUT_REQUIRED',
        subState: 'AWAITING_ANSWER',
        statusMessage: 'Which comes first, fixes or features?',
      },
      detail: {
        ...DETAIL,
        question: {
          participant: 'operator',
          text: 'Which comes first, fixes or features?',
          options: ['Fixes', 'Features'],
          messageId: 'question-1',
        },
      },
      history: [
        said(1, 'USER', 'Write the release notes of this week.', ago(40)),
        said(2, 'ASSISTANT', 'I have found nine changes. Which comes first, fixes or features?', ago(2)),
      ],
    },
    {
      row: {
        ...row(2, 'Find out why the nightly build is slow', ago(90), ago(5)),
        state: 'WORKING',
        lastReply: 'The tests of the parser take most of the time.',
      },
      detail: {
        ...DETAIL,
        plan: {
          steps: [
            { id: 'a', name: 'Measure', description: 'Time each step', state: 'DONE', output: '14 minutes' },
            { id: 'b', name: 'Find the cause', description: 'Profile it', state: 'ACTIVE', output: null },
            { id: 'c', name: 'Propose', description: 'Say what helps', state: 'PENDING', output: null },
          ],
        },
      },
      history: [
        said(1, 'USER', 'Why does the nightly build take so long?', ago(90)),
        {
          __typename: 'HistoryToolCall',
          id: 2,
          callId: 'call-1',
          tool: 'read_log',
          arguments: { build: 'nightly' },
          at: ago(8),
        },
        {
          __typename: 'HistoryToolResult',
          id: 3,
          callId: 'call-1',
          tool: 'read_log',
          text: 'parser: 9 min 12 s',
          isError: false,
          at: ago(8),
        },
        said(4, 'ASSISTANT', 'The tests of the parser take most of the time.', ago(5)),
      ],
    },
    {
      row: {
        ...row(3, 'Translate the welcome mail', ago(300), ago(200)),
        state: 'COMPLETED',
        lastReply: 'It is in French and in German now.',
      },
      detail: DETAIL,
      history: [
        said(1, 'USER', 'Translate the welcome mail into French and German.', ago(300)),
        said(2, 'ASSISTANT', 'It is in French and in German now.', ago(200)),
      ],
    },
  ];
}

const DETAIL: DetailOnly = {
  contextId: 'demo',
  lifecycle: 'CONVERSATION',
  turns: 2,
  queuedMessages: 0,
  participants: [{ id: 'operator', kind: 'HUMAN', role: 'REPORTER', displayName: 'Operator' }],
  settings: { model: null, effort: null },
  usage: { inputTokens: 1840, cachedTokens: 0, outputTokens: 312, cost: null, byModel: null },
  budget: null,
  heldBy: null,
  plan: null,
  description: null,
  acceptanceCriteria: null,
  question: null,
  parent: null,
  children: null,
  origin: null,
};

function row(number: number, name: string, createdAt: string, updatedAt: string): TaskRowFragment {
  return {
    instance: DEMO_NAME,
    ref: `flotilla:${DEMO_NAME}/task#${number}`,
    id: `demo-${number}`,
    state: 'WORKING',
    subState: null,
    name,
    goal: name,
    lastReply: null,
    statusMessage: null,
    paused: false,
    createdAt,
    updatedAt,
    version: 1,
  };
}

function said(id: number, role: 'USER' | 'ASSISTANT', text: string, at: string): HistoryEntryFragment {
  return {
    __typename: 'HistoryMessage',
    id,
    role,
    participant: role === 'USER' ? 'operator' : null,
    text,
    at,
  };
}
