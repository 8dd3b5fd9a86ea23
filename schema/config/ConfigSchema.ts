/** The whole configuration of an instance (spec/manager.md § 2, spec/worker.md § 11): one zod schema, joined from one file per section. */
import { z } from 'zod';
import { BudgetsSection, PricesSection } from './BudgetsSection.ts';
import { CheckoutsSection, InstructionsSection } from './CheckoutsSection.ts';
import { ContextSection } from './ContextSection.ts';
import { CriticsSection } from './CriticsSection.ts';
import { GatewaySection } from './GatewaySection.ts';
import { HeartbeatSection } from './HeartbeatSection.ts';
import { InstanceSection } from './InstanceSection.ts';
import { LogSection } from './LogSection.ts';
import { McpServersSection } from './McpServersSection.ts';
import { ModelSection } from './ModelSection.ts';
import { O11ySection } from './O11ySection.ts';
import { OpenAISection } from './OpenAISection.ts';
import { PluginsSection } from './PluginsSection.ts';
import { RetentionSection } from './RetentionSection.ts';
import { RetriesSection } from './RetriesSection.ts';
import { ScriptedSection } from './ScriptedSection.ts';
import { ServiceSection } from './ServiceSection.ts';
import { StandingSessionsSection } from './StandingSessionsSection.ts';
import { StateSection } from './StateSection.ts';
import { TasksSection } from './TasksSection.ts';
import { TemporalSection } from './TemporalSection.ts';

export { INSTANCE_NAME } from './InstanceSection.ts';

/** Unknown keys are refused at every level, every key but those of list entries has a default. */
export const ConfigSchema = z.strictObject({
  instance: InstanceSection,
  gateway: GatewaySection,
  service: ServiceSection,
  state: StateSection,
  engine: z
    .enum(['embedded', 'temporal'])
    .default('embedded')
    .describe(
      'What hosts the tasks: the instance itself, in its state file, or Temporal workflows. Tasks of one are not moved to the other.',
    ),
  temporal: TemporalSection,
  model: ModelSection,
  scripted: ScriptedSection,
  openai: OpenAISection,
  tasks: TasksSection,
  standingSessions: StandingSessionsSection,
  context: ContextSection,
  budgets: BudgetsSection,
  prices: PricesSection,
  heartbeat: HeartbeatSection,
  mcpServers: McpServersSection,
  plugins: PluginsSection,
  checkouts: CheckoutsSection,
  instructions: InstructionsSection,
  critics: CriticsSection,
  retries: RetriesSection,
  retention: RetentionSection,
  log: LogSection,
  o11y: O11ySection,
});

/** The value in force: every default filled in, URLs and refs normalised, frozen. `state.directory` is absolute once a file was read. */
export type Config = DeepReadonly<z.output<typeof ConfigSchema>>;

/** One entry of `scripted.replies`. */
export type ScriptedReply = Config['scripted']['replies'][number];

type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
