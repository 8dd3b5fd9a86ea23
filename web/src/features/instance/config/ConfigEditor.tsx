/** Edits the settings of an instance by its own schema. Nothing is sent until it is saved, and then only what was changed. */
import { type FormEvent, useMemo, useState } from 'react';
import { useMutation } from 'urql';
import type { UpdateConfigMutation as Update } from '../../../gql/graphql.ts';
import { problemText } from '../../../transport/problem.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { CodeText } from '../../../ui/CodeText.tsx';
import { UpdateConfigMutation } from '../queries.graphql.ts';
import type { Target } from '../target.ts';
import { authoredText, type Draft, matchesSearch, planDraft, withoutWritten } from './draft.ts';
import { type ConfigField, configGroups } from './fields.ts';
import { SettingField } from './SettingField.tsx';

interface ConfigEditorProps {
  /** As the file has it. */
  readonly config: unknown;
  readonly schema: unknown;
  readonly target: Target;
  readonly onWritten: (update: Update['updateConfig']) => void;
}

export function ConfigEditor({ config, schema, target, onWritten }: ConfigEditorProps) {
  const { instance, reason } = target;
  const groups = useMemo(() => configGroups(schema), [schema]);
  const fields = useMemo(() => groups.flatMap((group) => group.fields), [groups]);
  const [{ fetching, error }, update] = useMutation(UpdateConfigMutation);
  const [draft, setDraft] = useState<Draft>(new Map());
  const [search, setSearch] = useState('');
  const { patch, changed, problems } = planDraft(fields, config, draft);
  const canSave = Object.keys(patch).length > 0 && problems.size === 0 && !fetching && reason === undefined;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!canSave) return;
    const { data } = await update({ patch, instance });
    if (!data) return;
    setDraft((current) => withoutWritten(current, draft));
    onWritten(data.updateConfig);
  }

  function settings(shown: readonly ConfigField[]) {
    return shown.map((field) => (
      <SettingField
        key={field.key}
        field={field}
        text={draft.get(field.key) ?? authoredText(field, config)}
        isChanged={changed.includes(field.key)}
        problem={problems.get(field.key)}
        reason={reason}
        onChange={(text) => setDraft((current) => new Map(current).set(field.key, text))}
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
      <footer className="settings-foot">
        {error && <Banner role="alert">{problemText(error)}</Banner>}
        <p role="status">{changeWords(changed, problems.size)}</p>
        <div className="actions">
          <button type="button" disabled={draft.size === 0 || fetching} onClick={() => setDraft(new Map())}>
            Discard
          </button>
          <button type="submit" className="primary" disabled={!canSave} title={reason}>
            {fetching ? 'Saving…' : 'Save'}
          </button>
        </div>
      </footer>
    </form>
  );
}

function setWords(fields: readonly ConfigField[], config: unknown): string {
  const count = fields.filter((field) => authoredText(field, config) !== '').length;
  return count === 0 ? '' : `${count} set`;
}

function changeWords(changed: readonly string[], problems: number): string {
  if (changed.length === 0) return 'Nothing is changed.';
  const wrong = problems === 0 ? '' : ` · ${problems} cannot be saved`;
  return `Changed: ${changed.join(', ')}${wrong}`;
}
