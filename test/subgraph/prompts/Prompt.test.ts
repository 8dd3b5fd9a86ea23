import { expect, test } from 'vitest';
import { SYSTEM_PROMPT } from '../../../subgraph/effects/SYSTEM_PROMPT.ts';
import { type Prompt, parsePrompt, renderSystemPrompt } from '../../../subgraph/prompts/Prompt.ts';

test('parsePrompt() takes sections by their headings, and what stands before as the preamble', () => {
  const prompt = parse(
    '---\nid: own\nextends: Rules\n---\nFirst.\n\n## Role\nA.\n\n### Detail\nB.\n## My Rules \nC.\n',
    {
      version: '1.0.0',
    },
  );
  expect(prompt).toMatchObject({ id: 'own', version: '1.0.0', extends: 'rules' });
  expect([...prompt.sections]).toEqual([
    ['preamble', 'First.'],
    ['role', 'A.\n\n### Detail\nB.'],
    ['my rules', 'C.'],
  ]);
});

test('parsePrompt() names a prompt without an id after its file', () => {
  expect(parse('Text.').id).toBe('file');
  expect(parse('---\n---\nText.').id).toBe('file');
});

test.each([
  ['is no YAML', '---\n{\n---\n'],
  ['has an unknown key', '---\nextend: rules\n---\n'],
  ['has an id that is no text', '---\nid: [1]\n---\n'],
])('parsePrompt() refuses a front matter that %s', (_title, text) => {
  expect(parsePrompt(text, { id: 'file' })).toMatchObject({ flaw: { code: 'prompt.invalid' } });
});

test('renderSystemPrompt() appends to the sections that are extended, in the order given', () => {
  const system = parse('Before.\n## Role\nA.\n## Rules\nB.');
  const additions = [
    parse('---\nextends: rules\n---\nC.'),
    parse('Not in it.'),
    parse('---\nextends: rules\n---\nD.'),
  ];
  expect(renderSystemPrompt(system, additions)).toBe('Before.\n\n## Role\nA.\n\n## Rules\nB.\n\nC.\n\nD.');
});

test('renderSystemPrompt() gives the built-in prompt back as it is', () => {
  expect(renderSystemPrompt(parse(SYSTEM_PROMPT), [])).toBe(SYSTEM_PROMPT);
});

function parse(text: string, options: { readonly version?: string } = {}): Prompt {
  const part = parsePrompt(text, { id: 'file', ...options });
  if ('flaw' in part) throw new Error(part.flaw.reason);
  return part.value;
}
