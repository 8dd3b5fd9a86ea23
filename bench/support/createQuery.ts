/** The client of every contender: one kept connection, one request at a time. */
import { Pool } from 'undici';

export interface QueryOptions {
  readonly text: string;
  /** How many rows the answer must hold. */
  readonly rows: number;
}

/** Asks once, reads the answer whole, and throws when it is not the expected one. */
export function createQuery(
  resources: AsyncDisposableStack,
  url: string,
  { text, rows }: QueryOptions,
): () => Promise<void> {
  const pool = new Pool(url, { connections: 1 });
  resources.defer(() => pool.destroy());
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify({ query: text });
  return async () => {
    const response = await pool.request({ path: '/graphql', method: 'POST', headers, body });
    const answer = await response.body.text();
    // Every query asks its rows for this field.
    const found = answer.split('"updatedAt"').length - 1;
    if (response.statusCode !== 200 || answer.includes('"errors"') || found !== rows) {
      const what = `status ${response.statusCode}, ${found} rows of ${rows}`;
      throw new Error(`Unexpected answer: ${what}: ${answer.slice(0, 300)}`);
    }
  };
}
