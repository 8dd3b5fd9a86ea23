import { expect, test } from 'vitest';
import { FakeModel } from '../../support/FakeModel.ts';
import { openWorker } from '../../support/openWorker.ts';

const CONFIG = '  scope: { workItems: ["github:o/declared#1", "github:o/paused#1"] }\n';

test('paused sessions, declared refs without one, then the newest errors', async () => {
  await using open = await openWorker({ config: CONFIG });
  for (const ref of ['github:o/busy#1', 'github:o/paused#1', 'github:o/ended#1']) {
    await open.ask(`mutation { createTask(input: { ref: "${ref}" }) { ref } }`);
  }
  await open.ask('mutation { pauseTask(ref: "github:o/paused#1") { ref } }');
  await open.ask('mutation { pauseTask(ref: "github:o/ended#1") { ref } }');
  await open.ask('mutation { cancelTask(ref: "github:o/ended#1") { ref } }');
  const errors = Array.from({ length: 25 }, (_, number) => ({
    type: 'instance.unreachable',
    level: 'ERROR' as const,
    source: 'registry',
    data: { instance: 'beta', reason: `time ${number}` },
  }));
  open.worker.log.append(errors);
  const { attention } = await open.ask('{ attention { instance ref kind detail at } }');
  expect(attention.slice(0, 2)).toMatchObject([
    { instance: 'alpha', ref: 'github:o/paused#1', kind: 'session-paused', at: null },
    { instance: 'alpha', ref: 'github:o/declared#1', kind: 'armed-without-session' },
  ]);
  const told = attention.slice(2);
  expect(told).toHaveLength(20);
  expect(told[0]).toMatchObject({ ref: '', kind: 'recent-error', at: expect.any(String) });
  expect(told.at(-1).detail).toBe('instance.unreachable: time 24');
});

test('an open question, until it is answered', async () => {
  const ask = { participant_id: 'operator', question: 'Which one?' };
  const model = new FakeModel([
    { toolCalls: [{ tool: 'ask_participant', arguments: ask }] },
    { text: 'Thanks' },
  ]);
  await using open = await openWorker({ model });
  const attention = async () => (await open.ask('{ attention { ref kind detail } }')).attention;
  await open.ask('mutation { createTask(input: { ref: "github:o/r#1", message: "Choose" }) { ref } }');
  await expect
    .poll(attention)
    .toEqual([{ ref: 'github:o/r#1', kind: 'awaiting-input', detail: 'Which one?' }]);
  await open.ask('mutation { answerQuestion(ref: "github:o/r#1", text: "The first") { accepted } }');
  await expect.poll(attention).toEqual([]);
});
