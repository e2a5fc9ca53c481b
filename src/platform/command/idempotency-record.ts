import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Idempotency, Identity } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import { canonicalJson, type Json } from '../../shared/json.js';
import { type KeyRing, freshBytes } from '../crypto/key-ring.js';
import { sealIdentity } from '../repository/declarations.js';
import { transpose, oneByOrdinal, type WithOrdinal } from '../repository/by-ordinal.js';
import { apart, keyed } from '../database/keyed.js';
import type { StatementSender, SqlQuery } from '../database/transaction.js';
import { isLockTimeout } from '../../../lib/pg-wire/pg-errors.js';
import { IdempotencyInProgress, type RefusalRecord } from './command.errors.js';

/** The time for which a request waits for the first one under its key. */
export const KEY_WAIT_MS = 2000;

export type Outcome = { readonly result: Json } | { readonly refusal: RefusalRecord };

/**
 * The outcome that is sealed under a key. The salt makes the fingerprint useless for guessing at inputs, a card's PIN
 * for one.
 */
interface SealedOutcome {
  readonly salt: string;
  readonly fingerprint: string;
  readonly outcome: Outcome;
}

/** A request under a key. */
export interface KeyedRequest {
  readonly command: string;
  readonly input: object;
  readonly isPatch: boolean;
}

/**
 * The key of a request with several writes, which has a record of its own beside those of its writes. By that record
 * the same key is refused for a single write and for another number of writes, whose places would be others.
 */
export interface SharedKey {
  readonly keyHash: Buffer;
  readonly writes: number;
}

/** The outcome on record under a key. */
export interface StoredOutcome {
  readonly sealed: Buffer;
  readonly isExpired: boolean;
}

/** A row of `idempotency_key` before it is written: the sealed outcome of a command under its key. */
export interface IdempotencyRow {
  readonly keyHash: Buffer;
  readonly program: string;
  /**
   * The account of the command; empty for one about a program. Only where tables are distributed by account it says
   * where the key is.
   */
  readonly accountId: string;
  /** The bytes of `sealedOutcome`. */
  readonly record: Buffer;
  /** True if there is a record under the key whose time is over. */
  readonly isExpired: boolean;
}

// A key is locked by an advisory lock on its first 64 bits. Two keys that share them only wait for each other.
const LOCK_KEYS = {
  name: 'idempotency_keys_lock',
  text: `SELECT k.number IS NULL OR pg_try_advisory_xact_lock(k.number), k.n::int FROM unnest($1::int8[]) WITH ORDINALITY k(number, n)`,
};

const WAIT_FOR_KEYS = {
  name: 'idempotency_keys_wait',
  text: `SELECT k.number IS NULL OR pg_advisory_xact_lock(k.number)::text = '', k.n::int FROM unnest($1::int8[]) WITH ORDINALITY k(number, n)`,
};

const FIND = keyed('idempotency_keys_find', { key_hash: 'bytea', account_id: 'text' }, ({ k, rowOf, ofAccount }) =>
  rowOf('t.outcome, t.expires_at <= now()', `idempotency_key t WHERE ${ofAccount('t')} t.key_hash = ${k.key_hash}`),
);

const FORGET = keyed(
  'idempotency_keys_forget',
  { key_hash: 'bytea', account_id: 'text' },
  ({ k, keys, ofAccount }) => `DELETE FROM idempotency_key i ${keys('USING')}
    WHERE ${ofAccount('i')} i.key_hash = ${k.key_hash} AND i.expires_at <= now()`,
);

const ADD = apart(
  {
    name: 'idempotency_keys_add',
    text: `INSERT INTO idempotency_key (key_hash, program, outcome, expires_at)
      SELECT k.key_hash, k.program, k.outcome, now() + $5::int * interval '1 day'
      FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::text[]) k(key_hash, program, outcome, account_id)`,
  },
  {
    arrays: 4,
    text: `INSERT INTO idempotency_key (account_id, key_hash, program, outcome, expires_at)
      VALUES ($4::text, $1::bytea, $2::text, $3::bytea, now() + $5::int * interval '1 day')`,
  },
);

const REPLACE = keyed(
  'idempotency_keys_replace',
  { key_hash: 'bytea', outcome: 'bytea', account_id: 'text' },
  ({ k, keys, value, ofAccount }) => `UPDATE idempotency_key i
    SET outcome = ${k.outcome}, expires_at = now() + ${value(0)}::int * interval '1 day'
    ${keys('FROM')} WHERE ${ofAccount('i')} i.key_hash = ${k.key_hash}`,
);

/** The records of idempotency keys: claiming one, filling it, reading it back. All inside the command's transaction. */
export class IdempotencyRecords {
  constructor(
    private readonly keys: KeyRing,
    private readonly ttlDays: number,
  ) {}

  /**
   * A key belongs to (program, client, subject): two clients never meet under the same key. The place is a part of its
   * own: as a key may be any text, none that is made of the key and the place could be told from a key that somebody
   * chose.
   */
  hashOf({ program, clientId, subject }: Identity, { key, place }: Pick<Idempotency, 'key' | 'place'>): Buffer {
    const parts = [program, clientId, subject, key, ...(place === null ? [] : [place.position])];
    return hash('sha256', JSON.stringify(parts), 'buffer');
  }

  /** The key of a request that a write shares with others; null where the request is one write. */
  sharedKeyOf(identity: Identity, { key, place }: Pick<Idempotency, 'key' | 'place'>): SharedKey | null {
    return place && { keyHash: this.hashOf(identity, { key, place: null }), writes: place.of };
  }

  /**
   * Locks many keys until the transaction ends, and gives whether it got each: it `waits` for those that others hold,
   * or leaves them. Null stands for no key. The rows of the keys are written at the end, with their outcomes, and are
   * unique as well.
   */
  async lock(transaction: StatementSender, keyHashes: readonly (Buffer | null)[], waits: boolean): Promise<boolean[]> {
    const numbers = keyHashes.map(keyHash => keyHash?.readBigInt64BE() ?? null);
    const rows = await transaction
      .query<[taken: boolean, n: number]>(waits ? WAIT_FOR_KEYS : LOCK_KEYS, [numbers])
      .catch(inProgress);
    return oneByOrdinal(rows, numbers.length, ([taken]) => taken).map(taken => taken ?? false);
  }

  /** The outcome on record under each key, of a command about this account. */
  async find(
    transaction: StatementSender,
    keyHashes: readonly (Buffer | null)[],
    accountIds: readonly string[],
  ): Promise<(StoredOutcome | null)[]> {
    const values = [keyHashes, accountIds.map(placeOf)];
    const rows = await transaction.query<WithOrdinal<[sealed: Buffer, isExpired: boolean]>>(FIND, values);
    return oneByOrdinal(rows, keyHashes.length, ([sealed, isExpired]) => ({ sealed, isExpired }));
  }

  /**
   * Makes the statements that write keys with their outcomes, over those whose time is over. Fails with
   * `IdempotencyInProgress` while another transaction writes one of them, and otherwise where it was faster.
   */
  adding(rows: readonly IdempotencyRow[]): SqlQuery[] {
    const expired = rows
      .filter(({ isExpired }) => isExpired)
      .map(({ keyHash, accountId }) => [keyHash, placeOf(accountId)]);
    const late = () => new IdempotencyInProgress();
    const values = [
      rows.map(({ keyHash }) => keyHash),
      rows.map(({ program }) => program),
      rows.map(({ record }) => record),
      rows.map(({ accountId }) => placeOf(accountId)),
      this.ttlDays,
    ];
    const forget = expired.length > 0 ? [{ statement: FORGET, values: transpose(expired), late }] : [];
    return [...forget, { statement: ADD, values, late }];
  }

  /**
   * Makes the statements that write new outcomes over those of commands that waited. Their accounts or programs must be
   * locked.
   */
  replacing(keyRows: readonly Pick<IdempotencyRow, 'keyHash' | 'accountId' | 'record'>[]): SqlQuery {
    const rows = keyRows.map(({ keyHash, record, accountId }) => [keyHash, record, placeOf(accountId)]);
    return { statement: REPLACE, values: [...transpose(rows), this.ttlDays] };
  }

  /** The outcome in a record, or null when it is of another command or other input. */
  outcomeIn(record: Buffer, keyHash: Buffer, request: KeyedRequest): Outcome | null {
    const { salt, fingerprint, outcome } = this.keys.open<SealedOutcome>(outcomeIdentity(keyHash), record);
    const sent = fingerprintOf(salt, request.command, meaningOf(request));
    return timingSafeEqual(Buffer.from(sent), Buffer.from(fingerprint)) ? outcome : null;
  }

  /** True if a record is that of a request with as many writes. */
  isShared(record: Buffer, { keyHash, writes }: SharedKey): boolean {
    return this.outcomeIn(record, keyHash, severalWrites(writes)) !== null;
  }

  /** Seals the record of a request with several writes. */
  sealedShared({ keyHash, writes }: SharedKey): Buffer {
    return this.sealedOutcome(keyHash, severalWrites(writes), { result: null });
  }

  /** Seals an outcome under its key, with a fingerprint by which another command or other input is recognised. */
  sealedOutcome(keyHash: Buffer, request: KeyedRequest, outcome: Outcome): Buffer {
    const salt = freshBytes(16).toString('base64');
    const sealed: SealedOutcome = {
      salt,
      fingerprint: fingerprintOf(salt, request.command, meaningOf(request)),
      outcome,
    };
    return this.keys.seal(outcomeIdentity(keyHash), sealed);
  }
}

/** Stands for a request with several writes where a record has a command. No command has an empty name. */
function severalWrites(writes: number): KeyedRequest {
  return { command: '', input: { writes }, isPatch: false };
}

/** The place of a key. A text that cannot be the id of an account may hold what PostgreSQL does not take as text. */
function placeOf(accountId: string): string {
  return BANK_ID.test(accountId) ? accountId : '';
}

function inProgress(error: unknown): never {
  throw isLockTimeout(error) ? new IdempotencyInProgress() : error;
}

function outcomeIdentity(keyHash: Buffer): string {
  return sealIdentity('idempotency_key', [keyHash.toString('hex')]);
}

/**
 * Reduces an input to its meaning, whichever way it was written: an empty text, an empty list and null are one, and so
 * is an absent field, except in a patch.
 */
function meaningOf({ input, isPatch }: KeyedRequest): object {
  return meant(input as Json, isPatch) as object;
}

function meant(value: Json, keepsNull: boolean): Json {
  if (value === '' || value === null) return null;
  if (typeof value !== 'object') return value;
  // A list replaces the one on record, so its elements are no patches.
  if (isList(value)) return value.length === 0 ? null : value.map(item => meant(item, false));
  const fields = Object.entries(value).flatMap(([name, item]) => {
    const meaning = item === undefined ? null : meant(item, keepsNull);
    const isAbsent = item === undefined || (meaning === null ? !keepsNull : isEmptyObject(meaning));
    return isAbsent ? [] : [[name, meaning] as const];
  });
  return Object.fromEntries(fields);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isEmptyObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !isList(value) && Object.keys(value).length === 0;
}

function fingerprintOf(salt: string, command: string, input: object): string {
  return createHmac('sha256', salt)
    .update(canonicalJson([command, input]))
    .digest('base64');
}
