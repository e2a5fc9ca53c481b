import { describe, expect, test } from '@jest/globals';
import { newKeyPair, newSecret } from '../../../lib/standard-webhooks/standard-webhooks.js';
import { WebhookNotVerified, verifyWebhook, type Webhook } from '../../../packages/client/src/webhooks.js';
import { EVENT, FALSE_KEYS, FALSE_REQUESTS, carelesslySigned, signedRequest } from '../../support/webhook-requests.js';

const PAIR = newKeyPair();
const SECRET = newSecret();
/** What signs, and what verifies. */
const KEYS = [
  ['a secret', SECRET, SECRET],
  ['a pair of keys', PAIR.secretKey, PAIR.publicKey],
] as const;

describe.each(KEYS)('what is signed with %s', (_, signing, secrets) => {
  test('is verified, with any kind of headers and body', async () => {
    const { headers, body } = signedRequest([signing]);
    const event = { ...EVENT, id: 'evt_1042' };
    const inCapitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const inLists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [String(value)]]));
    const forms: Pick<Webhook, 'headers' | 'body'>[] = [
      { headers, body },
      { headers: new Headers(headers as Record<string, string>), body: body.toString() },
      { headers: inCapitals, body: new Uint8Array(body) },
      { headers: inLists, body: new Uint8Array(body).buffer },
    ];
    for (const form of forms) expect(await verifyWebhook({ ...form, secrets })).toEqual(event);
  });

  test('is verified by any of the keys, while one is replaced', async () => {
    const other = newSecret();
    expect(await verifyWebhook({ ...signedRequest([other, signing]), secrets })).toMatchObject(EVENT);
    expect(await verifyWebhook({ ...signedRequest([signing]), secrets: [other, secrets] })).toMatchObject(EVENT);
  });

  test.each(FALSE_REQUESTS)('is not verified with %s', async (_what, make) => {
    await expect(verifyWebhook({ ...make(signing), secrets })).rejects.toThrow(WebhookNotVerified);
  });

  test('is not verified where a header is there twice', async () => {
    const { headers, body } = signedRequest([signing]);
    for (const twice of [
      { ...headers, 'webhook-id': ['evt_1042', 'evt_1042'] },
      { ...headers, 'Webhook-Id': 'evt_1' },
      new Headers([...Object.entries(headers as Record<string, string>), ['webhook-id', 'evt_1']]),
    ]) {
      await expect(verifyWebhook({ headers: twice, body, secrets })).rejects.toThrow(WebhookNotVerified);
    }
  });

  test('has the id that was signed, whatever the body says', async () => {
    const body = Buffer.from(JSON.stringify({ ...EVENT, id: 'evt_1', __proto__: { id: 'evt_2' } }));
    expect(await verifyWebhook({ ...signedRequest([signing], { body }), secrets })).toMatchObject({ id: 'evt_1042' });
  });

  test.each(['', 'null', '[]', '"card.frozen"', '{}', '{"type":', '\u{feff}{"type":"card.frozen"}', '\xff'])(
    'is not verified where the body is no event: %j',
    async text => {
      const { headers, body } = signedRequest([signing], { body: Buffer.from(text, 'latin1') });
      await expect(verifyWebhook({ headers, body, secrets })).rejects.toThrow(WebhookNotVerified);
    },
  );

  test('is verified as long as the tolerance says, and no longer', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const timestampSeconds of [now - 400, now + 400]) {
      const request = signedRequest([signing], { timestampSeconds });
      await expect(verifyWebhook({ ...request, secrets })).rejects.toThrow(WebhookNotVerified);
      expect(await verifyWebhook({ ...request, secrets, toleranceSeconds: 500 })).toMatchObject(EVENT);
    }
  });

  test.each<[string, unknown]>([
    ...[Number.NaN, Infinity, -Infinity, -1, 0, 86_401, 1e300].map(value => [String(value), value] as [string, number]),
    ...(['300', '', true, null, [300], 300n, {}] as const).map(value => [typeof value, value] as [string, unknown]),
  ])('is not verified with a tolerance that is none: %s', async (_what, toleranceSeconds) => {
    for (const timestampSeconds of [0, Math.floor(Date.now() / 1000)]) {
      const request = signedRequest([signing], { timestampSeconds });
      const options = { ...request, secrets, toleranceSeconds: toleranceSeconds as number };
      await expect(verifyWebhook(options)).rejects.toThrow(TypeError);
    }
  });
});

test('a request of one kind of key is not verified with the other', async () => {
  await expect(verifyWebhook({ ...signedRequest([SECRET]), secrets: PAIR.publicKey })).rejects.toThrow(
    WebhookNotVerified,
  );
  await expect(verifyWebhook({ ...signedRequest([PAIR.secretKey]), secrets: SECRET })).rejects.toThrow(
    WebhookNotVerified,
  );
});

test('a public key is no secret that could sign: what is signed with its bytes is not verified', async () => {
  const asSecret = `whsec_${PAIR.publicKey.slice('whpk_'.length)}`;
  await expect(verifyWebhook({ ...signedRequest([asSecret]), secrets: PAIR.publicKey })).rejects.toThrow(
    WebhookNotVerified,
  );
});

test.each(FALSE_KEYS)('a key that is none is a mistake of the receiver, and is not repeated: %j', async secrets => {
  const request = signedRequest([SECRET]);
  const failing = verifyWebhook({ ...request, secrets: [SECRET, secrets] });
  await expect(failing).rejects.toThrow(TypeError);
  await expect(failing).rejects.toThrow(/^A key must be whsec_ with the base64 of 24 to 64 bytes/);
});

test.each<[string, unknown]>([
  ['no key', []],
  ['more keys than ten', Array.from({ length: 11 }, newSecret)],
  ['a key that is no text', [undefined]],
  ['no list', null],
])('secrets that are %s are a mistake of the receiver', async (_what, secrets) => {
  const request = { ...signedRequest([SECRET]), secrets: secrets as string };
  await expect(verifyWebhook(request)).rejects.toThrow(TypeError);
});

test.each<[string, unknown]>([
  ['parsed', EVENT],
  ['a number', 8],
  ['absent', undefined],
  ['wider than bytes', new Uint16Array(8)],
])('a body that is %s is a mistake of the receiver', async (_what, body) => {
  const { headers } = signedRequest([SECRET]);
  await expect(verifyWebhook({ headers, body: body as string, secrets: SECRET })).rejects.toThrow(TypeError);
});

test('the request that passes for another one is signed rightly, so that its id alone refuses it', async () => {
  const request = carelesslySigned(SECRET, {});
  expect(await verifyWebhook({ ...request, secrets: SECRET })).toMatchObject(EVENT);
});
