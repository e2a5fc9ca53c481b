import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.js';

/** Why an address for requests is refused before anybody connects. */
export type TargetProblem =
  'not_a_url' | 'too_long' | 'not_https' | 'credentials' | 'fragment' | 'port_zero' | 'address_refused';

export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  constructor(readonly problem: TargetProblem) {
    super(`The address cannot be used: ${problem}.`);
  }
}

export const MAX_URL_LENGTH = 2048;

/**
 * Reads the address for requests: https, or http to this machine where the guard allows it. Numbers that stand for
 * IPv4 addresses (decimal, octal, hexadecimal, shortened) are read as browsers do. A name is not resolved here: what it
 * leads to is decided each time it is connected to. Throws `TargetRefused`.
 */
export function targetOf(text: string, guard: AddressGuard): URL {
  if (text.length > MAX_URL_LENGTH) throw new TargetRefused('too_long');
  // `URL` would drop spaces around a text and control characters in it.
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) throw new TargetRefused('not_a_url');
  const url = new URL(text);
  const host = hostOf(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && guard.allowLoopback && isLocal(host, guard))) {
    throw new TargetRefused('not_https');
  }
  if (host === '') throw new TargetRefused('not_a_url');
  if (url.username !== '' || url.password !== '') throw new TargetRefused('credentials');
  // No server listens there, and a socket cannot connect to it.
  if (url.port === '0') throw new TargetRefused('port_zero');
  if (url.hash !== '') throw new TargetRefused('fragment');
  const literal = isIP(host) !== 0;
  if (literal ? !guard.allows(host) : isLocalName(host) && !guard.allowLoopback) {
    throw new TargetRefused('address_refused');
  }
  return url;
}

/** The host of an address without the brackets of IPv6 and without the dot that a name may end with. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** RFC 6761: these names are this machine, and no name server decides that. */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

function isLocal(host: string, guard: AddressGuard): boolean {
  return isLocalName(host) || guard.isLoopback(host);
}
