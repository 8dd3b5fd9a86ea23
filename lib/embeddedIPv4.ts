/** IPv4 addresses that IPv6 addresses carry: a connection to one of these may end at the IPv4 address, by the system or by a translator on the way. */
import { isIPv4 } from 'node:net';

/** Prefixes as their leading groups, and where the four bytes are; `isInverted`: every bit of them is the other one. */
const FORMS: readonly {
  readonly prefix: readonly number[];
  readonly bytes: readonly number[];
  readonly isInverted?: true;
}[] = [
  // IPv4-compatible and IPv4-mapped (RFC 4291), IPv4-translated (RFC 2765).
  { prefix: [0, 0, 0, 0, 0, 0], bytes: [12, 13, 14, 15] },
  { prefix: [0, 0, 0, 0, 0, 0xffff], bytes: [12, 13, 14, 15] },
  { prefix: [0, 0, 0, 0, 0xffff, 0], bytes: [12, 13, 14, 15] },
  // NAT64 (RFC 6052), and the one of a local network (RFC 8215), as long as here or as long as there: the lengths between
  // would take parts of other addresses for an IPv4 one.
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], bytes: [12, 13, 14, 15] },
  { prefix: [0x64, 0xff9b, 1], bytes: [12, 13, 14, 15] },
  { prefix: [0x64, 0xff9b, 1], bytes: [6, 7, 9, 10] },
  // 6to4 (RFC 3056).
  { prefix: [0x2002], bytes: [2, 3, 4, 5] },
  // Teredo (RFC 4380): the client.
  { prefix: [0x2001, 0], bytes: [12, 13, 14, 15], isInverted: true },
];

/** The zero and the loopback address look like IPv4-compatible ones, and are none. */
const LARGEST_OWN = 1;

/**
 * Every IPv4 address that an IPv6 address may carry, without four zeros, which stand for none.
 *
 * @param address valid; a zone behind `%` is left out of account.
 */
export function embeddedIPv4(address: string): string[] {
  const groups = toGroups(address);
  if (groups.slice(0, 7).every((group) => group === 0) && groups.at(7)! <= LARGEST_OWN) return [];
  const octets = groups.flatMap((group) => [group >> 8, group & 0xff]);
  return FORMS.filter(({ prefix }) => prefix.every((group, index) => group === groups[index]))
    .map(({ bytes, isInverted }) => bytes.map((at) => (isInverted ? 0xff ^ octets[at]! : octets[at]!)))
    .filter((bytes) => bytes.some((byte) => byte !== 0))
    .map((bytes) => bytes.join('.'));
}

/** The eight groups of 16 bits. */
function toGroups(address: string): number[] {
  const [plain = ''] = address.split('%');
  const [head = [], tail] = plain.split('::').map(toGroupsOfPart);
  if (!tail) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function toGroupsOfPart(part: string): number[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      if (!isIPv4(group)) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [(a << 8) | b, (c << 8) | d];
    });
}
