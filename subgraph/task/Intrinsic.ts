/** A tool that the core carries out itself (spec/worker.md § 3.8). */
import type { Draft } from './Draft.ts';
import type { JsonObject } from './HistoryEntry.ts';
import type { JsonShape } from './JsonShape.ts';
import type { WantedChild } from './newChild.ts';
import type { ToolResult } from './toolResult.ts';

export interface Intrinsic {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonShape & JsonObject;
  /** The first rules that have it. */
  readonly since: number;
  /** Changes the task and says what came of it, or names the sub-task to be started. The arguments have the shape of `inputSchema`. */
  apply(draft: Draft, args: JsonObject): ToolResult | { readonly child: WantedChild };
}
