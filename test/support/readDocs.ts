/** The pages that people read, taken apart: what stands in them as code, as a fact in code marks, as a link. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DocPage {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly DocBlock[];
  /** Texts in code marks, outside of blocks. */
  readonly words: readonly DocWord[];
  /** Targets of links, outside of blocks. */
  readonly links: readonly DocWord[];
  /** As links name them. */
  readonly anchors: ReadonlySet<string>;
}

export interface DocBlock {
  /** Empty without one. */
  readonly language: string;
  readonly code: string;
  readonly line: number;
}

export interface DocWord {
  readonly text: string;
  readonly line: number;
}

/** README and everything under `docs/`. */
export function readDocs(root: string): DocPage[] {
  return ['README.md', ...globSync('docs/**/*.md', { cwd: root }).sort()].map((path) =>
    parsePage(path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')),
  );
}

/** The cells of the rows of a table, code marks and all: the first table behind `heading`, without its head. */
export function tableBehind({ text, path }: DocPage, heading: string): string[][] {
  const start = `\n${text}`.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${path} has no heading "${heading}"`);
  const [table = ''] = /^(?:\|.*\n)+/m.exec(text.slice(start)) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** Texts in code marks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function parsePage(path: string, text: string): DocPage {
  const blocks: DocBlock[] = [];
  const words: DocWord[] = [];
  const links: DocWord[] = [];
  const anchors = new Set<string>();
  let open: { readonly language: string; readonly line: number; readonly code: string[] } | undefined;
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    const [, indent, language = ''] = /^(\s*)```(\w*)/.exec(content) ?? [];
    if (indent !== undefined) {
      if (open) blocks.push({ language: open.language, line: open.line, code: open.code.join('\n') });
      open = open ? undefined : { language, line, code: [] };
    } else if (open) {
      open.code.push(content);
    } else {
      words.push(...codeIn(content).map((word) => ({ text: word, line })));
      const targets = content.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g);
      links.push(...[...targets].map(([, target = '']) => ({ text: target, line })));
      const [, heading] = /^#+ (.+)$/.exec(content) ?? [];
      if (heading !== undefined) anchors.add(toAnchor(heading));
    }
  }
  if (open) throw new Error(`${path}:${open.line} is a block without an end`);
  return { path, text, blocks, words, links, anchors };
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
