import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { AddressGuard } from './address-guard.js';
import { SendFailed } from './send-failed.js';
import { isLocalName } from './target.js';

/** Gives all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const QUERY = { timeout: 1500, tries: 2 };
const MAX_ADDRESSES = 16;

/**
 * Asks name servers. Unlike `dns.lookup` it holds none of the few threads of the process, so a name whose servers do
 * not answer delays nobody else; and it does not read the hosts file.
 */
export function nameServers(): Resolve {
  const resolver = new Resolver(QUERY);
  return async name => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0) throw new SendFailed('NAME_NOT_FOUND');
    return found;
  };
}

/**
 * A `lookup` for sockets that gives an address only if all addresses of its name are allowed. The socket connects to
 * what was vetted here: the name is not resolved a second time. `only` allows less than the guard.
 */
export function guardedLookup(guard: AddressGuard, resolve: Resolve, only: 'loopback' | null): LookupFunction {
  const allows = (address: string): boolean => guard.allows(address) && (only === null || guard.isLoopback(address));
  const vetted = async (name: string): Promise<LookupAddress[]> => {
    const addresses = (await addressesOf(name, resolve)).slice(0, MAX_ADDRESSES);
    if (addresses.length === 0) throw new SendFailed('NAME_NOT_FOUND');
    if (!addresses.every(allows)) throw new SendFailed('ADDRESS_REFUSED');
    return addresses.map(address => ({ address, family: isIP(address) }));
  };
  const lookUp = callbackify(vetted);
  return (name, { all }, callback) => {
    lookUp(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

async function addressesOf(name: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(name) !== 0) return [name];
  return isLocalName(name) ? ['127.0.0.1', '::1'] : resolve(name);
}
