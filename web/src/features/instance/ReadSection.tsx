/** A part of the page that is read by itself, in each of its looks: loading, refused, not sent, stale, read. */
import { type ReactNode, useId } from 'react';
import { problemText } from '../../transport/problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import type { Reading } from './useReading.ts';

interface ReadSectionProps {
  readonly title: string;
  /** Why it may not be read. */
  readonly reason: string | undefined;
  readonly reading: Omit<Reading<unknown>, 'replace'>;
  readonly children: ReactNode;
}

export function ReadSection({ title, reason, reading, children }: ReadSectionProps) {
  const { fetching, error, data, read } = reading;
  const id = useId();
  const isRead = data !== undefined;
  return (
    <section className="card" aria-labelledby={id} aria-busy={fetching}>
      <header className="card-head">
        <h3 id={id}>{title}</h3>
        <button type="button" disabled={fetching || reason !== undefined} title={reason} onClick={read}>
          {fetching && isRead ? 'Reading…' : 'Read again'}
          <span className="sr-only"> {title}</span>
        </button>
      </header>
      {error && <Banner role="alert">{problemText(error)}</Banner>}
      {!isRead && fetching && (
        <p className="page-note" role="status">
          Loading…
        </p>
      )}
      {!isRead && reason !== undefined && <p className="page-note">Not read: {reason}</p>}
      {isRead && (reason ?? error) !== undefined && (
        <p className="page-note">What follows is from the last reading.</p>
      )}
      {children}
    </section>
  );
}
