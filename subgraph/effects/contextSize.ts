/** How large a context is, and how large it may be (spec/worker.md §§ 3.4, 3.5, 6.4). Pure. */
import type { ModelRequest } from '../models/ModelProvider.ts';
import type { HistoryEntry, TaskState } from '../task/index.ts';

/** Windows of models that nobody has configured, in tokens. */
const KNOWN_WINDOWS: Readonly<Record<string, number>> = {
  'gpt-6.1-sol': 1_050_000,
  'gpt-6-astra': 1_050_000,
};

/** In tokens. */
const DEFAULT_WINDOW = 400_000;

const CHARACTERS_PER_TOKEN = 4;

export interface ContextLimits {
  /** Most tokens of one turn, whatever the model. */
  readonly turnBudgetTokens: number;
  /** Share of the budget at which the history is compacted. */
  readonly compactionFraction: number;
  readonly modelWindows: readonly { readonly model: string; readonly tokens: number }[];
  /** Window of the default model. */
  readonly contextWindowTokens?: number;
}

/** Tokens above which a context for this model is compacted. */
export function budgetTokens(
  { turnBudgetTokens, compactionFraction, modelWindows, contextWindowTokens }: ContextLimits,
  { model, defaultModel }: { readonly model: string; readonly defaultModel: string },
): number {
  const window =
    modelWindows.find((each) => each.model === model)?.tokens ??
    (model === defaultModel ? contextWindowTokens : undefined) ??
    KNOWN_WINDOWS[model] ??
    DEFAULT_WINDOW;
  return compactionFraction * Math.min(window, turnBudgetTokens);
}

/** Characters of everything that the model reads. */
export function countCharacters({
  instructions,
  input,
  tools,
}: Pick<ModelRequest, 'instructions' | 'input' | 'tools'>): number {
  return instructions.length + charactersOf(input) + JSON.stringify(tools).length;
}

export function charactersOf(entries: readonly HistoryEntry[]): number {
  return entries.reduce((sum, entry) => sum + characters(entry), 0);
}

/** From what the newest turn has told, when there is one: the model counts better than we do. */
export function estimateTokens(characters: number, lastContext?: TaskState['lastContext']): number {
  if (!lastContext) return Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const added = Math.max(characters - lastContext.characters, 0);
  return lastContext.inputTokens + Math.ceil(added / CHARACTERS_PER_TOKEN);
}

function characters(entry: HistoryEntry): number {
  switch (entry.kind) {
    case 'message':
      return entry.text.length;
    case 'toolCall':
      return entry.tool.length + JSON.stringify(entry.arguments).length;
    case 'toolResult':
      return entry.text.length;
  }
}
