/** Who asked what of a task and whether it was taken: what an operator needs to see why, and never a text (spec/worker.md § 5.3). Pure. */
import type { TaskEvent, TaskInput } from '../task/index.ts';

export interface AuditRow {
  readonly messageId: string;
  readonly participant: string;
  readonly accepted: boolean;
  /** `<code>: <what is>, <what is expected>`; only of what was refused. */
  readonly reason?: string;
}

/** One row for each message or command that this step decided on. */
export function toAuditRows(input: TaskInput, events: readonly TaskEvent[]): readonly AuditRow[] {
  const rows = events.flatMap(toRow);
  const command = commandOf(input);
  return command && !rows.some(({ messageId }) => messageId === command.messageId)
    ? [...rows, { messageId: command.messageId, participant: command.participant, accepted: true }]
    : rows;
}

function toRow(event: TaskEvent): readonly AuditRow[] {
  switch (event.type) {
    case 'task.messageAccepted':
      return [{ messageId: event.messageId, participant: event.participant, accepted: true }];
    case 'task.inputRefused': {
      const { messageId, participant, code, reason } = event;
      if (messageId === undefined || participant === undefined) return [];
      return [{ messageId, participant, accepted: false, reason: `${code}: ${reason}` }];
    }
    default:
      return [];
  }
}

/** A command that is taken is told by no event of its own. */
function commandOf(
  input: TaskInput,
): { readonly messageId: string; readonly participant: string } | undefined {
  if (input.kind === 'commandReceived') return input;
  return input.kind === 'taskCreated' ? input.command : undefined;
}
