/**
 * Which addresses may be called at a URL that somebody gave us, judged where the connections are made (spec/manager.md § 22, A1):
 * those of members, and those of receivers of push notifications.
 *
 * A name is resolved once per connection and the connection goes to what was judged: an answer of the DNS that changes
 * between the look and the call changes nothing. Loopback and private addresses are allowed, because fleets live there.
 */
import { type LookupAddress, type LookupAllOptions, lookup as lookupBySystem } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { embeddedIPv4 } from './embeddedIPv4.ts';

/** Addresses that are called for nobody: CIDRs. IPv4 ranges hold for IPv6 addresses that carry such an address as well. */
const REFUSED_RANGES: readonly string[] = [
  // Unspecified: the machine itself, under another name.
  '0.0.0.0/8',
  '::/128',
  // Link-local: the metadata services of most clouds, and whatever else trusts the link.
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services that are not link-local: Amazon's and Google's IPv6, Alibaba's, Oracle's, Azure's.
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  // Multicast and broadcast.
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
];

const REFUSED = toBlockList(REFUSED_RANGES);

/** `code` of the error with which a connection to a refused address fails. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

/** Resolves a host name to all its addresses, as `dns.lookup` does. */
export type ResolveHost = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface AddressGuardOptions {
  /** CIDRs that are allowed although they are refused by default; asked for with every connection. @default none */
  readonly allowed?: () => readonly string[];
  /** @default the system's resolver */
  readonly resolve?: ResolveHost;
}

export interface AddressGuard {
  /**
   * The error for a host that is a refused address; undefined for a host name, which `lookup` judges: what connects to an
   * address as it is, never looks it up.
   *
   * @param host of a URL, with or without brackets
   */
  refusalOf(host: string): Error | undefined;
  /** The `lookup` of a connection: gives the allowed addresses of the name, and fails when it has none. */
  readonly lookup: LookupFunction;
}

export function createAddressGuard({
  allowed = () => [],
  resolve = lookupBySystem,
}: AddressGuardOptions = {}): AddressGuard {
  return {
    refusalOf(host) {
      const address = host.replace(/^\[(.*)\]$/, '$1');
      if (isIP(address) === 0 || isAllowed(address, toBlockList(allowed()))) return undefined;
      return addressRefused();
    },
    lookup(hostname, options, callback) {
      // Before the answer: nobody could catch what is thrown after it.
      const exceptions = toBlockList(allowed());
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, []);
        const addresses = found.filter(({ address }) => isAllowed(address, exceptions));
        const [first] = addresses;
        if (!first) return callback(addressRefused(), []);
        return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
      });
    },
  };
}

function isAllowed(address: string, exceptions: BlockList): boolean {
  const forms = isIP(address) === 6 ? [address, ...embeddedIPv4(address)] : [address];
  // The address itself may be excepted, with all that it carries; an exception of one form excuses no other.
  return isIn(exceptions, address) || forms.every((form) => !isIn(REFUSED, form) || isIn(exceptions, form));
}

function addressRefused(): Error {
  return Object.assign(new Error('The address is refused'), { code: ADDRESS_REFUSED });
}

function isIn(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
