/** What every host of the task core is opened with. */
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { StateDatabase } from '../../lib/StateDatabase.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { EffectPerformer } from '../effects/EffectPerformer.ts';
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { StateEventLog } from '../log/createEventLog.ts';
import type { Budget } from '../task/index.ts';
import type { ScheduledRun } from './TaskEngine.ts';
import type { TracedParts } from './takeTraced.ts';

export interface EngineOptions extends TracedParts {
  /** Migrated with `STATE_MIGRATIONS`; its directory is held under a `StateLock`. Stays open longer than the engine. */
  readonly database: StateDatabase;
  /** The log on the same database. */
  readonly log: StateEventLog;
  readonly performer: EffectPerformer;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** For the refs that the instance gives out; asked at every creation. */
  readonly instanceName: () => string;
  /** Asked at every effect. */
  readonly retries: () => Config['retries'];
  /** How many of a task's newest inputs are kept at least; asked now and then. @default 10_000 */
  readonly journalBound?: () => number;
  /** What schedules do when they are due. @default nothing */
  readonly scheduled?: ScheduledRun;
  /** Who has a say about messages and about what follows a failure. @default nobody */
  readonly hooks?: HookRunner;
  /** Limits of a task that is created without any; asked at every creation. @default none */
  readonly taskBudget?: () => Budget | undefined;
  /** Masks secrets in what is taken in and in outcomes, before they are stored. @default nothing is masked */
  readonly redact?: Redactor;
}

/** Whether somebody outside has a say about messages. */
export function needsIntake({ hooks }: Pick<EngineOptions, 'hooks'>): boolean {
  return (['pre', 'post'] as const).some((phase) => hooks?.has('request.received', phase) === true);
}
