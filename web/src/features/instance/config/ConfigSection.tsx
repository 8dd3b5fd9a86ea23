/** The configuration file of the instance: every setting of its schema, and what the newest write has changed. */
import { useState } from 'react';
import type { UpdateConfigMutation } from '../../../gql/graphql.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { InstanceConfigQuery } from '../queries.graphql.ts';
import { ReadSection } from '../ReadSection.tsx';
import type { Target } from '../target.ts';
import { useReading } from '../useReading.ts';
import { ConfigEditor } from './ConfigEditor.tsx';

type Written = UpdateConfigMutation['updateConfig'];

export function ConfigSection({ target }: { readonly target: Target }) {
  const { instance, reason } = target;
  const reading = useReading(InstanceConfigQuery, { instance }, reason);
  const [written, setWritten] = useState<Written>();
  const { config: document, configSchema: schema } = reading.data ?? {};
  return (
    <ReadSection title="Configuration" reason={reason} reading={reading}>
      {written && <WrittenBanner written={written} />}
      {document && (
        <>
          <p className="page-note">
            <code>{document.path}</code>
            {!document.exists && ' is not there yet; the first setting writes it'}
          </p>
          <ConfigEditor
            config={document.config}
            schema={schema}
            target={target}
            onWritten={(update) => {
              setWritten(update);
              reading.read();
            }}
          />
        </>
      )}
    </ReadSection>
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
