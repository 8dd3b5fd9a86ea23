/** Whether what is shown follows what happens. */
import { useSyncExternalStore } from 'react';
import { useServices } from '../services.ts';
import { Dot } from '../ui/Dot.tsx';
import { connectionWord } from './connection.ts';

export function LiveWord() {
  const { stream } = useServices();
  const connection = useSyncExternalStore(stream.watch, stream.connection);
  return (
    <p className="live-word" role="status" aria-label="Live updates">
      <Dot tone={connection.phase === 'live' ? 'done' : 'asking'} />
      {connectionWord(connection)}
    </p>
  );
}
