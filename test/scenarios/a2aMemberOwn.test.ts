/** An instance of ours as an A2A agent of a manager: what is begun at it there, and how that is told (docs/guides/a2a-members.md). */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { createA2ABindingProxy } from '../support/A2ABindingProxy.ts';
import { openHostileFleet } from '../support/HostileFleet.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

vi.setConfig({ testTimeout: 60_000 });

/*
 * Feature: A2A agents as members
 * Scenario: a task that is begun at an instance of ours is told of as it goes
 *   Requirement: docs/guides/a2a-members.md#tasks-that-are-begun-here
 *   Requirement: docs/guides/a2a-members.md#events
 *   Given a worker in a process of its own, over each of the bindings, and a manager that has it as an A2A agent and a reader of its stream
 *   When a task is created at it twice with one id, once more after the manager has started again, and messaged
 *   Then the worker has one task, whose conversation holds each message once
 *   And the stream has told that it was created, and each of its states
 */
test.each(['JSONRPC', 'HTTP+JSON'])(
  'a task that is begun at an instance of ours is told of as it goes',
  async (binding) => {
    using folder = temporaryDirectory();
    await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'));
    await worker.start();
    await using proxy = await createA2ABindingProxy(worker.url);
    const { url } = binding === 'JSONRPC' ? worker : proxy;
    const open = () =>
      openHostileFleet({
        strangers: [{ name: 'peer', url, kind: 'a2a' }],
        manager: { timeoutSeconds: 20 },
      });
    const create =
      'mutation { createTask(input: { message: "one two", messageId: "m1" }, instance: "peer") { ref } }';
    let ref = '';
    {
      await using fleet = await open();
      await fleet.states();
      using frames = await readFrames(`${fleet.url}/api/v1/stream`);
      ({ ref } = (await fleet.ask(create)).body.data.createTask);
      expect((await fleet.ask(create)).body.data.createTask).toEqual({ ref });

      const told: string[] = [];
      const untilTold = async (last: string): Promise<void> => {
        while (told.at(-1) !== last) {
          const [frame] = await frames.take(1);
          const { event, work_item: of, state = '' } = JSON.parse(frame?.data ?? '{}');
          if (of === ref && event !== 'task.updated') told.push(`${event} ${state}`);
        }
      };
      await untilTold('task.status INPUT_REQUIRED');
      expect(told[0]).toMatch(/^task\.created /);
      told.push('');
      await fleet.ask(`mutation { sendMessage(ref: "${ref}", text: "three four five") { accepted } }`);
      await untilTold('task.status INPUT_REQUIRED');
      expect(told).toContain('task.status WORKING');
      const isSubscribed = () => proxy.requests.some((request) => request.endsWith(':subscribe'));
      await vi.waitFor(() => expect(isSubscribed()).toBe(binding === 'HTTP+JSON'), 20_000);
    }
    await using fleet = await open();
    await fleet.states();
    expect((await fleet.ask(create)).body.data.createTask).toEqual({ ref });
    const { body } = await fleet.ask(
      '{ tasks { nodes { ref name history(first: 10) { nodes { ... on HistoryMessage { role text } } } } } }',
    );
    expect(body.data.tasks.nodes).toEqual([
      {
        ref,
        name: 'one two',
        history: {
          nodes: [
            { role: 'USER', text: 'one two' },
            { role: 'ASSISTANT', text: expect.stringContaining('2 words') },
            { role: 'USER', text: 'three four five' },
            { role: 'ASSISTANT', text: expect.stringContaining('3 words') },
          ],
        },
      },
    ]);
  },
);
