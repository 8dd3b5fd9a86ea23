/** The background services of the instance, and the switch of each. */
import { useMutation } from 'urql';
import type { DaemonsQuery as Daemons } from '../../gql/graphql.ts';
import { useServices } from '../../services.ts';
import { missingMembers, problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Dot } from '../../ui/Dot.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ControlDaemonMutation, DaemonsQuery } from './queries.graphql.ts';
import { ReadSection } from './ReadSection.tsx';
import type { Target } from './target.ts';
import { useReading } from './useReading.ts';

type Daemon = Daemons['daemons'][number];

export function DaemonsSection({ target }: { readonly target: Target }) {
  const { row, reason } = target;
  const { fleet } = useServices();
  const reading = useReading(DaemonsQuery, {}, reason);
  const daemons = reading.data?.daemons.filter(({ instance }) => instance === row.name);
  const missing = missingMembers(reading.extensions).find(({ instance }) => instance === row.name);
  return (
    <ReadSection title="Daemons" reason={reason} reading={reading}>
      {missing && (
        <Banner role="alert">
          {row.name} is {missing.state} {missing.detail && `(${missing.detail})`}
        </Banner>
      )}
      {daemons?.length === 0 && !missing && <p className="page-note">This instance has no daemons.</p>}
      {daemons !== undefined && daemons.length > 0 && (
        <ul className="daemons">
          {daemons.map((daemon) => (
            <DaemonRow
              key={daemon.name}
              daemon={daemon}
              target={target}
              onControlled={() => {
                reading.read();
                fleet.reload();
              }}
            />
          ))}
        </ul>
      )}
    </ReadSection>
  );
}

interface DaemonRowProps {
  readonly daemon: Daemon;
  readonly target: Target;
  readonly onControlled: () => void;
}

function DaemonRow({
  daemon: { name, running, lastCycleAt },
  target: { instance, reason },
  onControlled,
}: DaemonRowProps) {
  const [{ fetching, error, data }, control] = useMutation(ControlDaemonMutation);
  const refusal = data && data.controlDaemon.exitCode !== 0 ? data.controlDaemon.output : undefined;

  async function press(): Promise<void> {
    const { data: done } = await control({ daemon: name, verb: running ? 'stop' : 'start', instance });
    if (done) onControlled();
  }

  return (
    <li>
      <span>
        <Dot tone={running ? 'done' : 'failed'} />
        <b>{name}</b> {running ? 'running' : 'stopped'}
        {lastCycleAt && (
          <small>
            {' · last cycle '}
            <RelativeTime at={lastCycleAt} />
          </small>
        )}
      </span>
      <button type="button" disabled={fetching || reason !== undefined} title={reason} onClick={press}>
        {running ? 'Stop' : 'Start'}
        <span className="sr-only"> {name}</span>
      </button>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {refusal !== undefined && <Banner role="alert">{refusal}</Banner>}
    </li>
  );
}
