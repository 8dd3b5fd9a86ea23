/** The pull channel that every instance has: messages in its state file, until the heartbeat fetches them. */
import type { Clock } from '../../../lib/Clock.ts';
import type { Redactor } from '../../../lib/redact.ts';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import type { ChannelSource, PulledMessage } from './ChannelSource.ts';

/** Messages that may wait for one task. */
const MAX_WAITING = 200;

export interface StoredChannel extends ChannelSource {
  /**
   * Leaves a message, secrets in it masked; false when one with this id was left for the task before.
   *
   * @throws {FlotillaError} TOO_MANY_REQUESTS while 200 messages wait for the task.
   */
  put(message: PulledMessage): boolean;
}

/** @param database migrated with `STATE_MIGRATIONS`. */
export function createStoredChannel({
  database,
  clock,
  redact = (text) => text,
}: {
  readonly database: StateDatabase;
  readonly clock: Clock;
  /** @default nothing is masked */
  readonly redact?: Redactor;
}): StoredChannel {
  const insert = database.statement(
    'INSERT OR IGNORE INTO channel_messages (task, message_id, message, at_ms) VALUES (?, ?, ?, ?)',
  );
  const count = database.statement<{ readonly waiting: number }>(
    'SELECT count(*) AS waiting FROM channel_messages WHERE task = ? AND forwarded_ms IS NULL',
  );
  const select = database.statement<{ readonly message: string }>(
    'SELECT message FROM channel_messages WHERE forwarded_ms IS NULL ORDER BY number LIMIT ?',
  );
  const update = database.statement(
    'UPDATE channel_messages SET forwarded_ms = ?, outcome = ? WHERE task = ? AND message_id = ?',
  );
  return {
    put(message) {
      const { taskId, messageId, text } = message;
      const { waiting = 0 } = count.get(taskId) ?? {};
      if (waiting >= MAX_WAITING) {
        throw new FlotillaError(
          'TOO_MANY_REQUESTS',
          `Cannot leave the message: ${waiting} messages wait for the task, fewer than ${MAX_WAITING} are expected`,
        );
      }
      const stored = JSON.stringify({ ...message, text: redact(text) });
      return database.transaction(() => insert.run(taskId, messageId, stored, clock.nowMs()).changes > 0);
    },
    async waiting(limit) {
      return select.all(limit).map(({ message }) => JSON.parse(message) as PulledMessage);
    },
    async settle({ taskId, messageId }, outcome) {
      update.run(clock.nowMs(), outcome, taskId, messageId);
    },
  };
}
