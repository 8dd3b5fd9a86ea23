import { expect, test } from 'vitest';
import { runTaskChaos } from './runTaskChaos.ts';

test('tasks of a host that is killed again and again end as without a kill, and nothing is refunded twice', async () => {
  const { problems, repeated } = await runTaskChaos({ tasks: 40, kills: 6, seed: 1 });
  expect(problems).toEqual([]);
  // Without a lookup in flight at a kill nothing would have been tried.
  expect(repeated).toBeGreaterThan(0);
}, 60_000);
