import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** Whether an address is that of a proxy of ours. */
export type Trust = (address: string, hops: number) => boolean;

/** Throws for what is no address or range. Nobody is trusted unless named: anybody can send `X-Forwarded-For`. */
export function trustOf(proxies: readonly string[]): Trust | null {
  return proxies.length === 0 ? null : proxyAddress.compile([...proxies]);
}

/** The client's address: that of the connection, or what the nearest trusted proxies say that it is. IPv4 is never written as IPv6. */
export function clientAddress(request: IncomingMessage, trust: Trust | null): string {
  const direct = request.socket.remoteAddress ?? '';
  if (!trust || request.headers['x-forwarded-for'] === undefined) return plainAddress(direct);
  const forwarded = proxyAddress(request, trust);
  return plainAddress(isIP(forwarded) === 0 ? direct : forwarded);
}

/** A socket that listens for both families has IPv4 addresses as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Whom a limit by address counts together. One IPv6 customer has a network of 2^64 addresses, so those with the same first half are one. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1).join().split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail === undefined) return first.slice(0, 4).join(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
