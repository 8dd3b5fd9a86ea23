/** A time as its distance from now; the title has the instant itself. */
import { useServices, useStore } from '../services.ts';
import { relativeTime } from './relativeTime.ts';

export function RelativeTime({ at }: { readonly at: string }) {
  const nowMs = useStore(useServices().now);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {relativeTime(at, nowMs)}
    </time>
  );
}
