/** The address bar: hash to route and back (spec/manager.md § 20.1). Printing and parsing are inverse. */

/** The grammar of instance names (spec/manager.md § 2). */
export const INSTANCE_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export type Route =
  /** The work board; `instance` presets its filter. */
  | { readonly page: 'board'; readonly instance?: string }
  /** The board with one task open. Without `instance` whoever holds the ref answers. */
  | { readonly page: 'item'; readonly ref: string; readonly instance?: string }
  /** The fleet. */
  | { readonly page: 'instances' }
  /** One instance of it; the name is never empty. */
  | { readonly page: 'instance'; readonly name: string };

/** Unknown addresses are the board. Only a literal `@` before a well-formed name splits; the ref is percent-decoded. */
export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '');
  const item = /^\/(?:item|sessions)\/(.+)$/.exec(path)?.[1];
  if (item !== undefined) return parseItem(item);
  const name = /^\/instances(?:\/(.*))?$/.exec(path);
  if (name) return parseInstance(name[1] ?? '');
  const query = /^\/?\?(.*)$/.exec(path)?.[1];
  const instance = query === undefined ? undefined : new URLSearchParams(query).get('instance');
  return instance ? { page: 'board', instance } : { page: 'board' };
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'board':
      return route.instance === undefined ? '#/' : `#/?instance=${encodeURIComponent(route.instance)}`;
    case 'item': {
      const suffix = route.instance === undefined ? '' : `@${route.instance}`;
      return `#/item/${encodeURIComponent(route.ref)}${suffix}`;
    }
    case 'instances':
      return '#/instances';
    case 'instance':
      return `#/instances/${encodeURIComponent(route.name)}`;
  }
}

/** Without a readable name it is the whole fleet. */
function parseInstance(text: string): Route {
  const name = decode(text);
  return name ? { page: 'instance', name } : { page: 'instances' };
}

function parseItem(text: string): Route {
  const at = text.lastIndexOf('@');
  const name = text.slice(at + 1);
  const hasInstance = at > 0 && INSTANCE_NAME.test(name);
  const ref = decode(hasInstance ? text.slice(0, at) : text);
  if (ref === undefined) return { page: 'board' };
  return hasInstance ? { page: 'item', ref, instance: name } : { page: 'item', ref };
}

/** Undefined when the escapes are broken: a mistyped address is no reason to fail. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
