/** What would be saved, how the last saving ended, and the two ways on; it stays in sight under a long list of settings. */
import { Banner } from '../../../ui/Banner.tsx';
import type { DraftPlan } from './draft.ts';
import type { Saving, Written } from './useSaving.ts';

interface SaveBarProps {
  readonly plan: DraftPlan;
  /** Keys that take a restart, as far as the schema says so. */
  readonly restarting: readonly string[];
  readonly saving: Saving;
  readonly canSave: boolean;
  /** Why nothing may be written. */
  readonly reason: string | undefined;
  /** Undefined when nothing was typed. */
  readonly onDiscard: (() => void) | undefined;
}

export function SaveBar({ plan, restarting, saving, canSave, reason, onDiscard }: SaveBarProps) {
  const isSaving = saving.phase === 'saving';
  return (
    <footer className="settings-foot">
      {saving.phase === 'refused' && <Banner role="alert">{saving.problem}</Banner>}
      {saving.phase === 'overtaken' && (
        <Banner role="alert">
          Not saved: somebody has changed the same in the file. What it says now stands beside each; Save puts
          yours in its place.
        </Banner>
      )}
      {saving.phase === 'written' && <WrittenBanner written={saving.update} />}
      <p role="status">{changeWords(plan, restarting)}</p>
      <div className="actions">
        <button type="button" disabled={onDiscard === undefined || isSaving} onClick={onDiscard}>
          Discard
        </button>
        <button type="submit" className="primary" disabled={!canSave} title={reason}>
          {isSaving ? 'Saving…' : 'Save'}
        </button>
      </div>
    </footer>
  );
}

function WrittenBanner({ written: { changed, restartRequired } }: { readonly written: Written }) {
  const inForce = changed.filter((key) => !restartRequired.includes(key));
  return (
    <Banner role="status">
      {changed.length === 0 && 'The file says that already; nothing was changed.'}
      {inForce.length > 0 && <p>In force now: {inForce.join(', ')}</p>}
      {restartRequired.length > 0 && (
        <p>
          <b>Takes a restart:</b> {restartRequired.join(', ')}
        </p>
      )}
    </Banner>
  );
}

function changeWords({ changed, overtaken, problems }: DraftPlan, restarting: readonly string[]): string {
  if (changed.length === 0) return 'Nothing is changed.';
  const late = changed.filter((key) => restarting.includes(key));
  return [
    `Changed: ${changed.join(', ')}`,
    ...(overtaken.length > 0 ? [`changed in the file, too: ${overtaken.join(', ')}`] : []),
    ...(problems.size > 0 ? [`${problems.size} cannot be saved`] : []),
    ...(late.length > 0 ? [`only after a restart: ${late.join(', ')}`] : []),
  ].join(' · ');
}
