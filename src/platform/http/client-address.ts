import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyAddress from 'proxy-addr';

/** Tells if an address is that of a trusted proxy. */
export type ProxyTrust = (address: string, hops: number) => boolean;

/** Throws for a text that is no address or range. Null trusts no proxy, since any client can send `X-Forwarded-For`. */
export function trustOf(proxies: readonly string[]): ProxyTrust | null {
  return proxies.length === 0 ? null : proxyAddress.compile([...proxies]);
}

/**
 * The client's address: that of the connection, or the one that trusted proxies tell. IPv4 is never written as IPv6.
 */
export function clientAddress(request: IncomingMessage, trust: ProxyTrust | null): string {
  const direct = request.socket.remoteAddress ?? '';
  if (!trust || request.headers['x-forwarded-for'] === undefined) return plainAddress(direct);
  const forwarded = proxyAddress(request, trust);
  return plainAddress(isIP(forwarded) === 0 ? direct : forwarded);
}

/** True if a trusted proxy opened the connection. */
export function isFromProxy({ remoteAddress }: Socket, trust: ProxyTrust | null): boolean {
  return trust !== null && remoteAddress !== undefined && trust(plainAddress(remoteAddress), 0);
}

/** A socket that listens for both families has IPv4 addresses as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** The key of a limit by address. One customer has an IPv6 network of 2^64 addresses, so the first halves count. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1).join().split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail === undefined) return first.slice(0, 4).join(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
