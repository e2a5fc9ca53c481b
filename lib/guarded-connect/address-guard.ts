import { BlockList, isIP } from 'node:net';

type Net = readonly [address: string, prefix: number];

/**
 * The special-purpose IPv4 addresses of IANA, RFC 6890 and its updates, and one public address that leads to the host
 * of a virtual machine.
 */
const REFUSED_IPV4: readonly Net[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a provider
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // the platform's services in Azure
  ['169.254.0.0', 16], // link-local, with the metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT relays
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

/**
 * The net of global unicast, the only one of IPv6 that is taken. All else is refused: loopback, link-local, site-local,
 * unique local, multicast, discard-only, NAT64, and IPv4 that is mapped, compatible or translated.
 */
const GLOBAL_IPV6: Net = ['2000::', 3];

/** The special nets within global unicast. */
const REFUSED_IPV6: readonly Net[] = [
  ['2001::', 23], // protocol assignments, with Teredo, benchmarking and ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which has an IPv4 address inside
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

const LOOPBACK: readonly Net[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

/** Decides which addresses may be connected to. */
export class AddressGuard {
  private readonly refused = listOf([...REFUSED_IPV4, ...REFUSED_IPV6]);
  private readonly global = listOf([GLOBAL_IPV6]);
  private readonly loopback = listOf(LOOPBACK);
  private readonly exempt: BlockList;

  /**
   * `allowedNets` are taken although they are special: addresses with the length of a prefix, such as `10.20.0.0/16`
   * or `fd00:20::/32`. `allowLoopback` takes this machine, for development. Throws `RangeError` for a bad net.
   */
  constructor(
    allowedNets: readonly string[] = [],
    readonly allowLoopback = false,
  ) {
    this.exempt = listOf([...allowedNets.map(netOf), ...(allowLoopback ? LOOPBACK : [])]);
  }

  /** Throws `RangeError` for a bad net. */
  static check(nets: readonly string[]): void {
    for (const net of nets) netOf(net);
  }

  /** True for an address that may be connected to. What is not an address, such as one with a zone, may not. */
  allows(address: string): boolean {
    const family = familyOf(address);
    if (family === null) return false;
    if (this.exempt.check(address, family)) return true;
    return !this.refused.check(address, family) && (family === 'ipv4' || this.global.check(address, family));
  }

  /** True for an address of this machine. */
  isLoopback(address: string): boolean {
    const family = familyOf(address);
    return family !== null && this.loopback.check(address, family);
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  // Node takes an address with a zone for one, and compares it without.
  if (address.includes('%')) return null;
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}

function netOf(text: string): Net {
  const [address = '', prefix = '', ...more] = text.split('/');
  const family = familyOf(address);
  const bits = family === 'ipv4' ? 32 : 128;
  if (family === null || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits || more.length > 0) {
    throw new RangeError('A net must be an address and the length of a prefix, such as 10.20.0.0/16.');
  }
  return [address, Number(prefix)];
}

function listOf(nets: readonly Net[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of nets) list.addSubnet(address, prefix, familyOf(address) ?? 'ipv4');
  return list;
}
