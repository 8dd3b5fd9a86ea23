/** Which messages are sent, and what is said to who repeats one. */
import { expect, test } from 'vitest';
import { SentMessages } from '../../../gateway/member/SentMessages.ts';

test('a key is sent once, and repeats wait for the first one', async () => {
  const messages = new SentMessages<string>();
  const sending = Promise.withResolvers<string>();
  let sent = 0;
  const once = () =>
    messages.once('m', () => {
      sent += 1;
      return sending.promise;
    });
  const answers = [once(), once()];
  sending.resolve('taken');
  expect(await Promise.all(answers)).toEqual([
    { answer: 'taken', isDuplicate: false },
    { answer: 'taken', isDuplicate: true },
  ]);
  expect(await once()).toEqual({ answer: 'taken', isDuplicate: true });
  expect(sent).toBe(1);
});

test('what throws was not sent: those that wait share it, and the next one is sent', async () => {
  const messages = new SentMessages<string>();
  const fail = () => Promise.reject(new Error('refused'));
  const answers = await Promise.allSettled([messages.once('m', fail), messages.once('m', fail)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await messages.once('m', async () => 'taken')).toEqual({ answer: 'taken', isDuplicate: false });
});
