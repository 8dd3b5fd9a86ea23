import { expect, test } from 'vitest';
import type { MessageParams } from '../../../server/a2a/params.ts';
import { readMessage } from '../../../server/a2a/readMessage.ts';

const COMMAND = 'application/vnd.flotilla.command+json';
const EVENT = 'application/vnd.flotilla.event+json';
const STATUS = 'application/vnd.flotilla.status+json';
const CHANNEL = 'application/vnd.flotilla.channel+json';

/** The part has the fields that the schema of the parameters fills in. */
function message(parts: readonly object[], fields: object = {}): MessageParams {
  return { messageId: 'm', parts, ...fields } as unknown as MessageParams;
}

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

test('readMessage() joins texts by line feeds, and tells who says them', () => {
  const read = readMessage(message([{ text: 'one' }, { text: 'two' }]), 'alice');
  expect(read).toEqual({
    messageId: 'm',
    participant: 'alice',
    isAgent: false,
    interrupt: false,
    text: 'one\ntwo',
  });
  const metadata = { participant_id: 'scout', participant_kind: 'agent', interrupt: true };
  expect(readMessage(message([{ text: 'x' }], { metadata }), undefined)).toMatchObject({
    participant: 'scout',
    isAgent: true,
    interrupt: true,
  });
});

test('readMessage() makes a command of its part, whatever the text is, and takes the media type of the reference', () => {
  const data = { name: 'model', args: 'm2' };
  expect(readMessage(message([{ text: 'x' }, { mediaType: COMMAND, data }]), 'a').text).toBe('/model m2');
  const alias = 'Application/VND.tiny-harness.command+JSON; charset=utf-8';
  expect(readMessage(message([{ mediaType: alias, data: { name: 'help' } }]), 'a').text).toBe('/help ');
});

test('readMessage() makes a text of a slash beside other data, and leaves a slash alone without it', () => {
  const event = { mediaType: EVENT, data: { kind: 'task', payload: { name: 'x' } } };
  expect(readMessage(message([{ text: ' /x' }, event]), 'a')).toMatchObject({
    text: '//x',
    envelope: { kind: 'task', payload: { name: 'x' } },
  });
  expect(readMessage(message([{ text: '/x' }]), 'a').text).toBe('/x');
});

test('readMessage() needs no text where there is an envelope, a completion or a channel part with one', () => {
  const event = { mediaType: EVENT, data: { kind: 'status_update', payload: {} } };
  expect(readMessage(message([event]), 'a')).toMatchObject({ text: '', envelope: { kind: 'statusUpdate' } });
  const status = { mediaType: STATUS, data: { action: 'complete' } };
  expect(readMessage(message([status]), 'a').completion).toEqual({ text: '' });
  expect(readMessage(message([{ text: 'Done' }, status]), 'a').completion).toEqual({ text: 'Done' });
  const data = { channel_id: 't', sender: 'a', kind: 'help_reply', text: 'Seven', in_reply_to: 'q' };
  expect(readMessage(message([{ mediaType: CHANNEL, data }]), 'a')).toMatchObject({
    text: 'Seven',
    channel: { channelId: 't', kind: 'help_reply', inReplyTo: 'q' },
  });
});

test.each<[string, MessageParams, RegExp]>([
  ['nobody', message([{ text: 'x' }]), /participant/],
  ['an empty part', message([{}]), /empty/],
  ['data that is no object', message([{ mediaType: COMMAND, data: [] }]), /no object/],
  [
    'two commands',
    message([
      { mediaType: COMMAND, data: { name: 'a' } },
      { mediaType: COMMAND, data: { name: 'b' } },
    ]),
    /several/,
  ],
  ['an unknown envelope', message([{ mediaType: EVENT, data: { kind: 'x', payload: {} } }]), /kind/],
  ['a field too many', message([{ mediaType: EVENT, data: { kind: 'task', payload: {}, x: 1 } }]), /x/],
  ['an action that there is not', message([{ mediaType: STATUS, data: { action: 'reopen' } }]), /action/],
  [
    'an envelope of great depth',
    message([{ mediaType: EVENT, data: { kind: 'task', payload: nested(20_000) } }]),
    /nested/,
  ],
])('readMessage() refuses %s', (name, given, reason) => {
  const asserted = name === 'nobody' ? undefined : 'alice';
  expect(() => readMessage(given, asserted)).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  expect(() => readMessage(given, asserted)).toThrow(reason);
});

test.each<[string, object, RegExp]>([
  ['a file', { url: 'http://x' }, /part 1 is a file/],
  ['bytes', { raw: 'eA==' }, /part 1 is a file/],
  ['data without a media type', { data: {} }, /"application\/json"/],
  ['data of a foreign media type', { mediaType: 'application/xml', data: {} }, /"application\/xml"/],
])('readMessage() does not know the type of %s', (_, part, reason) => {
  const given = message([{ text: 'x' }, part]);
  expect(() => readMessage(given, 'alice')).toThrow(
    expect.objectContaining({ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }),
  );
  expect(() => readMessage(given, 'alice')).toThrow(reason);
});

test('readMessage() lets nobody speak for somebody else', () => {
  const metadata = { participant_id: 'alice' };
  expect(() => readMessage(message([{ text: 'x' }], { metadata }), 'mallory')).toThrow(
    /different participants/,
  );
  const data = { channel_id: 't', sender: 'alice', kind: 'message', text: 'x' };
  expect(() => readMessage(message([{ mediaType: CHANNEL, data }]), 'mallory')).toThrow(/sender/);
  expect(() => readMessage(message([{ text: ' ' }]), 'alice')).toThrow(/empty/);
  expect(() => readMessage(message([{ text: 'x' }]), '[admin]')).toThrow(/square brackets/);
});
