import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from '../../shared/errors.js';

/** The name that a browser was given leads here, and is none of ours. */
export class Misdirected extends Refusal {
  readonly code = 'misdirected';
  constructor() {
    super(
      'Pages with a token of the development issuer are served only at localhost, at an IP address, and at the name in HOST. Use one of these.',
    );
  }
}

/** Whether a host that is listened on can be reached from this machine alone. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(hostname);
}

/**
 * Throws `Misdirected` where the request's `Host` is neither an IP address nor a name of this machine, nor the one that is listened on. A
 * page of somebody else may come to be of the same origin as this gateway by changing the address of its own name (DNS rebinding). Its
 * name it cannot change, and an IP address has none.
 */
export function requireOwnHost({ headers }: IncomingMessage, listening: string): void {
  const address = `http://${headers.host ?? ''}`;
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (isAddress || isLoopback(hostname) || hostname === listening.toLowerCase()) return;
  throw new Misdirected();
}

/** Whether a page sent this, not a program: a browser names the page's origin with everything but plain reads. */
export function isOfPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined;
}
