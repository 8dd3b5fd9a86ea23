/** What is done with the instance as a whole: start it again, take it out of the registry. */
import { useState } from 'react';
import { useMutation } from 'urql';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { TwoStepButton } from '../../ui/TwoStepButton.tsx';
import { goTo } from '../../useRoute.ts';
import { UnregisterButton } from '../instances/UnregisterButton.tsx';
import { RestartMutation } from './queries.graphql.ts';
import type { Target } from './target.ts';

export function ProcessActions({ target: { row, instance, reason, isMember } }: { readonly target: Target }) {
  const [{ fetching, error, data }, restart] = useMutation(RestartMutation);
  const [refusal, setRefusal] = useState<string>();
  return (
    <>
      <div className="actions">
        <TwoStepButton
          label="Restart"
          confirmLabel="Restart it now?"
          subject={row.name}
          isDangerous
          isDisabled={fetching || reason !== undefined}
          reason={reason}
          onConfirm={() => restart({ instance })}
        />
        {isMember && (
          <UnregisterButton
            name={row.name}
            onRefused={setRefusal}
            onDone={() => goTo({ page: 'instances' })}
          />
        )}
      </div>
      {data?.restart.scheduled && (
        <Banner role="status">
          The restart is under way.
          {data.restart.logfile !== '' && (
            <>
              {' '}
              What it says is in <code>{data.restart.logfile}</code>
            </>
          )}
        </Banner>
      )}
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {refusal !== undefined && <Banner role="alert">{refusal}</Banner>}
    </>
  );
}
