/** Takes a member out of the manager's registry; the member itself is not told. */
import { useMutation } from 'urql';
import { useServices } from '../../services.ts';
import { problemText } from '../../transport/problem.ts';
import { TwoStepButton } from '../../ui/TwoStepButton.tsx';
import { UnregisterInstanceMutation } from '../fleet/queries.graphql.ts';

interface UnregisterButtonProps {
  readonly name: string;
  /** The manager has refused, in these words. */
  readonly onRefused: (problem: string) => void;
  readonly onDone: (name: string) => void;
}

export function UnregisterButton({ name, onRefused, onDone }: UnregisterButtonProps) {
  const { fleet, drafts } = useServices();
  const [{ fetching }, unregister] = useMutation(UnregisterInstanceMutation);

  async function confirm(): Promise<void> {
    const { error } = await unregister({ name });
    fleet.reload();
    if (error) return onRefused(problemText(error));
    drafts.delete(name);
    onDone(name);
  }

  return (
    <TwoStepButton
      label="Unregister"
      confirmLabel="Unregister it now?"
      subject={name}
      isDangerous
      isDisabled={fetching}
      onConfirm={confirm}
    />
  );
}
