/** What the suite of the engine's port asks of a host. */
import type { Redactor } from '../../../lib/redact.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import type { EffectPerformer } from '../../../subgraph/effects/EffectPerformer.ts';
import type { ScheduledRun, TaskEngine } from '../../../subgraph/engine/TaskEngine.ts';
import type { HookRunner } from '../../../subgraph/hooks/HookRunner.ts';
import type { EventLog } from '../../../subgraph/log/EventLog.ts';
import type { Budget } from '../../../subgraph/task/index.ts';

/** An engine of the instance `alpha` on a fresh state. */
export interface EngineFixture extends AsyncDisposable {
  readonly engine: TaskEngine;
  readonly log: EventLog;
  /** Stops the engine and starts another one on the same state, with the same options. */
  restart(performer: EffectPerformer): Promise<void>;
}

/** What a host is opened with beside its performer; absent means nothing of the kind. */
export interface EngineExtras {
  readonly hooks?: HookRunner;
  readonly taskBudget?: () => Budget | undefined;
  readonly redact?: Redactor;
  readonly scheduled?: ScheduledRun;
}

export type CreateEngineFixture = (
  options: EngineExtras & { readonly performer: EffectPerformer; readonly retries: Config['retries'] },
) => Promise<EngineFixture>;

/** Opens a host for one test. @default a performer that answers, and nothing else */
export type CreateEngine = (performer?: EffectPerformer, extras?: EngineExtras) => Promise<EngineFixture>;

/** Short enough to be waited for. */
export const SHORT_RETRIES: Config['retries'] = {
  default: {
    initialIntervalSeconds: 0.001,
    backoffCoefficient: 1,
    maximumIntervalSeconds: 0.002,
    maximumAttempts: 3,
  },
  perActivity: {},
};
