import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../../shared/caller.js';
import { canonicalJson, type Json } from '../../shared/json.js';
import type { KeyRing } from '../crypto/key-ring.js';
import type { RefusalRecord } from './command.errors.js';

/** How long a request waits for the first one under its key. */
export const KEY_WAIT_MS = 2000;

export type Outcome = { readonly result: Json } | { readonly refusal: RefusalRecord };

/** What is sealed under a key. The salt makes the fingerprint useless to whoever guesses at inputs, a card's PIN for one. */
interface Sealed {
  readonly salt: string;
  readonly fingerprint: string;
  readonly outcome: Outcome;
}

/** The records of idempotency keys: claiming one, filling it, reading it back. All inside the command's transaction. */
export class IdempotencyRecords {
  constructor(
    private readonly keys: KeyRing,
    private readonly ttlDays: number,
  ) {}

  /** A key belongs to (program, client, subject): two clients never meet under the same key. */
  hashOf(caller: Caller, key: string): Buffer {
    return createHash('sha256')
      .update(JSON.stringify([caller.program, caller.clientId, caller.subject, key]))
      .digest();
  }

  /**
   * Takes the key for this transaction: true if this is its first request (or the first since it expired), false if there
   * is a record. Where another transaction has just taken it, PostgreSQL waits for that one, up to `lock_timeout`.
   */
  async claim(em: EntityManager, keyHash: Buffer, program: string): Promise<boolean> {
    const rows = await em.execute(
      `INSERT INTO idempotency_key (key_hash, program, outcome, expires_at)
       VALUES (?, ?, '', now() + ? * interval '1 day')
       ON CONFLICT (key_hash) DO UPDATE SET outcome = excluded.outcome, expires_at = excluded.expires_at
       WHERE idempotency_key.expires_at <= now() RETURNING 1`,
      [keyHash, program, this.ttlDays],
    );
    return rows.length > 0;
  }

  async fill(em: EntityManager, keyHash: Buffer, command: string, input: Json, outcome: Outcome): Promise<void> {
    const salt = randomBytes(16).toString('base64');
    const sealed: Sealed = { salt, fingerprint: fingerprint(salt, command, input), outcome };
    await em.execute('UPDATE idempotency_key SET outcome = ? WHERE key_hash = ?', [
      this.keys.seal(outcomeIdentity(keyHash), sealed),
      keyHash,
    ]);
  }

  /** The outcome on record, or null when the record is of another command or other input. */
  async read(em: EntityManager, keyHash: Buffer, command: string, input: Json): Promise<Outcome | null> {
    const [row] = await em.execute<{ outcome: Buffer }[]>('SELECT outcome FROM idempotency_key WHERE key_hash = ?', [
      keyHash,
    ]);
    if (!row) throw new Error('an idempotency record vanished while it was being read');
    const sealed = this.keys.open<Sealed>(outcomeIdentity(keyHash), row.outcome);
    const given = Buffer.from(fingerprint(sealed.salt, command, input));
    return timingSafeEqual(given, Buffer.from(sealed.fingerprint)) ? sealed.outcome : null;
  }
}

/** Under which identity an outcome is sealed. */
export function outcomeIdentity(keyHash: Buffer): string {
  return `idempotency_key/${keyHash.toString('hex')}`;
}

function fingerprint(salt: string, command: string, input: Json): string {
  return createHmac('sha256', salt)
    .update(canonicalJson([command, input]))
    .digest('base64');
}
