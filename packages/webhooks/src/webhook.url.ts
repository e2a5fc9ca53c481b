import { isIP } from 'node:net';
import type { AddressGuard } from '../../../lib/guarded-connect/address-guard.js';
import {
  TargetRefused,
  hostOf,
  isLocalName,
  targetOf,
  type TargetProblem,
} from '../../../lib/guarded-connect/target.js';

const DETAILS: Readonly<Record<TargetProblem, string>> = {
  not_a_url: 'Must be an absolute URL of visible ASCII characters, such as https://bank.example/hooks.',
  too_long: 'Must be shorter.',
  not_https: 'Must begin with https://.',
  credentials:
    'Must not contain a user name or a password. Verify the signature of a delivery to know that it comes from here.',
  fragment: 'Must not contain a fragment (#). Remove it.',
  port_zero: 'Must not have port 0, which nobody can connect to. Name another port, or none.',
  address_refused: 'Must not lead to this machine or to a private or reserved address. Use a public address.',
};
const NOT_QUALIFIED = 'Must have a host name with a domain, such as hooks.bank.example.';

/**
 * Returns the problem of the URL of an endpoint, or null. The addresses that a name resolves to are not looked at: they
 * are when a connection is made, since they may change at any time.
 */
export function urlProblemOf(text: string, guard: AddressGuard): string | null {
  try {
    const host = hostOf(targetOf(text, guard));
    // Without a dot, the resolver of this machine decides what the name is.
    return isIP(host) > 0 || isLocalName(host) || host.includes('.') ? null : NOT_QUALIFIED;
  } catch (error) {
    if (error instanceof TargetRefused) return DETAILS[error.problem];
    throw error;
  }
}
