/** The redactor that knows the secrets of this instance (spec/worker.md § 8.8). */
import { createRedactor, type Redactor } from '../lib/redact.ts';

/** Keys whose value is a name of a variable with a secret, or a list or a mapping of such names. */
const REFERENCE = /Envs?$/;

export interface ConfigRedactorOptions {
  /** The configuration that is in force: what is added to it while the instance runs is masked as well. */
  readonly current: () => object;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createConfigRedactor({ current, env }: ConfigRedactorOptions): Redactor {
  let seen: object | undefined;
  let redact: Redactor = createRedactor();
  let isFresh = false;

  /** At most once for all that is redacted together; and what reads the configuration may write to the log, which is redacted. */
  function refresh(): void {
    if (isFresh) return;
    isFresh = true;
    queueMicrotask(() => {
      isFresh = false;
    });
    const config = current();
    if (config === seen) return;
    const secrets = secretNames(config).map((name) => env[name]);
    redact = createRedactor(secrets.filter((secret) => secret !== undefined));
    seen = config;
  }

  return (text) => {
    refresh();
    return redact(text);
  };
}

/** Every variable that a configuration refers to. Pure. */
export function secretNames(config: object): readonly string[] {
  const names = new Set<string>();
  const visit = (part: unknown, isReference: boolean): void => {
    if (isReference && typeof part === 'string') names.add(part);
    if (typeof part !== 'object' || part === null) return;
    for (const [key, child] of Object.entries(part)) {
      visit(child, REFERENCE.test(key) || isReference);
    }
  };
  visit(config, false);
  return [...names].sort();
}
