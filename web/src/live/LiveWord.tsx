/** Whether what is shown follows what happens. While it does, the health word beside it says so for those who see it. */
import { useSyncExternalStore } from 'react';
import { useServices } from '../services.ts';
import { Dot } from '../ui/Dot.tsx';
import { connectionWord } from './connection.ts';

export function LiveWord() {
  const { stream } = useServices();
  const connection = useSyncExternalStore(stream.watch, stream.connection);
  const isLive = connection.phase === 'live';
  return (
    <p className={isLive ? 'sr-only' : 'live-word'} role="status" aria-label="Live updates">
      <Dot tone={isLive ? 'done' : 'asking'} />
      {connectionWord(connection)}
    </p>
  );
}
