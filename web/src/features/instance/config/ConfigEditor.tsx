/** Edits the settings of an instance by its own schema. Nothing is sent until it is saved, and then only what was changed. */
import { type FormEvent, useMemo, useState } from 'react';
import type { InstanceConfigQuery as ConfigReading } from '../../../gql/graphql.ts';
import { CodeText } from '../../../ui/CodeText.tsx';
import type { Target } from '../target.ts';
import {
  authoredText,
  basedOn,
  matchesSearch,
  NO_EDITS,
  planDraft,
  withoutWritten,
  withText,
} from './draft.ts';
import { type ConfigField, configGroups } from './fields.ts';
import { SaveBar } from './SaveBar.tsx';
import { SettingField } from './SettingField.tsx';
import { useDraft } from './useDraft.ts';
import { useSaving } from './useSaving.ts';

interface ConfigEditorProps {
  readonly reading: ConfigReading;
  readonly target: Target;
  /** The file was read once more. */
  readonly onRead: (file: ConfigReading['config']) => void;
}

export function ConfigEditor({ reading, target, onRead }: ConfigEditorProps) {
  const { row, instance, reason } = target;
  const schema = reading.configSchema;
  const { config } = reading.config;
  const groups = useMemo(() => configGroups(schema), [schema]);
  const fields = useMemo(() => groups.flatMap((group) => group.fields), [groups]);
  const [draft, changeDraft] = useDraft(row.name);
  const [search, setSearch] = useState('');
  const { saving, save, reset } = useSaving({
    instance,
    onRead,
    onWritten: () => changeDraft((current) => withoutWritten(current, draft)),
  });
  const plan = planDraft(fields, config, draft);
  const canSave =
    Object.keys(plan.patch).length > 0 &&
    plan.problems.size === 0 &&
    saving.phase !== 'saving' &&
    reason === undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    // What others have changed stands beside each field, so it was seen.
    if (canSave) void save(fields, basedOn(draft, fields, config));
  }

  function type(field: ConfigField, text: string): void {
    if (saving.phase !== 'saving') reset();
    changeDraft((current) => withText(current, field.key, { text, authored: authoredText(field, config) }));
  }

  function discard(): void {
    reset();
    changeDraft(() => NO_EDITS);
  }

  function settings(shown: readonly ConfigField[]) {
    return shown.map((field) => (
      <SettingField
        key={field.key}
        field={field}
        text={draft.get(field.key)?.text ?? authoredText(field, config)}
        isChanged={plan.changed.includes(field.key)}
        problem={plan.problems.get(field.key)}
        overtakenBy={plan.overtaken.includes(field.key) ? authoredText(field, config) : undefined}
        reason={reason}
        onChange={(text) => type(field, text)}
      />
    ));
  }

  const found =
    search.trim() === '' ? undefined : fields.filter((each) => matchesSearch(each, config, search));
  return (
    <form className="settings" aria-label="Settings" onSubmit={submit}>
      <input
        type="search"
        aria-label="Search settings"
        placeholder="Search key, description, value"
        value={search}
        onChange={({ target: { value } }) => setSearch(value)}
        onKeyDown={(event) => {
          // Who searches does not mean to save.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {found?.length === 0 && <p className="page-note">No setting matches the search.</p>}
      {found ? (
        <div>{settings(found)}</div>
      ) : (
        groups.map((group) => (
          <details key={group.name}>
            <summary>
              <b>{group.name}</b> <small>{setWords(group.fields, config)}</small>
              <span>
                <CodeText text={group.description} />
              </span>
            </summary>
            {settings(group.fields)}
          </details>
        ))
      )}
      <SaveBar
        plan={plan}
        restarting={fields.filter(({ takesRestart }) => takesRestart).map(({ key }) => key)}
        saving={saving}
        canSave={canSave}
        reason={reason}
        onDiscard={draft.size === 0 ? undefined : discard}
      />
    </form>
  );
}

function setWords(fields: readonly ConfigField[], config: unknown): string {
  const count = fields.filter((field) => authoredText(field, config) !== '').length;
  return count === 0 ? '' : `${count} set`;
}
