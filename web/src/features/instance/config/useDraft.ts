/** What is typed into the settings of one instance; it outlives the page of the instance, not the dashboard. */
import { useState } from 'react';
import { useServices } from '../../../services.ts';
import { type Draft, NO_EDITS } from './draft.ts';

export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

export function useDraft(name: string): readonly [Draft, ChangeDraft] {
  const { drafts } = useServices();
  const [draft, setDraft] = useState(drafts.get(name) ?? NO_EDITS);

  function change(next: (draft: Draft) => Draft): void {
    const after = next(drafts.get(name) ?? NO_EDITS);
    if (after.size === 0) drafts.delete(name);
    else drafts.set(name, after);
    setDraft(after);
  }

  return [draft, change];
}
