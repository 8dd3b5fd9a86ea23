/** Bearer tokens (RFC 6750): the one way of `service.auth`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { invariant } from '../../lib/invariant.ts';

/** Whether an Authorization value carries one of the accepted tokens. */
export type TokenCheck = (authorization: string | undefined) => boolean;

/**
 * Without tokens everybody passes. Tokens are compared by digest and in constant time, all of them each time.
 */
export function createTokenCheck(tokens: readonly string[]): TokenCheck {
  if (tokens.length === 0) return () => true;
  const accepted = tokens.map(digest);
  return (authorization) => {
    const given = /^Bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
    if (given === undefined) return false;
    const offered = digest(given);
    return accepted.map((token) => timingSafeEqual(token, offered)).includes(true);
  };
}

/** The tokens behind the names of `service.auth.tokenEnvs`, which the strict reader of the configuration has found set. */
export function readTokens(
  tokenEnvs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return tokenEnvs.map((name) => {
    const token = env[name];
    invariant(token, 'a variable of service.auth.tokenEnvs is not set');
    return token;
  });
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
