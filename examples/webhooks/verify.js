// Verifies webhooks by Standard Webhooks 1.0.0, with node:crypto alone: https://github.com/standard-webhooks/standard-webhooks

import { createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from 'node:crypto';

/** A request that was sent at another time than it says may be one that somebody caught and sends again. */
const TOLERANCE_SECONDS = 5 * 60;
/** What stands before the 32 bytes of an Ed25519 key in its usual encoding (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Gives the event, or throws an error that says why the request is not to be believed. `body` is the bytes as they came: the signature is over
 * them, and JSON that was read and written again is other bytes. `key` is the secret of the endpoint (`whsec_`), or its public key (`whpk_`).
 */
export function verify(headers, body, key, nowSeconds = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) throw new Error('A header of the signature is missing.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new Error('The timestamp is too old, or in the future.');
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isRight = checkOf(key, signed);
  // While a secret is rotated there are two signatures, one with each secret.
  if (!signatures.split(' ').some(isRight)) throw new Error('No signature is right.');
  return JSON.parse(body.toString('utf8'));
}

/** Tells whether a signature, `v1,<base64>` or `v1a,<base64>`, is right. */
function checkOf(key, signed) {
  const [, kind, text] = /^(whsec|whpk)_(.+)$/.exec(key) ?? [];
  if (!kind) throw new Error('The key must begin with whsec_ or whpk_.');
  const bytes = Buffer.from(text, 'base64');
  if (kind === 'whsec') {
    const expected = createHmac('sha256', bytes).update(signed).digest();
    return signature => {
      const given = bytesOf(signature, 'v1');
      // A comparison that ends at the first wrong byte would tell by its time how many are right.
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
  }
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
  return signature => {
    const given = bytesOf(signature, 'v1a');
    return given.length > 0 && verifySignature(null, signed, publicKey, given);
  };
}

function bytesOf(signature, version) {
  const [of, base64 = ''] = signature.split(',', 2);
  return Buffer.from(of === version ? base64 : '', 'base64');
}
