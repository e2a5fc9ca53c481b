import { createHash } from 'node:crypto';
import { statementOf, type Statement } from '../../lib/pg-wire/statement.js';

/** A page of events is read and held against their hashes at a time. */
export const BATCH_ROWS = 5000;

/**
 * `account`: what was done in an account. `denied`: what callers were denied in a program, or at accounts of a program; no account has to
 * wait for it.
 */
export type ChainKind = 'account' | 'denied';

/** Which chain: the id of the account, or the program. */
export interface ChainName {
  readonly kind: ChainKind;
  readonly of: string;
}

/** The end of a chain. */
export interface ChainHead extends ChainName {
  readonly seq: number;
  /** Hexadecimal digits. */
  readonly hash: string;
}

/** An event as it is hashed: texts as they are, the time in seconds since 1970 with six digits, the data as PostgreSQL writes jsonb. */
export type ChainRow = [
  of: string,
  seq: bigint,
  hash: Buffer | null,
  id: bigint,
  occurredAt: string,
  outcome: string,
  program: string,
  clientId: string,
  subject: string,
  requestId: string,
  action: string,
  accountId: string | null,
  object: string | null,
  data: string,
  isInOneChain: boolean,
];

interface Chain {
  /** Takes the place after which the page begins: what the chain is of, and the number in it. */
  readonly page: Statement;
  /**
   * The hash that the trigger `chain_event` gives an event after the one with the hash `previous`, which is empty for the first. Null for
   * what can be no event of this chain.
   */
  readonly hashOf: (previous: Buffer, row: ChainRow) => Buffer | null;
}

export const CHAINS: Readonly<Record<ChainKind, Chain>> = {
  account: { page: pageOf('account_id', 'chain_seq', 'denied_seq'), hashOf: doneHash },
  denied: { page: pageOf('program', 'denied_seq', 'chain_seq'), hashOf: deniedHash },
};

/** Before every event of every chain. */
export const BEGINNING: readonly [of: string, seq: bigint] = ['', -(2n ** 63n)];

/** What stands in no chain. A constraint keeps everybody from that who has not removed it. */
export const UNCHAINED = statementOf(
  'SELECT id FROM event WHERE (chain_seq IS NULL OR account_id IS NULL) AND (denied_seq IS NULL OR program IS NULL) ORDER BY id',
);

function pageOf(of: string, seq: string, other: string): Statement {
  return statementOf(
    `SELECT ${of}, ${seq}, hash, id, extract(epoch FROM occurred_at)::text, outcome, program, client_id, subject, request_id, action,
       account_id, object, data::text, ${other} IS NULL
     FROM event WHERE ${seq} IS NOT NULL AND (${of}, ${seq}) > ($1::text, $2::int8) ORDER BY ${of}, ${seq} LIMIT ${BATCH_ROWS}`,
  );
}

/** See the function `event_hash` of the database. */
function doneHash(previous: Buffer, row: ChainRow): Buffer | null {
  const [accountId, seq, , id, occurredAt, outcome, program, clientId, subject, requestId, action, , object, data] =
    row;
  const occurredAtMs = millisecondsOf(occurredAt);
  if (outcome !== 'DONE' || occurredAtMs === null) return null;
  const texts = [program, clientId, subject, requestId, action, accountId, object].filter(text => text !== null);
  return sha256(previous, [seq, id, occurredAtMs, ...texts.map(text => JSON.stringify(text)), data]);
}

/** See the function `denied_hash` of the database. */
function deniedHash(previous: Buffer, row: ChainRow): Buffer | null {
  const [program, seq, , id, occurredAt, outcome, , clientId, subject, requestId, action, accountId, object, data] =
    row;
  if (outcome === 'DONE') return null;
  const texts = [program, outcome, clientId, subject, requestId, action, accountId, object];
  return sha256(previous, ['"denied"', seq, id, occurredAt, ...texts.map(text => JSON.stringify(text)), data]);
}

function sha256(previous: Buffer, parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(previous).update(parts.join(',')).digest();
}

/** Null for what is no instant, such as infinity. */
function millisecondsOf(seconds: string): bigint | null {
  if (!/^-?\d+\.\d{6}$/.test(seconds)) return null;
  const microseconds = BigInt(seconds.replace('.', ''));
  const milliseconds = microseconds / 1000n;
  return microseconds < milliseconds * 1000n ? milliseconds - 1n : milliseconds;
}
