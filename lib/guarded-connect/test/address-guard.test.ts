import { describe, expect, test } from '@jest/globals';
import { AddressGuard } from '../address-guard.js';
import { TargetRefused, targetOf } from '../target.js';

const guard = new AddressGuard();

describe('an address is refused that is', () => {
  const refused: Record<string, readonly string[]> = {
    'this network': ['0.0.0.0', '0.1.2.3'],
    private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
    loopback: ['127.0.0.1', '127.1.2.3', '127.255.255.255', '::1'],
    'link-local, with the metadata of clouds': [
      '169.254.169.254',
      '169.254.0.1',
      'fe80::1',
      'fe80::a9fe:a9fe',
      'febf::1',
    ],
    'of a metadata service elsewhere': ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
    'shared by the customers of a provider': ['100.64.0.1', '100.127.255.255'],
    'for protocol assignments': ['192.0.0.1', '192.0.0.170', '2001::1', '2001:1::1'],
    'for documentation': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff::1'],
    'for benchmarking': ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
    reserved: ['240.0.0.1', '254.255.255.255', '4000::1', '5f00::1', 'e000::1'],
    broadcast: ['255.255.255.255'],
    unspecified: ['::'],
    'IPv4 that is mapped': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8'],
    'IPv4 that is compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
    'IPv4 that is translated': ['::ffff:0:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
    '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1', '192.88.99.1'],
    Teredo: ['2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    'unique local': ['fc00::1', 'fd12:3456:789a::1', 'fdff:ffff::1'],
    'site-local': ['fec0::1', 'feff::1'],
    'discard-only': ['100::1', '100::ffff'],
    'AS112 or AMT': ['192.31.196.1', '192.175.48.1', '192.52.193.1', '2620:4f:8000::1'],
    'of a zone': ['fe80::1%eth0', '2606:4700::1111%lo', '::1%1'],
    'not an address': ['', 'localhost', '127.1', '0x7f.1', '017700000001', '2130706433', '10.0.0.1 ', '[::1]', '::g'],
  };
  test.each(Object.entries(refused))('%s', (_what, addresses) => {
    expect(addresses.filter(address => guard.allows(address))).toEqual([]);
  });
});

test('public addresses are allowed, also beside those that are not', () => {
  const allowed = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860::8888',
    '2001:200::1',
    '2003::1',
    '3ffe::1',
    '2001:db9::1',
  ];
  expect(allowed.filter(address => !guard.allows(address))).toEqual([]);
});

test('nets that are listed are allowed, and nothing beside them', () => {
  const listed = new AddressGuard(['10.20.0.0/16', 'fd00:20::/32', '169.254.7.7/32']);
  expect(['10.20.0.1', '10.20.255.255', 'fd00:20::1', '169.254.7.7', '8.8.8.8'].every(a => listed.allows(a))).toBe(
    true,
  );
  const others = ['10.21.0.0', '10.19.255.255', 'fd00:21::1', '169.254.7.8', '127.0.0.1', '::1'];
  expect(others.filter(address => listed.allows(address))).toEqual([]);
});

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0/8',
  'localhost/8',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  'fe80::%eth0/64',
  '',
])('a net that is none is refused: %s', net => {
  expect(() => new AddressGuard([net])).toThrow(RangeError);
});

test('this machine is allowed where it is said, and no other special address with it', () => {
  const local = new AddressGuard([], true);
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(address => local.allows(address))).toBe(true);
  expect(['10.0.0.1', '169.254.169.254', 'fe80::1', '0.0.0.0', '::'].some(address => local.allows(address))).toBe(
    false,
  );
});

function problemOf(text: string, of = guard): string | null {
  try {
    targetOf(text, of);
    return null;
  } catch (error) {
    if (error instanceof TargetRefused) return error.problem;
    throw error;
  }
}

describe('as a target', () => {
  test.each([
    'https://bank.example/hook',
    'https://bank.example:8443/hook?key=1',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
    'https://bank.example./',
    'https://xn--bnk-0na.example/',
  ])('%s is taken', url => expect(problemOf(url)).toBeNull());

  test.each([
    'https://2130706433/',
    'https://0x7f000001/',
    'https://017700000001/',
    'https://127.1/',
    'https://0/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.01/',
    'https://127.0.1/',
    'https://10.1/',
    'https://0xa9.0xfe.0xa9.0xfe/',
    'https://2852039166/',
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.169.254./',
    'https://3232235521/',
    'https://127.0.0.1./',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://a.localhost/',
    'https://a.localhost./',
    'https://127.0.0.%31/',
    'https://%31%32%37.0.0.1/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
  ])('%s is refused, since it is not public', url => expect(problemOf(url)).toBe('address_refused'));

  test.each([
    ['http://bank.example/', 'not_https'],
    ['http://127.0.0.1/', 'not_https'],
    ['ftp://bank.example/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['gopher://bank.example:70/_', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['https://me@bank.example/', 'credentials'],
    ['https://me:secret@bank.example/', 'credentials'],
    ['https://bank.example/#part', 'fragment'],
    ['https://', 'not_a_url'],
    ['bank.example', 'not_a_url'],
    ['', 'not_a_url'],
    ['https://bank.example/\r\nx-injected: 1', 'not_a_url'],
    ['https://bank.example/a b', 'not_a_url'],
    [' https://bank.example/', 'not_a_url'],
    ['https://bänk.example/', 'not_a_url'],
    // Full-width and circled digits, which browsers read as 127.0.0.1.
    ['https://１２７.0.0.1/', 'not_a_url'],
    ['https://①②⑦.0.0.1/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['https://256.256.256.256/', 'not_a_url'],
    ['https://1.2.3.4.5/', 'not_a_url'],
    ['https://bank.example:65536/', 'not_a_url'],
    ['https://bank.example:0/', 'port_zero'],
    ['https://1.1.1.1:000/', 'port_zero'],
    [`https://bank.example/${'a'.repeat(2048)}`, 'too_long'],
  ])('%s is refused: %s', (url, problem) => expect(problemOf(url)).toBe(problem));

  test('http to this machine is taken where it is allowed, and to nobody else', () => {
    const local = new AddressGuard([], true);
    const urls = ['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/', 'https://localhost/'];
    expect(urls.map(url => problemOf(url, local))).toEqual([null, null, null, null]);
    expect(problemOf('http://bank.example/', local)).toBe('not_https');
    expect(problemOf('http://10.0.0.1/', new AddressGuard(['10.0.0.0/8'], true))).toBe('not_https');
  });
});
