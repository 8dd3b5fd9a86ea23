/** Ranges of network addresses, as people write them. Pure. */
import { z } from 'zod';

const Cidr = z.union([z.cidrv4(), z.cidrv6()]);

/** Whether a text is an IPv4 or IPv6 network in CIDR notation: an address, a slash, the bits that count. */
export function isAddressRange(text: string): boolean {
  return Cidr.safeParse(text).success;
}
