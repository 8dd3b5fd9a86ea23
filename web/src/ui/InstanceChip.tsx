/** The instance that a row is from; nothing where there is only one. */
export function InstanceChip({ instance }: { readonly instance: string }) {
  if (instance === '') return null;
  return (
    <span className="chip">
      <span className="sr-only">on </span>
      {instance}
    </span>
  );
}
