/** Who is missing from a partial answer, in which state, and why. */
import type { MissingMember } from '../transport/problem.ts';
import { Banner } from './Banner.tsx';

interface MissingBannerProps {
  readonly missing: readonly MissingMember[];
  readonly onRetry: () => void;
}

export function MissingBanner({ missing, onRetry }: MissingBannerProps) {
  if (missing.length === 0) return null;
  return (
    <Banner role="status" action={{ label: 'Read again', run: onRetry }}>
      <strong>
        {missing.length === 1 ? 'One instance is missing:' : `${missing.length} instances are missing:`}
      </strong>{' '}
      {missing.map(({ instance, state, detail }, index) => (
        <span key={instance}>
          {index > 0 && '; '}
          <b>{instance}</b> is {state}
          {detail && ` (${detail})`}
        </span>
      ))}
    </Banner>
  );
}
