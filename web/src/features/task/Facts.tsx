/** What the task is set to and what it has used; folded away until asked for. */
import type { TaskDetailFragment } from '../../gql/graphql.ts';

const NUMBER = new Intl.NumberFormat('en');

export function Facts({ task }: { readonly task: TaskDetailFragment }) {
  const { ref, id, goal, lifecycle, turns, settings, usage, participants } = task;
  const { inputTokens, cachedTokens, outputTokens } = usage;
  return (
    <details className="facts">
      <summary>
        {settings.model ?? 'Default model'} · {settings.effort?.toLowerCase() ?? 'default'} effort ·{' '}
        {NUMBER.format(turns)} {turns === 1 ? 'turn' : 'turns'} · {NUMBER.format(inputTokens + outputTokens)}{' '}
        tokens
      </summary>
      <dl>
        <dt>Goal</dt>
        <dd className="prose">{goal}</dd>
        <dt>Ref</dt>
        <dd>
          <code>{ref}</code>
        </dd>
        <dt>Task id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Kind</dt>
        <dd>{lifecycle.toLowerCase()}</dd>
        <dt>Tokens</dt>
        <dd>
          {NUMBER.format(inputTokens)} in ({NUMBER.format(cachedTokens)} from cache),{' '}
          {NUMBER.format(outputTokens)} out
        </dd>
        {participants.length > 0 && (
          <>
            <dt>Participants</dt>
            <dd>
              {participants
                .map(({ displayName, id: who, role }) => `${displayName || who} (${role.toLowerCase()})`)
                .join(', ')}
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
