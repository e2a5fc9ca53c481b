// Verifies webhooks by Standard Webhooks 1.0.0 with WebCrypto alone, so it runs in Node.js, browsers, Deno, Bun and
// workers at the edge: https://github.com/standard-webhooks/standard-webhooks

/** A request that was sent at another time than it says may be one that somebody caught and sends again. */
const TOLERANCE_SECONDS = 5 * 60;
/** While a secret is rotated there are two signatures, one with each secret. */
const MAX_SIGNATURES = 10;
/** What is signed has dots between its parts: an id with a dot could pass for another id and timestamp. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** By the beginning of a key: the version of its signatures, the algorithm, and how many bytes the key has. */
const KINDS = {
  whsec_: { version: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' }, least: 24, most: 64 },
  whpk_: { version: 'v1a', algorithm: { name: 'Ed25519' }, least: 32, most: 32 },
};

/** Reads the secret of an endpoint (`whsec_`) or its public key (`whpk_`), once at start. Throws if it is neither. */
export async function readKey(text) {
  const [, prefix, base64] = /^(whsec_|whpk_)(.+)$/.exec(text) ?? [];
  const { version, algorithm, least, most } = KINDS[prefix] ?? {};
  const bytes = bytesOf(base64 ?? '');
  if (!version || !bytes || bytes.length < least || bytes.length > most) {
    throw new Error('The key must be whsec_ with the base64 of 24 to 64 bytes, or whpk_ with that of 32 bytes.');
  }
  return { version, algorithm, key: await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']) };
}

/**
 * Gives the event, or throws an error that says why the request is not to be believed. `headers` has lower-case names,
 * as Node.js gives them. `body` is the bytes as they came: the signature is over them, and JSON that was read and
 * written again is other bytes.
 */
export async function verify(headers, body, { version, algorithm, key }, nowSeconds = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) throw new Error('A header of the signature is missing.');
  if (!ID.test(id)) throw new Error('The header webhook-id is not an id.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new Error('The timestamp is too old, or in the future.');
  }
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  for (const signature of signatures.split(' ').slice(0, MAX_SIGNATURES)) {
    const [of, base64 = ''] = signature.split(',', 2);
    const given = of === version ? bytesOf(base64) : undefined;
    // WebCrypto compares in constant time. A comparison that ends at the first wrong byte would tell by its time how
    // many are right.
    if (given && (await crypto.subtle.verify(algorithm, key, given, signed))) {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    }
  }
  throw new Error('No signature is right.');
}

/** Undefined if it is not base64. */
function bytesOf(base64) {
  try {
    const text = atob(base64);
    return text !== '' && btoa(text) === base64
      ? Uint8Array.from(text, character => character.charCodeAt(0))
      : undefined;
  } catch {
    return undefined;
  }
}
