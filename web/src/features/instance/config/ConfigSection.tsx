/** The configuration file of the instance, and every setting of its schema. */
import { InstanceConfigQuery } from '../queries.graphql.ts';
import { ReadSection } from '../ReadSection.tsx';
import type { Target } from '../target.ts';
import { useReading } from '../useReading.ts';
import { ConfigEditor } from './ConfigEditor.tsx';

export function ConfigSection({ target }: { readonly target: Target }) {
  const { instance, reason } = target;
  const reading = useReading(InstanceConfigQuery, { instance }, reason);
  const { data, replace } = reading;
  return (
    <ReadSection title="Configuration" reason={reason} reading={reading}>
      {data && (
        <>
          <p className="page-note">
            <code>{data.config.path}</code>
            {!data.config.exists && ' is not there yet; the first setting writes it'}
          </p>
          <ConfigEditor reading={data} target={target} onRead={(config) => replace({ ...data, config })} />
        </>
      )}
    </ReadSection>
  );
}
