/** Standing sessions that were created through the API; declared ones are in the configuration. */
import type { StateDatabase } from '../../lib/StateDatabase.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';

/** What a standing session is, whoever defined it. */
export type StandingDefinition = Config['standingSessions'][number];

/** Every write is durable when it returns. */
export interface StandingStore {
  list(): readonly StandingDefinition[];
  put(definition: StandingDefinition): void;
  delete(name: string): void;
}

/** @param database migrated with `STATE_MIGRATIONS`. */
export function createStandingStore(database: StateDatabase): StandingStore {
  const select = database.statement<{ readonly definition: string }>(
    'SELECT definition FROM standing_sessions ORDER BY name',
  );
  const insert = database.statement('INSERT INTO standing_sessions (name, definition) VALUES (?, ?)');
  const remove = database.statement('DELETE FROM standing_sessions WHERE name = ?');
  return {
    list: () => select.all().map(({ definition }) => JSON.parse(definition) as StandingDefinition),
    put: (definition) => void insert.run(definition.name, JSON.stringify(definition)),
    delete: (name) => void remove.run(name),
  };
}
