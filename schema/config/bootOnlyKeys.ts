/** Which keys are read once at start (spec/manager.md § 3). A change of any other key is in force with the next use. */

/** A key stands for everything below it. The addresses, the tokens and the connections of a process belong together, so none of them changes alone. */
export const BOOT_ONLY_KEYS = [
  'instance.role',
  'service.host',
  'service.port',
  'service.unauthenticated',
  'service.auth',
  'service.maxRequestBytes',
  'state.directory',
  'engine',
  'temporal',
  'model',
  'scripted',
  'openai',
  'mcpServers',
  'plugins',
  'log',
  'heartbeat',
  'o11y',
] as const;

/** Whether a change of the dotted `key` touches anything that is read only at start. */
export function isBootOnly(key: string): boolean {
  return BOOT_ONLY_KEYS.some((prefix) => isWithin(key, prefix) || isWithin(prefix, key));
}

function isWithin(key: string, prefix: string): boolean {
  return key === prefix || key.startsWith(`${prefix}.`);
}
