/** A button for what cannot be undone: the first press arms it, the second does it; Escape or leaving it disarms. */
import { type MouseEvent, useState } from 'react';

interface TwoStepButtonProps {
  readonly label: string;
  /** What the armed button says. */
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

export function TwoStepButton({
  label,
  confirmLabel,
  isDangerous = false,
  isDisabled = false,
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
      onClick={press}
      onBlur={() => setIsArmed(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isArmed) return;
        event.stopPropagation();
        setIsArmed(false);
      }}
    >
      {isArmed ? confirmLabel : label}
    </button>
  );
}
