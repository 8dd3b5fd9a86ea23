/** A ref that has been worked on before, over REST: a ref names one work item of an instance (spec/rest-shapes.md §§ 1, 2). */
import { expect, test } from 'vitest';
import { RunningInstance } from '../support/RunningInstance.ts';

const REF = 'github:o/again#1';

type Row = Readonly<Record<string, unknown>>;

/*
 * Feature: REST contract
 * Scenario: a ref that is worked on again is one work item and one session, those of its newest task
 *   Requirement: spec/manager.md#R2.2
 *   Given a worker alpha under a manager hq, where the session of a ref was closed and another one was registered
 *   When work items and sessions are listed on both, also by their status, and the tasks are listed in the graph
 *   Then REST has one row for the ref, the one that it answers with when the ref is asked for
 *   And the closed one is in no list of sessions, and both tasks are in the graph
 */
test('a ref that is worked on again is one work item and one session, those of its newest task', async () => {
  await using alpha = await RunningInstance.start('instance: { name: alpha }');
  await using hq = await RunningInstance.start(
    `instance:\n  name: hq\n  role: manager\n  manager:\n    instances: [{ name: alpha, url: '${alpha.url}' }]\n`,
  );
  const registration = { ref: REF, harness: 'flotilla', harnessSessionId: '' };
  await alpha.post('/sessions/register', registration);
  await alpha.post('/sessions/close', { ref: REF });
  const again = (await alpha.post('/sessions/register', registration)).body;

  for (const asked of [alpha, hq]) {
    await expect.poll(async () => (await asked.get('/sessions')).body).toHaveLength(1);
    const [session] = (await asked.get('/sessions')).body;
    expect(session).toMatchObject({ ref: REF, status: 'active', harnessSessionId: again.harnessSessionId });
    expect((await asked.get(`/sessions/one?ref=${encodeURIComponent(REF)}`)).body).toEqual(session);
    expect((await asked.get('/sessions?status=closed')).body).toEqual([]);
    const items: Row[] = (await asked.get('/work-items')).body;
    expect(items).toEqual([(await asked.get(`/work-items/one?ref=${encodeURIComponent(REF)}`)).body]);
    expect(items[0]).not.toHaveProperty('ended');
    const { data } = await asked.ask('{ tasks { nodes { ref state } } }');
    expect(data.tasks.nodes.map(({ ref }: Row) => ref)).toEqual([REF, REF]);
  }
});
