import { expect, test } from '@jest/globals';
import { headersOf, newKeyPair, newSecret, signerOf } from '../../../lib/standard-webhooks/standard-webhooks.js';
import { WebhookNotVerified, verifyWebhook } from '../../../packages/client/src/webhooks.js';

const EVENT = { type: 'card.frozen', timestamp: '2026-03-31T18:05:00.000Z', data: { last4: '1111', note: 'Ünal €' } };
const body = Buffer.from(JSON.stringify(EVENT));

/** As the gateway signs what it delivers. */
function sent(secrets: readonly string[], timestampSeconds = Math.floor(Date.now() / 1000)) {
  return headersOf({ id: 'evt_1042', timestampSeconds, body }, secrets.map(signerOf));
}

test('what the gateway signs is verified, by any of the secrets, with any kind of headers and body', async () => {
  const [old, secret] = [newSecret(), newSecret()];
  const event = { id: 'evt_1042', ...EVENT };
  const headers = sent([secret]);
  expect(await verifyWebhook({ headers, body, secrets: secret })).toEqual(event);
  expect(await verifyWebhook({ headers: new Headers(headers), body: body.toString(), secrets: [old, secret] })).toEqual(
    event,
  );
  expect(
    await verifyWebhook({ headers: sent([old, secret]), body: new Uint8Array(body).buffer, secrets: secret }),
  ).toEqual(event);
});

test('what is signed with a private key is verified with the public one', async () => {
  const { secretKey, publicKey } = newKeyPair();
  expect(await verifyWebhook({ headers: sent([secretKey]), body, secrets: publicKey })).toMatchObject({
    id: 'evt_1042',
  });
  await expect(verifyWebhook({ headers: sent([secretKey]), body, secrets: newKeyPair().publicKey })).rejects.toThrow(
    WebhookNotVerified,
  );
});

test.each([
  ['another body', (headers: Record<string, string>) => ({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })],
  ['another id', (headers: Record<string, string>) => ({ headers: { ...headers, 'webhook-id': 'evt_1043' }, body })],
  [
    'no signature',
    (headers: Record<string, string>) => ({ headers: { ...headers, 'webhook-signature': undefined }, body }),
  ],
  [
    'a signature that is none',
    (headers: Record<string, string>) => ({ headers: { ...headers, 'webhook-signature': 'v1,a v1 ,' }, body }),
  ],
  [
    'a signature of another kind',
    (headers: Record<string, string>) => ({
      headers: { ...headers, 'webhook-signature': String(headers['webhook-signature']).replace('v1,', 'v1a,') },
      body,
    }),
  ],
])('a request with %s is not verified', async (_, changed) => {
  const secret = newSecret();
  await expect(verifyWebhook({ ...changed(sent([secret])), secrets: secret })).rejects.toThrow(WebhookNotVerified);
});

test('a request of another time is not verified, however right its signature is', async () => {
  const secret = newSecret();
  const now = Math.floor(Date.now() / 1000);
  for (const timestamp of [now - 400, now + 400]) {
    const headers = sent([secret], timestamp);
    await expect(verifyWebhook({ headers, body, secrets: secret })).rejects.toThrow(WebhookNotVerified);
    expect(await verifyWebhook({ headers, body, secrets: secret, toleranceSeconds: 500 })).toMatchObject({
      id: 'evt_1042',
    });
  }
});

test('a secret that is none is a mistake of the receiver', async () => {
  const headers = sent([newSecret()]);
  for (const secrets of ['', 'secret', 'whsec_', 'whsec_%%%']) {
    await expect(verifyWebhook({ headers, body, secrets })).rejects.toThrow(TypeError);
  }
});
