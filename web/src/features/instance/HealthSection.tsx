/** What the instance says of its own health. */
import { Dot } from '../../ui/Dot.tsx';
import { InstanceHealthQuery } from './queries.graphql.ts';
import { ReadSection } from './ReadSection.tsx';
import type { Target } from './target.ts';
import { useReading } from './useReading.ts';

export function HealthSection({ target: { instance, reason } }: { readonly target: Target }) {
  const reading = useReading(InstanceHealthQuery, { instance }, reason);
  const health = reading.data?.health;
  return (
    <ReadSection title="Health" reason={reason} reading={reading}>
      {health && (
        <dl className="details">
          <dt>Status</dt>
          <dd>
            <Dot tone={health.status === 'ok' ? 'done' : 'failed'} />
            {health.status}
          </dd>
          <dt>Version</dt>
          <dd>{health.version}</dd>
          <dt>Role</dt>
          <dd>{health.role.toLowerCase()}</dd>
          <dt>Configuration</dt>
          <dd>
            <code>{health.configPath}</code>
          </dd>
          <dt>State</dt>
          <dd>
            <code>{health.stateRoot}</code>
          </dd>
        </dl>
      )}
    </ReadSection>
  );
}
