/** Who a request was meant for and where it came from, as browsers say it: the two guards against pages of other sites. */
import { isLoopback } from '../../schema/config/isLoopback.ts';

export interface Bind {
  /** As configured: an address or a name. */
  readonly host: string;
  readonly port: number;
}

/**
 * Whether a Host header names this bind. On loopback only the loopback names with our port do, so that a foreign name which was made
 * to resolve to 127.0.0.1 reaches nothing (DNS rebinding). Elsewhere any name may be ours: a proxy's, a container's, the DNS's.
 */
export function isOwnHost(hostHeader: string | undefined, { host, port }: Bind): boolean {
  if (!isLoopback(host)) return true;
  const parsed = hostHeader === undefined ? null : URL.parse(`http://${hostHeader}`);
  return parsed !== null && isLoopback(parsed.hostname) && portOf(parsed) === port;
}

/**
 * Whether a request may come from the page that its Origin header names. One without the header comes from no page, or from our own.
 * A page of another site has no business here, whatever CORS would let it read: a WebSocket is not under CORS at all. On loopback every
 * local page is trusted, which is what serving a dashboard from a development server needs.
 */
export function isOwnOrigin(origin: string | undefined, hostHeader: string | undefined, bind: Bind): boolean {
  if (origin === undefined) return true;
  const parsed = URL.parse(origin);
  if (!parsed) return false;
  if (isLoopback(bind.host) && isLoopback(parsed.hostname)) return true;
  return parsed.host !== '' && parsed.host === hostHeader?.toLowerCase();
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
