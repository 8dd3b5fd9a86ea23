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

test('a stream of one ref ends with the purge of its task, and passes over that of an earlier one', async () => {
  await using open = await openWorker();
  const ref = 'github:o/r#1';
  const create = `mutation { createTask(input: { name: "work", ref: "${ref}" }) { ref } }`;
  const listen = async () => {
    const events = await open.listen(
      `subscription { taskEvents(after: "0", ref: "${ref}") { type } }`,
      'taskEvents',
    );
    return async () => (await events.next()).value?.type;
  };
  await open.ask(create);
  await open.worker.engine.purge(ref);
  const replayed = await listen();
  expect([await replayed(), await replayed()]).toEqual(['task.purged', undefined]);

  await open.ask(create);
  const live = await listen();
  expect([await live(), await live()]).toEqual(['task.purged', 'task.created']);
  await open.worker.engine.purge(ref);
  await open.ask(create);
  let last: string | undefined;
  for (let type = await live(); type !== undefined; type = await live()) last = type;
  expect(last).toBe('task.purged');
});

test('a stream of one ref goes on when an earlier task is purged under it', async () => {
  await using open = await openWorker();
  const { engine } = open.worker;
  const ref = 'github:o/r#1';
  const create = `mutation { createTask(input: { name: "work", ref: "${ref}" }) { id } }`;
  const { id } = (await open.ask(create)).createTask;
  await open.ask(`mutation { completeTask(ref: "${ref}") { ref } }`);
  await open.ask(create);
  const events = await open.listen(`subscription { taskEvents(ref: "${ref}") { type data } }`, 'taskEvents');
  const first = events.next();
  await engine.purge({ id });
  await open.ask(`mutation { completeTask(ref: "${ref}") { ref } }`);
  expect((await first).value).toEqual({ type: 'task.purged', data: { taskId: id } });
  expect((await events.next()).value?.type).toMatch(/^task\./);
  await engine.purge(ref);
  let last: string | undefined;
  for await (const { type } of events) last = type;
  expect(last).toBe('task.purged');
});

test('leaving a quiet subscription ends it', async () => {
  await using open = await openWorker();
  const events = await open.listen('subscription { taskEvents { type } }', 'taskEvents');
  const pending = events.next();
  await events.return();
  expect((await pending).done).toBe(true);
});

test('a transcript that is watched is told when it has grown, whatever the filter', async () => {
  await using open = await openWorker();
  const ref = 'github:o/r#1';
  const events = await open.listen(
    `subscription { events(filter: { types: ["none"] }, transcripts: ["${ref}"]) { type ref cursor offset data } }`,
    'events',
  );
  await open.ask(
    `mutation { createTask(input: { name: "other", goal: "to be done", ref: "github:o/r#2" }) { ref } }`,
  );
  await open.ask(
    `mutation { createTask(input: { name: "work", goal: "to be done", ref: "${ref}" }) { ref } }`,
  );
  await open.ask(`mutation { sendMessage(ref: "${ref}", text: "hello") { ref } }`);
  const lengths: number[] = [];
  const read = async () =>
    (await open.ask(`{ transcript(ref: "${ref}") { totalLines } }`)).transcript.totalLines;
  while (lengths.length === 0 || lengths.at(-1) !== (await read())) {
    const { value } = await events.next();
    expect(value).toMatchObject({ type: 'stream.transcript', ref, cursor: String(value.offset) });
    lengths.push(value.data.totalLines);
  }
  expect(lengths).toEqual([...new Set(lengths)].sort((one, other) => one - other));
  await events.return();
});

test('more than 64 transcripts are refused before the stream starts', async () => {
  await using open = await openWorker();
  const refs = JSON.stringify(Array.from({ length: 65 }, (_, index) => `github:o/r#${index + 1}`));
  await expect(
    open.listen(`subscription { events(transcripts: ${refs}) { type } }`, 'events'),
  ).rejects.toThrow(/"transcripts" has 65 refs/);
});
