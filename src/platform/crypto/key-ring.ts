import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';

/** The first byte of every seal. Another layout gets another number, so that both can be read side by side. */
const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGEST_BYTES = 32;
const WORD_BYTES = 8;
const WORDS_KEY = /^([A-Za-z0-9_-]{1,32}):/;
const PAD_BYTES = 32;
/** Look-ups during a rotation make one digest for each key. */
const MAX_KEYS = 32;

/**
 * A seal cannot be opened. `unknown_key`: its key is not in this ring. `broken`: it was changed, cut, or belongs to
 * another record. The message has nothing of the sealed value.
 */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  readonly reason: 'broken' | 'unknown_key';
  constructor(reason: 'broken' | 'unknown_key') {
    super(
      reason === 'unknown_key'
        ? 'Encrypted data needs a key that is not in the settings. Add it at the end of FIELD_KEYS, or for cards of CARD_KEYS.'
        : 'Encrypted data cannot be decrypted: it was changed, or it belongs to another record.',
    );
    this.reason = reason;
  }
}

/** The rings of a gateway, by what they seal. They are one ring where cards have no keys of their own. */
export interface KeyRings {
  readonly fields: KeyRing;
  /** Card numbers and PINs. */
  readonly cards: KeyRing;
}

interface RingKey {
  readonly id: string;
  /** `[length, ...id]`, as it is written into seals and digests. */
  readonly label: Buffer;
  readonly sealing: KeyObject;
  readonly digesting: KeyObject;
}

/**
 * The keys for personal data, newest first. The newest seals and digests; the others only open and find what they once
 * sealed.
 *
 * A seal is `version (1) | key id length (1) | key id | nonce (12) | tag (16) | ciphertext`, AES-256-GCM (NIST SP
 * 800-38D). Version, key id and the record's identity are its additional data, so a seal copied into another record
 * does not open. Random 96-bit nonces are safe for 2^32 seals under one key (SP 800-38D, 8.3): rotate long before. A
 * digest is `key id length (1) | key id | HMAC-SHA-256 (32)`.
 */
export class KeyRing {
  private readonly newest: RingKey;
  private readonly byId: ReadonlyMap<string, RingKey>;

  private constructor(keys: readonly [RingKey, ...RingKey[]]) {
    this.newest = keys[0];
    this.byId = new Map(keys.map(key => [key.id, key]));
  }

  /**
   * Reads `id:base64,id:base64`, newest first: ids of 1 to 32 letters, digits, _ or -, each once; keys of 32 bytes.
   * Throws an error that names a bad entry by its position and says nothing of any key.
   */
  static parse(text: string): KeyRing {
    const entries = text.split(',').map(entry => entry.trim());
    if (entries.length > MAX_KEYS) {
      throw new Error(`A key ring has at most ${MAX_KEYS} keys. Remove the oldest keys that are no longer needed.`);
    }
    const seen = new Set<string>();
    const keys = entries.map((entry, index) => {
      const [, id, secret] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry) ?? [];
      if (id === undefined || secret === undefined) {
        throw new Error(
          `Key ${index + 1} of the key ring must be id:key, with an id of 1 to 32 letters, digits, _ or -, and the base64 of 32 bytes.`,
        );
      }
      if (seen.has(id)) {
        throw new Error(`Key ${index + 1} of the key ring has the id of an earlier key. Give every key its own id.`);
      }
      seen.add(id);
      return ringKey(id, Buffer.from(secret, 'base64'));
    });
    const [newest, ...older] = keys;
    if (newest === undefined) throw new Error('The key ring is empty. Add a key.');
    return new KeyRing([newest, ...older]);
  }

  /** The ids of its keys, newest first. */
  get ids(): readonly [string, ...string[]] {
    return [this.newest.id, ...[...this.byId.keys()].slice(1)];
  }

  /** The text of a new ring of one key, for `parse`. Put it before the present keys, with a comma, to rotate. */
  static generate(): string {
    return `k${randomBytes(6).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}`;
  }

  /**
   * Seals a JSON value for one record. `identity` says which, such as `beneficiary/acc-1/<uuid>`; `open` needs the same
   * one.
   */
  seal(identity: string, value: unknown): Buffer {
    const json = JSON.stringify(value) as string | undefined;
    if (json === undefined) throw new TypeError('Only a JSON value can be sealed.');
    // A ciphertext is as long as its text, which would tell who has a tax id and whose address is short. Spaces up to a
    // multiple of 32 bytes blur that, and need not be removed: JSON allows them at the end.
    const padding = (PAD_BYTES - (Buffer.byteLength(json) % PAD_BYTES)) % PAD_BYTES;
    const header = Buffer.concat([Buffer.of(VERSION), this.newest.label]);
    const nonce = freshBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.newest.sealing, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(additionalData(header, identity));
    const ciphertext = Buffer.concat([cipher.update(json + ' '.repeat(padding), 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** The value that was sealed for this identity. Throws `SealBroken`. The type is the caller's promise, unchecked. */
  open<T>(identity: string, sealed: Uint8Array): T {
    const id = this.keyIdOf(sealed);
    const key = this.byId.get(id);
    if (key === undefined) throw new SealBroken('unknown_key');
    const headerBytes = 1 + key.label.length;
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const nonceEnd = headerBytes + NONCE_BYTES;
    const tagEnd = nonceEnd + TAG_BYTES;
    if (bytes.length <= tagEnd) throw new SealBroken('broken');
    const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(headerBytes, nonceEnd), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(additionalData(bytes.subarray(0, headerBytes), identity));
    decipher.setAuthTag(bytes.subarray(nonceEnd, tagEnd));
    try {
      return JSON.parse(decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8')) as T;
    } catch {
      throw new SealBroken('broken');
    }
  }

  /** The id of the key of a seal, whether this ring has it or not. Throws `SealBroken` where it names none. */
  keyIdOf(sealed: Uint8Array): string {
    const id = sealed[0] === VERSION ? readLabel(sealed, 1) : null;
    if (id === null) throw new SealBroken('broken');
    return id;
  }

  /** The id of the key of a digest or of words, as `keyIdOf` for a seal. Throws `SealBroken` where it names none. */
  keyIdOfDigest(digest: Uint8Array | string): string {
    const id = typeof digest === 'string' ? (WORDS_KEY.exec(digest)?.[1] ?? null) : readLabel(digest, 0);
    if (id === null) throw new SealBroken('broken');
    return id;
  }

  /** True if a seal is under the newest key. Throws `SealBroken` where it names no key. */
  isCurrent(sealed: Uint8Array): boolean {
    return this.keyIdOf(sealed) === this.newest.id;
  }

  /**
   * A keyed digest under the newest key, to find and compare texts that must not be readable. Equal texts have equal
   * digests only for the same `purpose`, so a tax id in one table cannot be matched with a card number in another.
   */
  digest(purpose: string, text: string): Buffer {
    return digestUnder(this.newest, purpose, text);
  }

  /** The digest under the key that another digest names. Null where it names none of this ring. */
  digestLike(digest: Uint8Array, purpose: string, text: string): Buffer | null {
    const key = this.byId.get(readLabel(digest, 0) ?? '');
    return key ? digestUnder(key, purpose, text) : null;
  }

  /** The digest under every key of the ring, newest first: look for all of them while a rotation goes on. */
  digests(purpose: string, text: string): Buffer[] {
    return Array.from(this.byId.values(), key => digestUnder(key, purpose, text));
  }

  /**
   * Keyed digests of texts under the newest key, `id:word word`, for an index over the words. A word has 64 bits, so
   * that a wrong hit is not to be expected in any number of customers, and an index of many words stays small.
   */
  digestWords(purpose: string, texts: readonly string[]): string {
    const words = texts.map(text => wordUnder(this.newest, purpose, text));
    return `${this.newest.id}:${[...new Set(words)].join(' ')}`;
  }

  /** The words of texts under every key of the ring: look for all of them while a rotation goes on. */
  wordsOf(purpose: string, texts: readonly string[]): string[] {
    return Array.from(this.byId.values()).flatMap(key => texts.map(text => wordUnder(key, purpose, text)));
  }
}

/** One key must not serve two purposes, so each ring key gives two by HKDF (RFC 5869), with different info labels. */
function ringKey(id: string, secret: Buffer): RingKey {
  const derive = (info: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', info, KEY_BYTES)));
  return {
    id,
    label: Buffer.from([id.length, ...Buffer.from(id)]),
    sealing: derive('tillgate field seal v1'),
    digesting: derive('tillgate field digest v1'),
  };
}

function readLabel(bytes: Uint8Array, offset: number): string | null {
  const length = bytes[offset] ?? 0;
  const id = Buffer.from(bytes.subarray(offset + 1, offset + 1 + length)).toString('latin1');
  return id.length === length && /^[A-Za-z0-9_-]{1,32}$/.test(id) ? id : null;
}

/** The header contains its own length, so no part of an identity can pass for a part of it. */
function additionalData(header: Buffer, identity: string): Buffer {
  return Buffer.concat([header, Buffer.from(identity, 'utf8')]);
}

function digestUnder(key: RingKey, purpose: string, text: string): Buffer {
  // The length of the purpose keeps other pairs of purpose and text from being the same when they are joined.
  const mac = createHmac('sha256', key.digesting)
    .update(`${Buffer.byteLength(purpose)}:${purpose}:`)
    .update(text, 'utf8')
    .digest();
  return Buffer.concat([key.label, mac], key.label.length + DIGEST_BYTES);
}

function wordUnder(key: RingKey, purpose: string, text: string): string {
  return digestUnder(key, purpose, text).toString('hex', key.label.length, key.label.length + WORD_BYTES);
}

const AT_ONCE_BYTES = 4096;
const drawn = Buffer.alloc(AT_ONCE_BYTES);
let offset = AT_ONCE_BYTES;

/**
 * At most 4096 random bytes of the system's generator, drawn in advance: a draw of 12 would cost a quarter of a seal.
 */
export function freshBytes(bytes: number): Buffer {
  if (offset + bytes > AT_ONCE_BYTES) {
    randomFillSync(drawn);
    offset = 0;
  }
  const part = Buffer.from(drawn.subarray(offset, offset + bytes));
  drawn.fill(0, offset, offset + bytes);
  offset += bytes;
  return part;
}
