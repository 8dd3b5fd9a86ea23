/** A button for what cannot be undone: the first press arms it, the second does it; Escape or leaving it disarms. */
import { type MouseEvent, useState } from 'react';

interface TwoStepButtonProps {
  readonly label: string;
  /** What the armed button says. */
  readonly confirmLabel: string;
  /** What it is about, for those who do not see where it stands. */
  readonly subject?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** Why it is disabled. */
  readonly reason?: string;
  readonly onConfirm: () => void;
}

export function TwoStepButton({
  label,
  confirmLabel,
  subject,
  isDangerous = false,
  isDisabled = false,
  reason,
  onConfirm,
}: TwoStepButtonProps) {
  const [isArmed, setIsArmed] = useState(false);
  function press({ detail: clicks }: MouseEvent): void {
    // The second half of a double click is no decision.
    if (clicks > 1) return;
    if (isArmed) onConfirm();
    setIsArmed(!isArmed);
  }
  return (
    <button
      type="button"
      className={isArmed ? `armed ${isDangerous ? 'danger' : 'primary'}` : undefined}
      disabled={isDisabled}
      title={reason}
      onClick={press}
      onBlur={() => setIsArmed(false)}
      onKeyDown={(event) => {
        // Neither is a key that is held down.
        if (event.repeat) event.preventDefault();
        if (event.key !== 'Escape' || !isArmed) return;
        event.stopPropagation();
        setIsArmed(false);
      }}
    >
      {isArmed ? confirmLabel : label}
      {subject !== undefined && <span className="sr-only"> {subject}</span>}
    </button>
  );
}
