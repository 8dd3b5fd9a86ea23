/** What workflows have their instance do. */
import { Context } from '@temporalio/activity';
import type { Logger } from '../../../lib/Logger.ts';
import { type Redactor, redactDeep } from '../../../lib/redact.ts';
import type { JsonObject } from '../../task/index.ts';
import type { AttemptRunner } from './AttemptRunner.ts';
import type { AttemptAnswer, ScheduleActivities, TaskActivities } from './protocol.ts';
import type { TaskInboxes } from './TaskInboxes.ts';
import type { TaskReplica } from './TaskReplica.ts';

export interface ActivityParts {
  readonly replica: TaskReplica;
  readonly runner: AttemptRunner;
  readonly inboxes: TaskInboxes;
  readonly logger: Logger;
  /** Masks secrets in outcomes, before Temporal stores them. */
  readonly redact: Redactor | undefined;
  readonly runScheduled: (id: string, signal: AbortSignal) => Promise<JsonObject>;
}

/** All of them may be called again with the same arguments. */
export function createActivities(parts: ActivityParts): TaskActivities & ScheduleActivities {
  const { replica, runner, inboxes, logger, redact, runScheduled } = parts;
  return {
    async publish(taskId, inputs) {
      const publication = replica.publish(taskId, inputs);
      if (!publication) return { kind: 'behind' };
      inboxes.show(publication.addressed);
      for (const key of publication.abandoned) runner.abandon(key);
      return { kind: 'published' };
    },
    async restore(snapshot) {
      const { id, ref, version } = snapshot.state;
      logger.warn(
        { ref, id, version },
        'The state file lacked a part of the task; it is restored from Temporal',
      );
      replica.restore(snapshot);
    },
    async attempt(taskId, attempt) {
      const place = replica.find({ id: taskId });
      // The events of the step are published before its effects are started, so only a lost state file lacks the task.
      if (!place)
        throw new Error(`Cannot attempt effect "${attempt.effect.key}": the instance does not have the task`);
      const answer = await runner.attempt(attempt, {
        task: place.number,
        load: () => replica.readWhole(place),
      });
      return redact ? (redactDeep(answer, redact) as AttemptAnswer) : answer;
    },
    runScheduled: (id) => runScheduled(id, Context.current().cancellationSignal),
  };
}
