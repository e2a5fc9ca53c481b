import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { SealBroken, type KeyRing } from '../../platform/crypto/key-ring.js';
import { sealIdentity } from '../../platform/repository/declarations.js';
import type { Statement } from './statement.entity.js';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The parts of a document that are sealed: its PDF, and the content of the PDF. */
export type DocumentPart = 'pdf' | 'content';

/** A document as it is stored. */
export type KeptDocument = Readonly<Pick<Statement, 'sealedKey' | 'pdf' | 'content' | 'sizeBytes' | 'sha256'>>;

function statementIdentity(accountId: string, statementId: string): string {
  return sealIdentity('statement', [accountId, statementId]);
}

/**
 * Documents hold names, addresses and tax ids, so each is encrypted under a key of its own (AES-256-GCM), and that key
 * is sealed by the key ring. A rotation of the ring's keys seals these keys again and leaves the documents, which never
 * change, as they are.
 */
export class StatementVault {
  constructor(private readonly keys: KeyRing) {}

  keep(accountId: string, statementId: string, pdf: Buffer, content: string | null): KeptDocument {
    const key = randomBytes(KEY_BYTES);
    return {
      sealedKey: this.keys.seal(statementIdentity(accountId, statementId), key.toString('base64')),
      pdf: encrypt(key, 'pdf', pdf),
      content: content === null ? null : encrypt(key, 'content', Buffer.from(content)),
      sizeBytes: pdf.length,
      sha256: createHash('sha256').update(pdf).digest(),
    };
  }

  /** Opens what was kept of a part. Throws `SealBroken`. */
  open(accountId: string, statementId: string, sealedKey: Buffer, part: DocumentPart, encrypted: Buffer): Buffer {
    const key = this.keys.open<string>(statementIdentity(accountId, statementId), sealedKey);
    return decrypt(Buffer.from(key, 'base64'), part, encrypted);
  }
}

/** `nonce (12) | tag (16) | ciphertext`. The part is authenticated with it, so that one cannot stand for the other. */
function encrypt(key: Buffer, part: DocumentPart, bytes: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(part));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function decrypt(key: Buffer, part: DocumentPart, encrypted: Buffer): Buffer {
  const [nonce, end] = [encrypted.subarray(0, NONCE_BYTES), NONCE_BYTES + TAG_BYTES];
  if (encrypted.length < end) throw new SealBroken('broken');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(part));
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, end));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(end)), decipher.final()]);
  } catch {
    throw new SealBroken('broken');
  }
}
