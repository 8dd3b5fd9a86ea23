/** Who the instance is, and which refs it answers for. */
import { formatRoute } from '../../route.ts';
import { Dot } from '../../ui/Dot.tsx';
import { instanceTone, instanceWord } from '../fleet/state.ts';
import { cellsOf } from '../instances/rows.ts';
import { InstanceIdentityQuery } from './queries.graphql.ts';
import { ReadSection } from './ReadSection.tsx';
import type { Target } from './target.ts';
import { useReading } from './useReading.ts';

/** More refs than these are told as a number. */
const MAX_CHIPS = 100;

export function IdentitySection({ target }: { readonly target: Target }) {
  const { row, instance, reason } = target;
  const reading = useReading(InstanceIdentityQuery, { instance }, reason);
  const { version, mode, sessions } = cellsOf(row);
  // A manager's own document names the refs of its whole fleet.
  const managed = reading.data?.instance.managed.filter((item) => (item.instance ?? row.name) === row.name);
  return (
    <ReadSection title="Identity" reason={reason} reading={reading}>
      <dl className="details">
        <dt>State</dt>
        <dd>
          <Dot tone={instanceTone(row.state)} />
          {instanceWord(row.state)}
        </dd>
        <dt>URL</dt>
        <dd>
          <code>{row.url}</code>
        </dd>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Mode</dt>
        <dd>{mode}</dd>
        <dt>Sessions</dt>
        <dd>{sessions}</dd>
        {managed && (
          <>
            <dt>Managed refs</dt>
            <dd>
              <Refs refs={managed.map(({ ref }) => ref)} instance={instance} />
            </dd>
          </>
        )}
      </dl>
    </ReadSection>
  );
}

function Refs({
  refs,
  instance,
}: {
  readonly refs: readonly string[];
  readonly instance: string | undefined;
}) {
  if (refs.length === 0) return 'none';
  return (
    <ul className="chips">
      {refs.slice(0, MAX_CHIPS).map((ref) => (
        <li key={ref}>
          <a className="chip" href={formatRoute({ page: 'item', ref, instance })}>
            {ref}
          </a>
        </li>
      ))}
      {refs.length > MAX_CHIPS && <li>and {refs.length - MAX_CHIPS} more</li>}
    </ul>
  );
}
