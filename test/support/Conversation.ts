/** The file in which a harness keeps a session of a Python service, as the service looks for it. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PythonService } from './PythonService.ts';

/** Four entries: one that is no turn, a question, an answer with a tool call, and its result. */
export const GREETING: readonly object[] = [
  { type: 'summary', summary: 'Greets' },
  { type: 'user', timestamp: '2026-11-30T12:00:00Z', message: { role: 'user', content: 'Say hello' } },
  {
    type: 'assistant',
    timestamp: '2026-11-30T12:00:01Z',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look first.' },
        { type: 'tool_use', id: 'u1', name: 'Bash', input: { command: 'ls' } },
      ],
    },
  },
  {
    type: 'user',
    timestamp: '2026-11-30T12:00:02Z',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'a.txt' }] },
  },
];

export class Conversation {
  readonly #path: string;

  /** An empty one, of a session that was registered with `cwd: '.'`. */
  constructor({ directory }: Pick<PythonService, 'directory'>, sessionId: string) {
    const folder = join(directory, '.claude/projects', directory.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, `${sessionId}.jsonl`);
    writeFileSync(this.#path, '');
  }

  write(...entries: readonly object[]): void {
    appendFileSync(this.#path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
}
