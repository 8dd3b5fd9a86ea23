/** One setting: its key, a control for its kind, and what the schema says of it. */
import { type ChangeEvent, useId } from 'react';
import { CodeText } from '../../../ui/CodeText.tsx';
import { defaultText } from './draft.ts';
import type { ConfigField } from './fields.ts';

interface SettingFieldProps {
  readonly field: ConfigField;
  readonly text: string;
  readonly isChanged: boolean;
  readonly problem: string | undefined;
  /** What the file says since it was typed into; empty when the key was taken out. */
  readonly overtakenBy: string | undefined;
  /** Why it may not be changed. */
  readonly reason: string | undefined;
  readonly onChange: (text: string) => void;
}

export function SettingField({
  field,
  text,
  isChanged,
  problem,
  overtakenBy,
  reason,
  onChange,
}: SettingFieldProps) {
  const id = useId();
  const { key, description, takesRestart } = field;
  return (
    <div className={isChanged ? 'setting setting-changed' : 'setting'}>
      <label htmlFor={id}>
        <code>{key || 'document'}</code>
      </label>
      <Control
        field={field}
        control={{
          id,
          value: text,
          disabled: reason !== undefined,
          title: reason,
          'aria-invalid': problem !== undefined,
          'aria-describedby': `${id}-about`,
          onChange: ({ target }) => onChange(target.value),
        }}
      />
      <p id={`${id}-about`}>
        {problem !== undefined && <span className="field-problem">{problem} </span>}
        {overtakenBy !== undefined && <span className="field-problem">{overtakenWords(overtakenBy)} </span>}
        {takesRestart && <span className="chip">takes a restart</span>} <CodeText text={description} />
      </p>
    </div>
  );
}

function overtakenWords(authored: string): string {
  return `Changed meanwhile: the file ${authored === '' ? 'has no such key now' : `says “${authored}”`}.`;
}

interface ControlProps {
  readonly field: ConfigField;
  readonly control: {
    readonly id: string;
    readonly value: string;
    readonly disabled: boolean;
    readonly title: string | undefined;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
    readonly onChange: (
      event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>,
    ) => void;
  };
}

/** Empty is: not in the file, so that the default holds. */
function Control({ field, control }: ControlProps) {
  const preset = defaultText(field);
  const placeholder = preset === undefined ? 'not set' : `default: ${preset}`;
  switch (field.kind) {
    case 'choice': {
      const offered = field.choices.map(({ text }) => text);
      // The file may say what the schema does not offer, and then shows it.
      const texts = [...new Set([...offered, ...(control.value === '' ? [] : [control.value])])];
      return (
        <select {...control}>
          <option value="">{placeholder}</option>
          {texts.map((text) => (
            <option key={text}>{text}</option>
          ))}
        </select>
      );
    }
    case 'number':
    case 'text':
      return (
        <input
          {...control}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
        />
      );
    case 'texts':
    case 'json':
      return (
        <textarea
          {...control}
          rows={1}
          placeholder={`${placeholder} · ${field.kind === 'json' ? 'JSON' : 'one per line'}`}
          spellCheck={false}
        />
      );
  }
}
