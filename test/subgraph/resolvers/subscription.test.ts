import { expect, test } from 'vitest';
import { openWorker } from '../../support/openWorker.ts';

test('a subscription without a cursor starts now', async () => {
  await using open = await openWorker();
  await open.ask('mutation { createTask(input: { name: "old" }) { ref } }');
  const events = await open.listen(
    'subscription { taskEvents { cursor offset type task { name } } }',
    'taskEvents',
  );
  await open.ask('mutation { createTask(input: { name: "new" }) { ref } }');
  const { value } = await events.next();
  expect(value).toMatchObject({ type: 'task.created', task: { name: 'new' } });
  expect(value.cursor).toBe(String(value.offset));
  await events.return();
});

test('a cursor goes on after what was seen, without a gap', async () => {
  await using open = await openWorker();
  await open.ask('mutation { createTask(input: { name: "one" }) { ref } }');
  const end = open.worker.log.end();
  const events = await open.listen('subscription { events(after: "1") { offset } }', 'events');
  for (let offset = 2; offset <= end; offset++) expect((await events.next()).value).toEqual({ offset });
  await events.return();
});

test('a position that the log does not have is told once, and the stream goes on from the end', async () => {
  await using open = await openWorker();
  const events = await open.listen(
    'subscription { taskEvents(after: "999") { type offset data } }',
    'taskEvents',
  );
  expect((await events.next()).value).toEqual({
    type: 'stream.desync',
    offset: open.worker.log.end(),
    data: { reason: 'truncated' },
  });
  await open.ask('mutation { createTask(input: { name: "next" }) { ref } }');
  expect((await events.next()).value.type).toBe('task.created');
  await events.return();
});

test('a cursor that is no offset is refused before the stream starts', async () => {
  await using open = await openWorker();
  await expect(open.listen('subscription { events(after: "x") { type } }', 'events')).rejects.toThrow(
    /"after"/,
  );
});

test('leaving a quiet subscription ends it', async () => {
  await using open = await openWorker();
  const events = await open.listen('subscription { taskEvents { type } }', 'taskEvents');
  const pending = events.next();
  await events.return();
  expect((await pending).done).toBe(true);
});
