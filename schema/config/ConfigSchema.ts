/** The whole configuration of an instance (spec/manager.md § 2, spec/worker.md § 11): one zod schema, joined from one file per section. */
import { z } from 'zod';
import { GatewaySection } from './GatewaySection.ts';
import { InstanceSection } from './InstanceSection.ts';
import { LogSection } from './LogSection.ts';
import { ModelSection } from './ModelSection.ts';
import { OpenAISection } from './OpenAISection.ts';
import { RetentionSection } from './RetentionSection.ts';
import { RetriesSection } from './RetriesSection.ts';
import { ScriptedSection } from './ScriptedSection.ts';
import { ServiceSection } from './ServiceSection.ts';
import { StateSection } from './StateSection.ts';
import { TasksSection } from './TasksSection.ts';

export { INSTANCE_NAME } from './InstanceSection.ts';

/** Unknown keys are refused at every level, every key but those of list entries has a default. */
export const ConfigSchema = z.strictObject({
  instance: InstanceSection,
  gateway: GatewaySection,
  service: ServiceSection,
  state: StateSection,
  model: ModelSection,
  scripted: ScriptedSection,
  openai: OpenAISection,
  tasks: TasksSection,
  retries: RetriesSection,
  retention: RetentionSection,
  log: LogSection,
});

/** The value in force: every default filled in, URLs and refs normalised, frozen. `state.directory` is absolute once a file was read. */
export type Config = DeepReadonly<z.output<typeof ConfigSchema>>;

export type RetryConfig = Config['retries']['default'];

/** One entry of `scripted.replies`. */
export type ScriptedReply = Config['scripted']['replies'][number];

type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
