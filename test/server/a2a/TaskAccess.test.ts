import { expect, test } from 'vitest';
import { silentLogger } from '../../../lib/Logger.ts';
import { TaskAccess } from '../../../server/a2a/TaskAccess.ts';
import type { TaskEngine } from '../../../subgraph/index.ts';
import { FakePerformer } from '../../support/FakePerformer.ts';
import { openEngine } from '../../support/openEngine.ts';
import { aNewTask } from '../../support/tasks.ts';

test('a task that the caller is not on is refused as one that there is not: same words, and its record is not read', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { id } = (await opened.engine.start(aNewTask({ message: undefined }))).state;
  const calls: string[] = [];
  const engine = new Proxy(opened.engine, {
    get(target, name: keyof TaskEngine) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...values: never[]) => {
        calls.push(String(name));
        return Reflect.apply(value, target, values);
      };
    },
  });
  const access = new TaskAccess(engine, silentLogger);
  const attempt = async (taskId: string, participant?: string) => {
    calls.length = 0;
    const { code, message } = await access.find(taskId, { participant }).then(
      () => expect.unreachable(),
      (error) => error,
    );
    return { code, message: message.replace(taskId, 'ID'), calls: [...calls] };
  };

  const foreign = await attempt(id, 'mallory');
  expect(foreign).toMatchObject({ code: 'NOT_FOUND', calls: ['isOn'] });
  expect(await attempt('unknown', 'mallory')).toEqual(foreign);
  const nobodys = await attempt(id);
  expect(nobodys).toMatchObject({ code: 'NOT_FOUND', calls: [] });
  expect(await attempt('unknown')).toEqual(nobodys);
  expect(await access.find(id, { participant: 'alice' })).toMatchObject({ id });
});
