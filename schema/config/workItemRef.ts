/** References to work items, as people write them (spec/manager.md § 1, spec/rest-shapes.md). Pure. */

/** Longest accepted text, in characters. */
const MAX_LENGTH = 2048;

const REF = /^[a-z][a-z0-9-]*:(?:[^\s/#:]+(?::\d+)?\/)?[^\s/#:]+\/[^\s/#:]+#\d+$/;

/** How a provider writes the page of a work item. Its public host is left out of the ref. */
const PAGES = [
  { provider: 'github', host: 'github.com', path: /^\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)\/?$/ },
  {
    provider: 'gitlab',
    host: 'gitlab.com',
    path: /^\/([^/]+\/[^/]+)\/-\/(?:issues|merge_requests)\/(\d+)\/?$/,
  },
];

/** The ref `provider:[host/]owner/repo#number` of a ref or of the URL of an issue or pull request; undefined for anything else. */
export function parseWorkItemRef(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  if (REF.test(trimmed)) return trimmed;
  const url = URL.parse(trimmed);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  for (const { provider, host, path } of PAGES) {
    const match = path.exec(url.pathname);
    if (match) return `${provider}:${url.host === host ? '' : `${url.host}/`}${match[1]}#${match[2]}`;
  }
  return undefined;
}
