import { expect, test } from 'vitest';
import { readCall } from '../../../server/a2a/readCall.ts';

const VERSION = { 'a2a-version': ['1.0'] };

test.each(['1.0', ' 1.0 ', '1.0.0', '1.0.17'])('readCall() takes the version "%s"', (version) => {
  expect(readCall({ 'a2a-version': [version] })).toEqual({ participant: undefined, extensions: [] });
});

test.each(['', '0.3', '1', '1.1', '1.0.', '1.0-beta', '10.0', '1.0, 1.0'])(
  'readCall() refuses the version "%s"',
  (version) => {
    expect(() => readCall({ 'a2a-version': [version] })).toThrow(
      expect.objectContaining({ reason: 'VERSION_NOT_SUPPORTED' }),
    );
  },
);

test('readCall() reads a participant as UTF-8 where it is that', () => {
  const participantOf = (name: string) => readCall({ ...VERSION, 'x-participant-id': [name] }).participant;
  expect(participantOf(Buffer.from('Zoë 李').toString('latin1'))).toBe('Zoë 李');
  expect(participantOf(Buffer.from(' Voilà ').toString('latin1'))).toBe('Voilà');
  expect(participantOf('Zo\u00eb')).toBe('Zoë');
  expect(participantOf('alice')).toBe('alice');
  expect(participantOf(' ')).toBeUndefined();
});

test.each(['A2A-Version', 'X-Participant-Id'])('readCall() refuses two values of %s', (name) => {
  const headers = { ...VERSION, 'x-participant-id': ['alice'] };
  const value = headers[name.toLowerCase() as keyof typeof headers][0]!;
  expect(() => readCall({ ...headers, [name.toLowerCase()]: [value, value] })).toThrow(
    expect.objectContaining({ reason: 'INVALID_PARAMS', message: expect.stringContaining(name) }),
  );
});

test('readCall() joins the extensions of all headers that have some', () => {
  const [one, two] = ['urn:flotilla:a2a:task:v1', 'urn:flotilla:a2a:status:v1'];
  const headers = { ...VERSION, 'a2a-extensions': [one, `${two}, ${one}`], 'x-a2a-extensions': [two] };
  expect(readCall(headers).extensions).toEqual([one, two]);
});
