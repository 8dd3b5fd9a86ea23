/** The model provider that the configuration names. */
import type { Clock } from '../../lib/Clock.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { Effort } from '../task/index.ts';
import type { ModelProvider } from './ModelProvider.ts';
import { createOpenAIModel } from './openai/createOpenAIModel.ts';
import { createScriptedModel } from './scripted/createScriptedModel.ts';

/** The section of the other provider is not looked at. A key variable that is unset or empty means no key. */
export function createModel(
  { model, scripted, openai }: Pick<Config, 'model' | 'scripted' | 'openai'>,
  { env, clock }: { readonly env: Readonly<Record<string, string | undefined>>; readonly clock: Clock },
): ModelProvider {
  switch (model.provider) {
    case 'scripted':
      return createScriptedModel({ ...scripted, clock });
    case 'openai':
      return createOpenAIModel({
        baseUrl: openai.baseUrl,
        api: openai.api,
        model: openai.model,
        effort: toEffort(openai.effort),
        models: openai.models,
        apiKey: env[openai.apiKeyEnv] || undefined,
        timeoutMs: openai.timeoutSeconds * 1000,
        maxOutputTokens: openai.maxOutputTokens,
        clock,
      });
  }
}

function toEffort(level: Config['openai']['effort']): Effort | undefined {
  return level?.toUpperCase() as Uppercase<NonNullable<typeof level>> | undefined;
}
