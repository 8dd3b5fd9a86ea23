/** Writes what was typed, unless the file was changed under it meanwhile. */
import { useState } from 'react';
import { useClient } from 'urql';
import type { ConfigFileQuery as FileReading, UpdateConfigMutation as Update } from '../../../gql/graphql.ts';
import { problemText } from '../../../transport/problem.ts';
import { ConfigFileQuery, UpdateConfigMutation } from '../queries.graphql.ts';
import { type Draft, planDraft } from './draft.ts';
import type { ConfigField } from './fields.ts';

export type Written = Pick<Update['updateConfig'], 'changed' | 'restartRequired'>;

export type Saving =
  | { readonly phase: 'idle' | 'saving' }
  /** Somebody else has changed a key that was typed into; nothing was written. */
  | { readonly phase: 'overtaken' }
  | { readonly phase: 'refused'; readonly problem: string }
  | { readonly phase: 'written'; readonly update: Written };

interface SavingOptions {
  /** The argument of the read and of the write. */
  readonly instance: string | undefined;
  /** What the file says before the write, and after it. */
  readonly onRead: (file: FileReading['config']) => void;
  /** Called together with the last `onRead`. */
  readonly onWritten: () => void;
}

interface SavingHandle {
  readonly saving: Saving;
  /** Each edit is based on what its author has seen of the file. */
  readonly save: (fields: readonly ConfigField[], draft: Draft) => Promise<void>;
  /** Forgets how the last one ended. */
  readonly reset: () => void;
}

export function useSaving({ instance, onRead, onWritten }: SavingOptions): SavingHandle {
  const client = useClient();
  const [saving, setSaving] = useState<Saving>({ phase: 'idle' });

  async function save(fields: readonly ConfigField[], draft: Draft): Promise<void> {
    setSaving({ phase: 'saving' });
    setSaving(await write(fields, draft));
  }

  async function write(fields: readonly ConfigField[], draft: Draft): Promise<Saving> {
    const reading = await client.query(ConfigFileQuery, { instance }).toPromise();
    if (!reading.data) return refused(reading.error);
    const { patch, overtaken } = planDraft(fields, reading.data.config.config, draft);
    if (overtaken.length > 0) {
      onRead(reading.data.config);
      return { phase: 'overtaken' };
    }
    const { data, error } = await client.mutation(UpdateConfigMutation, { patch, instance }).toPromise();
    if (!data) return refused(error);
    const { path, exists, config } = data.updateConfig;
    onRead({ path, exists, config });
    onWritten();
    return { phase: 'written', update: data.updateConfig };
  }

  return { saving, save, reset: () => setSaving({ phase: 'idle' }) };
}

function refused(error: Parameters<typeof problemText>[0] | undefined): Saving {
  return { phase: 'refused', problem: error ? problemText(error) : 'The answer is empty' };
}
