/** The plugin that is always there and loads first (spec/worker.md § 8.4): the default system prompt. */
import { invariant } from '../../lib/invariant.ts';
import { SYSTEM_PROMPT } from '../effects/SYSTEM_PROMPT.ts';
import { parsePrompt } from '../prompts/Prompt.ts';
import type { Plugin } from './Plugin.ts';

export function createBuiltinPlugin(): Plugin {
  const prompt = parsePrompt(SYSTEM_PROMPT, { id: 'system' });
  invariant('value' in prompt, 'The default system prompt can be read');
  return { name: 'flotilla', systemPrompt: prompt.value };
}
