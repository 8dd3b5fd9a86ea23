/** Longest accepted URL, in characters. */
const MAX_LENGTH = 2048;

/** Scheme, authority without user information, path; no query, no fragment, nothing that a URL parser would drop. */
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/;

/** Whether a text is an http(s) URL that names a place and nothing else: requests are made to it with paths of ours. */
export function isHttpUrl(text: string): boolean {
  return text.length <= MAX_LENGTH && HTTP_URL.test(text) && URL.canParse(text);
}
