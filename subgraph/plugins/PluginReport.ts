/** What came of loading one plugin (spec/worker.md § 8.4). */

export type ComponentKind = 'skill' | 'mcp_server' | 'hook' | 'prompt' | 'system_prompt' | 'command';

export interface PluginReport {
  readonly plugin: string;
  readonly loaded: readonly { readonly kind: ComponentKind; readonly id: string }[];
  /** One bad component costs itself and nothing else. */
  readonly skipped: readonly SkippedComponent[];
  readonly notes: readonly string[];
}

export interface SkippedComponent {
  readonly kind: ComponentKind;
  readonly id: string;
  /** `<area>.<what>`, such as `entity.conflict` (spec/worker.md § 7.6). */
  readonly code: string;
  readonly reason: string;
}
