/** The instance that a row is from; nothing where there is only one (spec/manager.md § 20.3). */
import { useServices, useStore } from '../../services.ts';
import { isFleet } from './state.ts';

export function InstanceChip({ instance }: { readonly instance: string }) {
  const fleet = useStore(useServices().fleet);
  if (instance === '' || !isFleet(fleet)) return null;
  return (
    <span className="chip">
      <span className="sr-only">on </span>
      {instance}
    </span>
  );
}
