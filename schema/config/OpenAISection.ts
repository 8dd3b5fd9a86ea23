/** `openai`: an OpenAI-compatible endpoint (spec/worker.md §§ 6.2, 11). */
import { z } from 'zod';
import { envName, seconds } from './fields.ts';
import { isHttpUrl } from './isHttpUrl.ts';

/** OpenAI's own endpoint; the only one that always wants a key. */
export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Levels of effort, least first. */
export const CONFIG_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

export const OpenAISection = z
  .strictObject({
    baseUrl: z
      .string()
      .refine(isHttpUrl, 'expected an http(s) URL without user information, query and fragment')
      .default(OPENAI_BASE_URL)
      .describe('Base URL of the endpoint. Plain http together with a key is for this machine only.'),
    api: z
      .enum(['responses', 'chat_completions'])
      .default('responses')
      .describe('The wire API that the endpoint speaks.'),
    model: z
      .string()
      .min(1)
      .default('gpt-6.1-sol')
      .describe('Model of the tasks that choose none; passed on verbatim.'),
    effort: z
      .enum(CONFIG_EFFORTS)
      .optional()
      .describe('Effort of the tasks that choose none; the provider decides when it is absent.'),
    models: z
      .array(z.string().min(1))
      .default([])
      .describe('Models that `/model` may choose; empty means any.'),
    apiKeyEnv: envName()
      .default('OPENAI_API_KEY')
      .describe(
        "Name of the environment variable with the API key. It must be set for OpenAI's own endpoint; elsewhere no key means no header.",
      ),
    timeoutSeconds: seconds().default(60).describe('Longest wait for one answer of the model, in seconds.'),
    maxOutputTokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(2000)
      .describe('Longest answer of the model, in tokens.'),
    contextWindowTokens: z
      .int()
      .min(500)
      .max(100_000_000)
      .optional()
      .describe('Window of the default model, in tokens; known for some models, else 400,000.'),
    modelWindows: z
      .array(
        z.strictObject({
          model: z.string().min(1).describe('Name of the model.'),
          tokens: z.int().min(500).max(100_000_000).describe('Its window, in tokens.'),
        }),
      )
      .default([])
      .describe('Windows of other models.'),
  })
  .prefault({})
  .describe('The OpenAI-compatible provider.');
