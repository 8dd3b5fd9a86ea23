/**
 * Masks what looks like a credential, and what is known to be one, before a text leaves for a log, a store or a trace
 * (spec/worker.md § 8.8).
 *
 * Every pattern begins with a literal, so that a text is read once however it was made.
 */

/** What stands in place of a credential. */
const MASK = '[REDACTED]';

/** Shorter values of the environment are words that any text may hold. */
const MIN_SECRET_LENGTH = 4;

/** Names whose value is a credential, as the end of a key: `x-api-key`, `client_secret`, `accessToken`. */
const SECRET_NAMES = 'authorization|api[-_ ]?key|secret|token|password';

const SECRET_KEY = new RegExp(`(?:${SECRET_NAMES})$`, 'i');

/** Keys of providers of the shapes that are known, wherever they stand. */
const PROVIDER_KEY = new RegExp(
  [
    String.raw`\bsk-[\w-]{8,}`,
    String.raw`\btmprl[_-][\w.-]{8,}`,
    // GitHub, AWS, Slack, Google.
    String.raw`\bgh[opsur]_[A-Za-z0-9]{16,}`,
    String.raw`\bgithub_pat_\w{16,}`,
    String.raw`\bA(?:KIA|SIA)[A-Z0-9]{16}\b`,
    String.raw`\bxox[abeprs]-[\w-]{8,}`,
    String.raw`\bAIza[\w-]{30,}`,
  ].join('|'),
  'g',
);

/** Three parts of base64url, the first a JSON object. It begins where a word does, so that no part is read from each of its letters. */
const WEB_TOKEN = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]{5,}/g;

/**
 * A block, whatever is in it; of one that was cut off, the lines that are there. It is read up to the next five dashes only, so that
 * a text of many beginnings is read once.
 */
const PRIVATE_KEY = new RegExp(
  '-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----' +
    String.raw`(?:(?:(?!-----)[^])*?-----END [A-Z0-9 ]{1,80}-----|(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{16,})*)`,
  'g',
);

const BEARER_TOKEN = /\b(bearer\s+)[\w.~+/-]{8,}=*/gi;

/** A name, `:` or `=`, and a value: in the quotes of JSON in a JSON text, of JSON, single ones, or up to the next separator. */
const NAMED_VALUE = new RegExp(
  `((?:${SECRET_NAMES})\\\\?["']?\\s*[:=]\\s*)` +
    `(?:(\\\\")[^"\\\\\\n]{8,}|(")(?:[^"\\\\\\n]|\\\\.){8,}|(')[^'\\n]{8,}` +
    `|((?:basic|bearer|digest|token)\\s+)?[^\\s"'\\\\,;&]{8,})`,
  'gi',
);

/** Never throws, takes linear time, and leaves alone what it has masked before. */
export type Redactor = (text: string) => string;

/**
 * Masks bearer and web tokens, private keys, keys of well-known providers, values of 8 or more characters behind a name such as
 * `password`, and the given secrets.
 *
 * @param secrets values that must not be told, wherever they stand; those under 4 characters are not looked for. @default none
 */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const known = secretPattern(secrets);
  return (text) => {
    const withoutKnown = known ? text.replace(known, MASK) : text;
    return withoutKnown
      .replace(PRIVATE_KEY, MASK)
      .replace(PROVIDER_KEY, MASK)
      .replace(WEB_TOKEN, MASK)
      .replace(BEARER_TOKEN, `$1${MASK}`)
      .replace(
        NAMED_VALUE,
        (_match, name: string, escaped = '', double = '', single = '', scheme = '') =>
          `${name}${escaped}${double}${single}${scheme}${MASK}`,
      );
  };
}

/**
 * The same value with every string in it redacted, and the strings behind a key such as `password` masked as a whole when they have 8 or
 * more characters. Arrays and plain objects are copied, whatever their depth; cycles stay cycles. Everything else is passed on.
 */
export function redactDeep(value: unknown, redact: Redactor): unknown {
  const copies = new Map<object, object>();

  function copyOf(part: unknown): unknown {
    if (typeof part === 'string') return redact(part);
    if (!isContainer(part)) return part;
    const copy = copies.get(part) ?? (Array.isArray(part) ? [] : {});
    copies.set(part, copy);
    return copy;
  }

  const root = copyOf(value);
  // What is found on the way is appended, and visited in its turn.
  for (const [source, copy] of copies) {
    for (const [key, part] of Object.entries(source)) {
      const isSecret = typeof part === 'string' && part.length >= 8 && SECRET_KEY.test(key);
      // An assignment would take `__proto__` for the prototype.
      Object.defineProperty(copy, key, {
        value: isSecret ? MASK : copyOf(part),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return root;
}

/** The longest first, so that a secret which begins with another one is masked whole. */
function secretPattern(secrets: readonly string[]): RegExp | undefined {
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return known.length === 0
    ? undefined
    : new RegExp(known.map((secret) => RegExp.escape(secret)).join('|'), 'g');
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
