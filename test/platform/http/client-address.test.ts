import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { addressGroup, clientAddress, trustOf } from '../../../src/platform/http/client-address.js';

function seen(remoteAddress: string, forwarded: string | undefined, proxies: readonly string[]): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return clientAddress(
    { headers, socket: { remoteAddress }, connection: { remoteAddress } } as unknown as IncomingMessage,
    trustOf(proxies),
  );
}

const v4 = fc.ipV4();
const anything = fc.oneof(v4, fc.ipV6(), fc.string());

test('without trusted proxies, and from anybody else than them, X-Forwarded-For says nothing', () => {
  fc.assert(
    fc.property(fc.array(anything), addresses => {
      expect(seen('203.0.113.9', addresses.join(', '), [])).toBe('203.0.113.9');
      expect(seen('203.0.113.9', addresses.join(', '), ['10.0.0.0/8'])).toBe('203.0.113.9');
    }),
  );
});

test('of what trusted proxies say, the last address that is not one of theirs counts, whatever a client put before it', () => {
  fc.assert(
    fc.property(fc.array(anything), fc.constantFrom('198.51.100.7', '2001:db8::7'), (forged, client) => {
      const forwarded = [...forged.map(text => text.replaceAll(',', '')), client, '10.1.2.3'].join(', ');
      expect(seen('10.0.0.1', forwarded, ['10.0.0.0/8'])).toBe(client);
    }),
  );
});

test('what is no address is not taken for one', () => {
  for (const nonsense of ['unknown', '', '198.51.100.7:4711', '<script>']) {
    expect(seen('10.0.0.1', nonsense, ['10.0.0.0/8'])).toBe('10.0.0.1');
  }
});

test('IPv6 addresses of one network count together, however they are written, and IPv4 ones each for itself', () => {
  expect(addressGroup('2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:0:1');
  expect(addressGroup('2001:db8:0:1::')).toBe('2001:db8:0:1');
  expect(addressGroup('2001:db8::1:2:3:4')).toBe('2001:db8:0:0');
  expect(addressGroup('::1')).toBe('0:0:0:0');
  expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0');
  fc.assert(
    fc.property(v4, address => {
      expect(addressGroup(address)).toBe(address);
      expect(seen(`::ffff:${address}`, undefined, [])).toBe(address);
      // Where all addresses are trusted, the furthest counts.
      expect(seen('::ffff:10.0.0.1', `::ffff:${address}`, ['10.0.0.0/8'])).toBe(address);
    }),
  );
});
