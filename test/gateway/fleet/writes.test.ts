/** Mutations over the fleet. */
import { expect, test } from 'vitest';
import { answering, failing } from '../../support/FakeMember.ts';
import { type FakeFleet, fleetOf } from '../../support/fakeFleet.ts';
import { fakeTasks } from '../../support/fakeInstance.ts';

function fleetWith(onMutation: (name: string, field: string) => void | Promise<void> = () => {}): FakeFleet {
  return fleetOf(
    ['hq', 'alpha', 'beta'].map((name) => ({
      name,
      tasks: fakeTasks(name, 1),
      onMutation: (field: string) => onMutation(name, field),
    })),
  );
}

test('mutations run one after the other, in document order', async () => {
  const log: string[] = [];
  const fleet = fleetWith(async (name, field) => {
    log.push(`${name} ${field} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name} ${field} ends`);
  });
  const { data } = await fleet.ask(`mutation {
    one: sendMessage(ref: "o/beta#0", text: "x") { instance }
    two: createTask(input: {}, instance: "alpha") { instance }
    three: cancelTask(ref: "o/hq#0") { instance }
  }`);
  expect(data).toEqual({ one: { instance: 'beta' }, two: { instance: 'alpha' }, three: { instance: 'hq' } });
  expect(log).toEqual(
    ['beta sendMessage', 'alpha createTask', 'hq cancelTask'].flatMap((step) => [
      `${step} begins`,
      `${step} ends`,
    ]),
  );
});

test('none runs after one that failed', async () => {
  const log: string[] = [];
  const fleet = fleetWith((name, field) => void log.push(`${name} ${field}`));
  const { data, errors } = await fleet.ask(`mutation {
    one: cancelTask(ref: "o/alpha#0") { ref }
    two: completeTask(ref: "o/beta#0") { ref }
    three: cancelTask(ref: "o/hq#0") { ref }
  }`);
  expect(data).toBeNull();
  expect(errors).toEqual([
    {
      message: 'beta: Cannot complete "o/beta#0": it is over, an open task is expected',
      path: ['two'],
      extensions: { code: 'CONFLICT', instance: 'beta', reason: 'task.over' },
    },
  ]);
  expect(log).toEqual(['alpha cancelTask', 'beta completeTask']);
});

test('a task that was created anywhere makes what that instance manages be read again, also when the answer was lost', async () => {
  const fleet = fleetWith();
  await fleet.ask('mutation { createTask(input: {}) { ref } }');
  fleet.member('alpha').answer = () => failing({ kind: 'timeout', reason: 'timed out' });
  await fleet.ask('mutation { createTask(input: {}, instance: "alpha") { ref } }');
  await fleet.ask('mutation { cancelTask(ref: "o/beta#0", instance: "beta") { ref } }');
  expect(fleet.registry.expired).toEqual(['hq', 'alpha']);
});

test("a receipt's cursor is one of the fleet", async () => {
  const { data } = await fleetWith().ask('mutation { sendMessage(ref: "o/beta#0", text: "x") { cursor } }');
  expect(data.sendMessage.cursor).toBe('beta=7');
});

test('a mutation is sent once, whatever comes back', async () => {
  const fleet = fleetWith();
  fleet.member('alpha').answer = () => answering({ data: null, errors: [{ message: 'no' }] });
  await fleet.ask('mutation { a: cancelTask(ref: "o/alpha#0") { ref } }');
  expect(fleet.member('alpha').requests).toHaveLength(1);
});
