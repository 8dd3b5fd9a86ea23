/** Prompts as Markdown with sections (spec/worker.md § 8.6). Pure. */
import { parse } from 'yaml';
import { z } from 'zod';
import { capitalize } from '../../lib/capitalize.ts';
import { splitFrontMatter } from '../../lib/splitFrontMatter.ts';
import { flaw, type Part, problemOf } from '../plugins/Part.ts';

/** Name of the text before the first heading. */
const PREAMBLE = 'preamble';

export interface Prompt {
  readonly id: string;
  /** Of the plugin that brings it. */
  readonly version?: string;
  /** The section of the system prompt that this one is appended to. */
  readonly extends?: string;
  /** Texts by lower-cased heading, in order; the text before the first is `preamble`. */
  readonly sections: ReadonlyMap<string, string>;
}

const FrontMatter = z.strictObject({
  id: z.string().min(1).optional(),
  extends: z.string().min(1).optional(),
});

/** @param options.id of a prompt that names none. */
export function parsePrompt(
  text: string,
  { id, version }: { readonly id: string; readonly version?: string },
): Part<Prompt> {
  const { yaml, body } = splitFrontMatter(text);
  let matter: unknown = {};
  try {
    if (yaml !== undefined) matter = parse(yaml) ?? {};
  } catch {
    return flaw('prompt.invalid', 'the front matter is no YAML');
  }
  const parsed = FrontMatter.safeParse(matter);
  if (!parsed.success) return flaw('prompt.invalid', problemOf(parsed.error));
  const { id: own = id, extends: section } = parsed.data;
  return {
    value: {
      id: own,
      ...(version !== undefined && { version }),
      ...(section !== undefined && { extends: section.toLowerCase() }),
      sections: parseSections(body),
    },
  };
}

function parseSections(body: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const [index, part] of body.split(/^##[ \t]+/m).entries()) {
    const [heading = '', ...lines] = index === 0 ? [PREAMBLE, part] : part.split('\n');
    const text = lines.join('\n').trim();
    if (index > 0 || text !== '') sections.set(heading.trim().toLowerCase(), text);
  }
  return sections;
}

/**
 * The system prompt with the prompts that extend it, as Markdown: the sections in their order, each followed by its extensions in
 * the order given. Prompts that extend nothing are not in it.
 */
export function renderSystemPrompt(system: Prompt, prompts: readonly Prompt[]): string {
  return [...system.sections]
    .map(([name, text]) => {
      const extensions = prompts
        .filter((prompt) => prompt.extends === name)
        .map((prompt) => [...prompt.sections.values()].join('\n\n'));
      const whole = [text, ...extensions].filter((part) => part !== '').join('\n\n');
      return name === PREAMBLE ? whole : `## ${capitalize(name)}\n${whole}`;
    })
    .join('\n\n');
}
