/** What can be said about a registration before the manager is asked (spec/manager.md § 20.5). */
import { INSTANCE_NAME } from '../../route.ts';

/** What is wrong with the name, in words; undefined when nothing is. `listed` are the names of the fleet. */
export function nameProblem(name: string, listed: readonly string[]): string | undefined {
  if (!INSTANCE_NAME.test(name)) {
    return 'Use 1 to 40 lower-case letters, digits and hyphens, and no hyphen at the start.';
  }
  return listed.includes(name) ? `There is already an instance ${name}.` : undefined;
}

/** What is wrong with the address, in words; undefined when nothing is. */
export function urlProblem(url: string): string | undefined {
  return /^https?:\/\/[^/]/.test(url) ? undefined : 'Start the address with http:// or https://';
}

export function withoutTrailingSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}
