/** What a record may hold: an address that may be called, and values that fit into headers. Pure. */
import { badUserInput } from '../../../schema/errors.ts';
import type { NewPushConfig } from './PushConfigs.ts';

/** Longest accepted URL, in characters. */
const MAX_URL_LENGTH = 2_048;

/** Scheme, authority without user information, path, query; no fragment, nothing that a URL parser would drop. */
const RECEIVER_URL = /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#\\]*)?$/i;

const ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** A token of RFC 9110. */
const SCHEME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** Printable ASCII that no recipient of a header would trim; both together leave room in the 16 KiB that most servers read. */
const TOKEN = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;

const CREDENTIALS = /^[\x21-\x7e](?:[\x20-\x7e]{0,8190}[\x21-\x7e])?$/;

/**
 * The record without its empty fields. Whether the URL's host may be called is not judged here.
 *
 * @throws {FlotillaError} BAD_USER_INPUT, which names the field and never its value.
 */
export function checkPushConfig({ id, url, token, authentication }: NewPushConfig): NewPushConfig {
  const { scheme, credentials } = authentication ?? {};
  if (url.length > MAX_URL_LENGTH || !RECEIVER_URL.test(url) || !URL.canParse(url)) {
    throw refused('url', 'an http(s) URL without user information and fragment');
  }
  if (id && !ID.test(id)) throw refused('id', '1 to 200 printable characters');
  if (token && !TOKEN.test(token)) throw refused('token', 'up to 4,096 printable ASCII characters');
  if (authentication && !SCHEME.test(scheme ?? '')) {
    throw refused('authentication.scheme', 'the name of an HTTP authentication scheme');
  }
  if (credentials && !CREDENTIALS.test(credentials)) {
    throw refused('authentication.credentials', 'up to 8,192 printable ASCII characters');
  }
  return {
    url,
    ...(id && { id }),
    ...(token && { token }),
    ...(scheme && { authentication: { scheme, ...(credentials && { credentials }) } }),
  };
}

function refused(field: string, expected: string): Error {
  return badUserInput(
    `Cannot store the push configuration: "${field}" is something else, ${expected} is expected`,
  );
}
