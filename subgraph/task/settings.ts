/** The model and effort of a task (spec/worker.md § 6.4). */
import { presentSettings } from './creation.ts';
import type { Draft } from './Draft.ts';
import type { Effort, TaskSettings } from './TaskSettings.ts';

/** `null` clears a setting, absent leaves it. */
export interface SettingsChange {
  readonly model?: string | null;
  readonly effort?: Effort | null;
}

export function mergeSettings(settings: TaskSettings, change: SettingsChange | undefined): TaskSettings {
  const { model = settings.model, effort = settings.effort } = change ?? {};
  return presentSettings({ model: model ?? undefined, effort: effort ?? undefined });
}

/** Effective from the next request to the model; one that is out is not repeated. Asking for what already is changes nothing. */
export function changeSettings(draft: Draft, change: SettingsChange | undefined): void {
  const { settings: before } = draft.state;
  const settings = mergeSettings(before, change);
  if (settings.model === before.model && settings.effort === before.effort) return;
  draft.update({ settings });
  draft.emit({ type: 'task.updated', changed: ['settings'], settings });
}
