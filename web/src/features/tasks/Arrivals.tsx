/** What waits above the list, and the way to bring it in. */
import { useServices, useStore } from '../../services.ts';
import { isByActivity } from './rows.ts';

export function Arrivals() {
  const { tasks } = useServices();
  const { arrived, isArrivedFull, rows } = useStore(tasks);
  const count = `${arrived.length}${isArrivedFull ? '+' : ''}`;
  const label =
    arrived.length === 0 ? 'Newest first' : `${count} new ${arrived.length === 1 ? 'task' : 'tasks'}`;
  const isOffered = arrived.length > 0 || !isByActivity(rows);
  return (
    <div className="arrivals" role="status">
      {isOffered && (
        <button
          type="button"
          className={arrived.length > 0 ? 'primary' : undefined}
          onClick={() => tasks.showArrived()}
        >
          ↑ {label}
        </button>
      )}
    </div>
  );
}
