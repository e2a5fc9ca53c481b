import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

/** https://github.com/standard-webhooks/standard-webhooks, version 1.0.0 */

const SECRET_BYTES = 32;
const LEAST_SECRET_BYTES = 24;
const MOST_SECRET_BYTES = 64;
const SEED_BYTES = 32;
/** In seconds since 1970: twelve digits are the year 33658. */
const MAX_TIMESTAMP_SECONDS = 999_999_999_999;
/** A private key of Ed25519 in PKCS #8 and a public one in SPKI, up to the bytes of the key itself (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A message, whose parts are signed together. */
export interface Message {
  /** Stable over retries; has no dot. */
  readonly id: string;
  /** The time of the attempt, in seconds since 1970. */
  readonly timestampSeconds: number;
  readonly body: Buffer;
}

/** Signs a message: `v1,` or `v1a,` and base64. */
export interface Signer {
  sign(message: Message): string;
}

/** A new symmetric key: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** A new pair of keys: `whsk_` with the base64 of seed and public key, `whpk_` with that of the public key. */
export function newKeyPair(): { readonly secretKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8_PREFIX.length);
  const point = pointOf(publicKey);
  return {
    secretKey: `whsk_${Buffer.concat([seed, point]).toString('base64')}`,
    publicKey: `whpk_${point.toString('base64')}`,
  };
}

/** Reads `whsec_` or `whsk_`. Throws a `TypeError` that says nothing of the key. */
export function signerOf(key: string): Signer {
  const [, prefix, text = ''] = /^(whsec_|whsk_)(.+)$/.exec(key) ?? [];
  const bytes = bytesOf(text);
  if (prefix === 'whsec_' && bytes.length >= LEAST_SECRET_BYTES && bytes.length <= MOST_SECRET_BYTES) {
    return { sign: message => `v1,${createHmac('sha256', bytes).update(signedOf(message)).digest('base64')}` };
  }
  if (prefix === 'whsk_' && (bytes.length === SEED_BYTES || bytes.length === 2 * SEED_BYTES)) {
    const secret = secretKeyOf(bytes.subarray(0, SEED_BYTES));
    // The signature of a damaged key is verified by nobody: its public half belongs to its seed.
    const point = bytes.subarray(SEED_BYTES);
    if (point.length === 0 || pointOf(createPublicKey(secret)).equals(point)) {
      return { sign: message => `v1a,${sign(null, signedOf(message), secret).toString('base64')}` };
    }
  }
  throw new TypeError('A key must be whsec_ with the base64 of 24 to 64 bytes, or whsk_ with that of an Ed25519 key.');
}

/** Reads `whpk_`. Throws a `TypeError`. */
export function publicKeyOf(key: string): KeyObject {
  const [, text = ''] = /^whpk_(.+)$/.exec(key) ?? [];
  const bytes = bytesOf(text);
  if (bytes.length !== SEED_BYTES) throw new TypeError('A public key must be whpk_ with the base64 of 32 bytes.');
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
}

/** The headers of a message, with a signature of each signer. Throws a `TypeError` where nobody signs. */
export function headersOf(message: Message, signers: readonly Signer[]): Record<string, string> {
  if (signers.length === 0) throw new TypeError('A message needs a signer.');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': signers.map(signer => signer.sign(message)).join(' '),
  };
}

/** The text that is signed. An id with a dot could pass for another id and timestamp. */
export function signedOf({ id, timestampSeconds, body }: Message): Buffer {
  const isTime =
    Number.isInteger(timestampSeconds) && timestampSeconds >= 0 && timestampSeconds <= MAX_TIMESTAMP_SECONDS;
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id) || !isTime) {
    throw new TypeError(
      'The id of a message must have letters, digits, _ and - alone, and its timestamp be whole seconds since 1970.',
    );
  }
  return Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), body]);
}

/** The 32 bytes of a public key. */
function pointOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
}

/** None for a text that is not base64 as RFC 4648, 4 writes it: `Buffer.from` skips what it does not know. */
function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : Buffer.alloc(0);
}

function secretKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
