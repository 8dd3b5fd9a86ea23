/** What is left of a task that was purged, on every host of tasks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { messageOf } from '../../support/A2AClient.ts';
import { readGraphQL } from '../../support/askGraphQL.ts';
import { openA2AFace } from '../../support/openA2AFace.ts';
import { hostedTest } from '../../support/taskHosts.ts';

/** Everything that somebody may want forgotten, and that is in no other word. */
const TEXTS = {
  question: 'Where-is-the-marked-order',
  reply: 'The-marked-reply',
  token: 'marked-token-of-the-receiver',
  credentials: 'marked-credentials-of-the-receiver',
};

/*
 * Feature: Purges
 * Scenario: no file of the state folder has a word of a task that was purged, also not where it was deleted
 *   Requirement: spec/worker.md#13.17
 *   Given a parked task of alice with marked texts, longer than a page of the file, and a receiver with marked secrets
 *   And another task
 *   Then files of the state folder hold the marked texts
 *   When the task is purged, and the instance is stopped and started
 *   Then no file of the state folder holds a marked text, and the other task is as it was
 */
hostedTest(
  'no file of the state folder has a word of a task that was purged, also not where it was deleted',
  async (host) => {
    const { question, reply, token, credentials } = TEXTS;
    const replies = [{ text: `${reply} `.repeat(400) }, { text: 'Kept' }];
    await using face = await openA2AFace(host, replies);
    const { directory, url } = face.instance;
    const alice = face.as('alice');
    const { id: taskId } = await alice.startTask(`${question} `.repeat(400));
    await alice.call('CreateTaskPushNotificationConfig', {
      taskId,
      url: 'http://127.0.0.1:9/nobody',
      token,
      authentication: { scheme: 'Bearer', credentials },
    });
    const other = await alice.startTask('Another one');
    expect(markedIn(directory)).toEqual(Object.keys(TEXTS));
    const { tasks } = await readGraphQL(url, '{ tasks(first: 10) { nodes { id ref } } }');
    const { ref } = tasks.nodes.find(({ id }: { readonly id: string }) => id === taskId);

    const { purgeTask } = await readGraphQL(url, 'mutation ($ref: ID!) { purgeTask(ref: $ref) }', { ref });
    expect(purgeTask).toBe(true);
    await face.instance.restart();

    expect(markedIn(directory)).toEqual([]);
    const { task } = await face.as('alice').call('SendMessage', messageOf('Go on', { taskId: other.id }));
    expect(task.id).toBe(other.id);
  },
);

/** Names of the texts that a file of the folder holds. */
function markedIn(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => readIfThere(join(parentPath, name)) ?? []);
  return Object.entries(TEXTS)
    .filter(([, text]) => files.some((bytes) => bytes.includes(text)))
    .map(([name]) => name);
}

/** Undefined for a file that went since it was listed: an instance that runs replaces some of them. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
