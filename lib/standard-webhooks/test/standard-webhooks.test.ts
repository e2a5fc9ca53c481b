import { FALSE_KEYS, FALSE_REQUESTS } from '../../../test/support/webhook-requests.js';
import { describe, expect, test } from '@jest/globals';
import { verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import {
  headersOf,
  newKeyPair,
  newSecret,
  publicKeyOf,
  signedOf,
  signerOf,
  type Message,
} from '../standard-webhooks.js';

function message(changes: Partial<Message> = {}): Message {
  const body = Buffer.from('{"type":"card.frozen","timestamp":"2026-03-31T18:05:00.000Z","data":{"name":"Ünal €"}}');
  return { id: 'evt_1042', timestampSeconds: Math.floor(Date.now() / 1000), body, ...changes };
}

/** The answers of the public reference, by the secret. */
function holds(secret: string, { body }: Message, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers);
    return true;
  } catch {
    return false;
  }
}

test('a message that is signed with a secret is verified by the reference', () => {
  const secret = newSecret();
  const sent = message();
  expect(holds(secret, sent, headersOf(sent, [signerOf(secret)]))).toBe(true);
});

test('the signature is that of the example of the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const sent = message({ id, timestampSeconds: 1_614_265_330, body: Buffer.from('{"test": 2432232314}') });
  expect(headersOf(sent, [signerOf(secret)])).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('a message is refused by the reference', () => {
  const secret = newSecret();
  const sent = message();
  const headers = headersOf(sent, [signerOf(secret)]);
  test.each<[string, Message, Record<string, string>, string]>([
    ['with another body', message({ body: Buffer.from('{}') }), headers, secret],
    ['with another id', sent, { ...headers, 'webhook-id': 'evt_1043' }, secret],
    ['with another time', sent, { ...headers, 'webhook-timestamp': String(sent.timestampSeconds + 1) }, secret],
    ['under another secret', sent, headers, newSecret()],
    ['without its signature', sent, { ...headers, 'webhook-signature': 'v1,' }, secret],
  ])('%s', (_what, received, under, key) => expect(holds(key, received, under)).toBe(false));
});

test('what the reference believes and receivers of ours do not is its own looseness, and no signature', () => {
  const secret = newSecret();
  const believed = FALSE_REQUESTS.filter(([, make]) => {
    const { headers, body } = make(secret);
    return holds(secret, message({ body }), headers as Record<string, string>);
  });
  expect(believed.map(([what]) => what)).toEqual([
    'a signature after ten others',
    'a time in another form',
    'a time with a sign',
    'an id with a dot',
  ]);
});

test('while a secret is rotated, old and new both verify', () => {
  const [fresh, old] = [newSecret(), newSecret()];
  const sent = message();
  const headers = headersOf(sent, [signerOf(fresh), signerOf(old)]);
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect([fresh, old, newSecret()].map(secret => holds(secret, sent, headers))).toEqual([true, true, false]);
});

test('a message that is signed with Ed25519 is verified with the public key alone', () => {
  const { secretKey, publicKey } = newKeyPair();
  const sent = message();
  const signature = signerOf(secretKey).sign(sent);
  expect(signature).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
  const bytes = Buffer.from(signature.slice(4), 'base64');
  expect(verify(null, signedOf(sent), publicKeyOf(publicKey), bytes)).toBe(true);
  expect(verify(null, signedOf(message({ id: 'evt_1' })), publicKeyOf(publicKey), bytes)).toBe(false);
  expect(verify(null, signedOf(sent), publicKeyOf(newKeyPair().publicKey), bytes)).toBe(false);
});

test('a key of Ed25519 may also be the seed alone', () => {
  const { secretKey } = newKeyPair();
  const seed = `whsk_${Buffer.from(secretKey.slice(5), 'base64').subarray(0, 32).toString('base64')}`;
  const sent = message();
  expect(signerOf(seed).sign(sent)).toBe(signerOf(secretKey).sign(sent));
});

test('new keys have the forms of the specification', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newKeyPair()).toMatchObject({
    secretKey: expect.stringMatching(/^whsk_[A-Za-z0-9+/]{86}==$/),
    publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
  });
});

test('a key of Ed25519 whose halves do not belong together is refused', () => {
  const [one, other] = [newKeyPair(), newKeyPair()].map(({ secretKey }) => Buffer.from(secretKey.slice(5), 'base64'));
  const mixed = Buffer.concat([one?.subarray(0, 32) ?? Buffer.of(), other?.subarray(32) ?? Buffer.of()]);
  expect(() => signerOf(`whsk_${mixed.toString('base64')}`)).toThrow(TypeError);
});

test('a message without a signer has no headers', () => {
  expect(() => headersOf(message(), [])).toThrow(TypeError);
});

test.each([-1, 1.5, Number.NaN, Infinity, 1e12])('a timestamp that is no time is refused: %s', timestampSeconds => {
  expect(() => signedOf(message({ timestampSeconds }))).toThrow(TypeError);
});

test.each([
  '',
  'whsec_',
  ...FALSE_KEYS.filter(key => !key.startsWith('whsk_')),
  'whsec_c2hvcnQ=',
  'whsec_not base64',
  'whsk_c2hvcnQ=',
  'whpk_AAAA',
  `whsec_${'A'.repeat(100)}`,
])('a key that is none is refused without being repeated: %s', key => {
  expect(() => signerOf(key)).toThrow(TypeError);
  expect(() => publicKeyOf(key)).toThrow(TypeError);
  expect(() => signerOf(key)).toThrow(/^A key must be/);
});

test.each(['evt.1', 'evt 1', 'evt\n1', '', 'é', 'a'.repeat(129)])(
  'an id that could pass for more is refused: %j',
  id => {
    expect(() => signedOf(message({ id }))).toThrow(TypeError);
  },
);
