import { expect, test } from 'vitest';
import { createConfigRedactor, secretNames } from '../../server/createConfigRedactor.ts';

const CONFIG = {
  service: { auth: { tokenEnvs: ['OWN_TOKEN', 'OTHER_TOKEN'] } },
  openai: { apiKeyEnv: 'MODEL_KEY', model: 'large' },
  instance: { manager: { instances: [{ name: 'alpha', tokenEnv: 'ALPHA' }] } },
};

test('secretNames() finds every variable that a configuration refers to', () => {
  expect(secretNames(CONFIG)).toEqual(['ALPHA', 'MODEL_KEY', 'OTHER_TOKEN', 'OWN_TOKEN']);
});

test('createConfigRedactor() masks what the variables hold, also of members that are registered later', async () => {
  const env = { OWN_TOKEN: 'own-secret', ALPHA: 'alpha-secret', HOME: '/home/somebody' };
  let config: object = {};
  const redact = createConfigRedactor({ current: () => config, env });
  const text = 'own-secret and alpha-secret in /home/somebody';
  expect(redact(text)).toBe(text);
  config = CONFIG;
  await Promise.resolve();
  expect(redact(text)).toBe('[REDACTED] and [REDACTED] in /home/somebody');
});

test('createConfigRedactor() may be asked by what reads the configuration', () => {
  const redact: (text: string) => string = createConfigRedactor({
    current: () => {
      redact('a warning about the configuration');
      return CONFIG;
    },
    env: { OWN_TOKEN: 'own-secret' },
  });
  expect(redact('own-secret')).toBe('[REDACTED]');
});
