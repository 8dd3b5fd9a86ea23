/** Messages and artifacts of an agent's task as items of its history. */
import { expect, test } from 'vitest';
import { toHistoryItems } from '../../../../gateway/member/a2a/toHistoryItems.ts';

type Artifacts = Parameters<typeof toHistoryItems>[0]['artifacts'];

function textsOf(artifacts: Artifacts): readonly string[] {
  const items = toHistoryItems({ messages: [], artifacts }, (text) => text.replaceAll('secret', '***'));
  return items.map(({ text }) => (typeof text === 'function' ? text() : text));
}

test.each([
  ['text as it is', { text: 'one\ntwo' }, 'one\ntwo'],
  [
    'a file by its name, kind and size',
    { raw: 'aGVsbG8', filename: 'a b.pdf', mediaType: 'application/pdf' },
    '[file "a b.pdf", application/pdf, 5 bytes]',
  ],
  ['a file without a name', { raw: '' }, '[file 0 bytes]'],
  [
    'a file behind an address, which is not shown',
    { url: 'https://files.example/?token=1', filename: 'x.png', mediaType: 'image/png' },
    '[file "x.png", image/png, kept elsewhere]',
  ],
  [
    'data by its size',
    { data: { rows: [1] }, mediaType: 'application/json' },
    '[data application/json, 12 bytes]',
  ],
  ['data that is null', { data: null }, '[data 4 bytes]'],
  ['what is none of these', { filename: 'odd' }, '[part of an unknown kind "odd"]'],
  ['a name of several lines on one', { raw: 'AA==', filename: 'a\nb' }, '[file "a b", 1 bytes]'],
  ['a secret masked', { text: 'a secret' }, 'a ***'],
])('a part is shown: %s', (_what, part, shown) => {
  expect(textsOf([{ artifactId: 'a', parts: [part] }])).toEqual([`[artifact "a"]\n${shown}`]);
});

test('an artifact is named by its name, and described when it has a description', () => {
  const artifact = { artifactId: 'a', name: 'Report', description: 'What was found', parts: [] };
  expect(textsOf([artifact, { parts: 'none' }])).toEqual([
    '[artifact "Report"]\nWhat was found',
    '[artifact]',
  ]);
});

test('artifacts come behind the messages, as what the agent said', () => {
  const messages = [{ role: 'ROLE_USER', parts: [{ text: 'hello' }] }];
  const items = toHistoryItems({ messages, artifacts: [{ artifactId: 'a' }] }, (text) => text);
  expect(items.map(({ id, role }) => [id, role])).toEqual([
    [1, 'USER'],
    [2, 'ASSISTANT'],
  ]);
});

test('what is shown has bounds, and says what it leaves out', () => {
  const long = textsOf([{ artifactId: 'a', parts: [{ text: 'x'.repeat(30_000) }] }])[0];
  expect([long?.length, long?.at(-1)]).toEqual([20_001, '…']);
  const parts = Array.from({ length: 300 }, () => ({ text: 'x' }));
  expect(
    textsOf([{ artifactId: 'a', parts }])[0]
      ?.split('\n')
      .at(-1),
  ).toBe('[44 more parts are not shown]');
  const artifacts = Array.from({ length: 300 }, (_, index) => ({ artifactId: `a${index}` }));
  const shown = textsOf(artifacts);
  expect([shown.length, shown.at(-1)]).toEqual([257, '[44 more artifacts are not shown]']);
});
