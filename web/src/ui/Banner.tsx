/** A message about the whole view, with a way on. */
import type { ReactNode } from 'react';

interface BannerProps {
  /** `alert` interrupts a screen reader, `status` waits. */
  readonly role: 'alert' | 'status';
  readonly children: ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export function Banner({ role, children, action }: BannerProps) {
  return (
    <div className={`banner banner-${role}`} role={role}>
      <div>{children}</div>
      {action && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
