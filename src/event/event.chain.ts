import { createHash } from 'node:crypto';
import type { Database } from '../platform/database/orm.js';
import type { Pace } from '../platform/report/progress.js';
import { statementOf, type Statement } from '../../lib/pg-wire/statement.js';

/** So many events are read and compared with their hashes at a time. */
export const BATCH_ROWS = 5000;

/**
 * `account`: what was done in an account. `program`: what was done to a program. `denied`: what callers were denied in
 * a program, or at accounts of a program, so that no account has to wait for it.
 */
export const CHAIN_KINDS = ['account', 'program', 'denied'] as const;
export type ChainKind = (typeof CHAIN_KINDS)[number];

export interface ChainName {
  readonly kind: ChainKind;
  /** The id of the account, or the program. */
  readonly of: string;
}

/** The last event of a chain. */
export interface ChainHead extends ChainName {
  readonly seq: number;
  /** Hexadecimal digits. */
  readonly hash: string;
}

/**
 * An event as it is hashed: texts as they are, the time in seconds since 1970 with six digits, the data as PostgreSQL
 * writes jsonb.
 */
type ChainRow = [
  of: string,
  seq: bigint,
  hash: Buffer | null,
  id: bigint,
  occurredAt: string,
  program: string,
  clientId: string,
  subject: string,
  requestId: string,
  action: string,
  accountId: string | null,
  object: string | null,
  data: string,
];

interface Chain {
  /** Its parameters are the position before the page: what the chain is of, and the number in it. */
  readonly page: Statement;
  /**
   * The hash of an event after the one with the hash `previous`, which is empty for the first. Null for a row that
   * cannot be an event of this chain.
   */
  readonly hashOf: (previous: Buffer, row: ChainRow) => Buffer | null;
}

const CHAINS: Readonly<Record<ChainKind, Chain>> = {
  account: { page: pageOf('account_event', 'account_id', 'chain_seq'), hashOf: doneHash },
  program: { page: pageOf('program_event', 'program', 'seq', 'NULL'), hashOf: programHash },
  denied: { page: pageOf('denied_attempt', 'program', 'seq'), hashOf: deniedHash },
};

/** The position before every event of every chain. */
const BEGINNING: readonly [of: string, seq: bigint] = ['', -(2n ** 63n)];

/** Events in no chain, which the keys of the tables forbid unless somebody has removed them. */
const UNCHAINED = statementOf(
  `SELECT id FROM account_event WHERE account_id IS NULL OR chain_seq IS NULL
   UNION ALL SELECT id FROM program_event WHERE program IS NULL OR seq IS NULL
   UNION ALL SELECT id FROM denied_attempt WHERE program IS NULL OR seq IS NULL ORDER BY id`,
);

const LAST = `LEFT JOIN LATERAL (
    SELECT e.chain_seq, e.hash FROM account_event e WHERE e.account_id = a.account_id ORDER BY e.chain_seq DESC LIMIT 1) l ON true`;

/** For each account behind an id the number of its last event, and whether the account names it. */
const ENDS = {
  name: 'chains_ends',
  text: `SELECT a.account_id, coalesce(l.chain_seq, 0), a.event_seq = coalesce(l.chain_seq, 0) AND a.event_hash = coalesce(l.hash, '')
   FROM (SELECT * FROM account WHERE account_id > $1::text ORDER BY account_id LIMIT ${BATCH_ROWS}) a ${LAST}
   ORDER BY a.account_id`,
};

const NONE: Buffer = Buffer.alloc(0);

/** What an event is verified by: the number and the hash of the one before it. */
interface Link {
  readonly seq: bigint;
  readonly hash: Buffer;
}

/** Before the first event of a chain. */
const START: Link = { seq: 0n, hash: NONE };

/** The newest events of an account's chain, the last one first, each with the end that the account names. */
const NEWEST = statementOf(
  `SELECT e.*, a.event_seq, a.event_hash FROM account a LEFT JOIN LATERAL (
     SELECT ${columnsOf('account_id', 'chain_seq')} FROM account_event WHERE account_id = $1::text
     ORDER BY chain_seq DESC LIMIT $2::int) e ON true
   WHERE a.account_id = $1::text ORDER BY e.chain_seq DESC`,
);

/**
 * `changed`: the event differs from its hash. `missing`: events before it, or those up to a known head, do not exist.
 * `end`: it is the last event of its account, and the account names another one; 0 stands for none. `unchained`: it is
 * in no chain, so only its id is known.
 */
export type BrokenLink =
  | (ChainName & { readonly seq: number; readonly problem: 'changed' | 'missing' | 'end' })
  | { readonly id: string; readonly problem: 'unchained' };

/** The progress of a verification. */
export class ChainTally implements Pace {
  readonly broken: BrokenLink[] = [];
  /** The last event that was seen of each chain. */
  readonly heads = new ChainHeads();
  readonly events: Record<ChainKind, number> = { account: 0, program: 0, denied: 0 };
  private readonly startedMs = performance.now();

  get rows(): number {
    return CHAIN_KINDS.reduce((rows, kind) => rows + this.events[kind], 0);
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.rows / Math.max(this.seconds, 0.001));
  }

  get failures(): string {
    return this.broken.length > 0 ? `${this.broken.length} broken` : '';
  }
}

/** The last events of chains. */
export class ChainHeads {
  readonly account = new Map<string, ChainHead>();
  readonly program = new Map<string, ChainHead>();
  readonly denied = new Map<string, ChainHead>();

  constructor(heads: Iterable<ChainHead> = []) {
    for (const head of heads) this[head.kind].set(head.of, head);
  }

  all(): ChainHead[] {
    return CHAIN_KINDS.flatMap(kind => [...this[kind].values()]);
  }
}

/**
 * Computes every hash again, here and not in the database, and compares it with the one on record. `known` are heads of
 * an earlier run: a chain that no longer contains its head was cut or rewritten. Stops after a page when `stop` is
 * aborted.
 */
export async function verifyChains(
  database: Database,
  tally: ChainTally,
  known: Iterable<ChainHead>,
  stop: AbortSignal,
): Promise<void> {
  const pending = new ChainHeads(known);
  for (const kind of CHAIN_KINDS) await verifyKind(kind, database, tally, pending, stop);
  if (stop.aborted) return;
  for (const head of pending.all()) tally.broken.push(brokenAt(head, 'missing'));
  await verifyEnds(database, tally, stop);
  for (const [id] of await database.query<[bigint]>(UNCHAINED)) {
    tally.broken.push({ id: String(id), problem: 'unchained' });
  }
}

async function verifyKind(
  kind: ChainKind,
  database: Database,
  tally: ChainTally,
  pending: ChainHeads,
  stop: AbortSignal,
): Promise<void> {
  const { page } = CHAINS[kind];
  let [of, seq] = BEGINNING;
  let before = START;
  while (!stop.aborted) {
    const rows = await database.query<ChainRow>(page, [of, seq]);
    for (const row of rows) {
      if (row[0] !== of) before = START;
      [of, seq] = row;
      const head = headOf(kind, row);
      const problem = problemOf(kind, row, before);
      if (problem) tally.broken.push(brokenAt(head, problem));
      const anchor = pending[kind].get(of);
      if (anchor?.seq === head.seq) {
        pending[kind].delete(of);
        if (anchor.hash !== head.hash) tally.broken.push(brokenAt(head, 'changed'));
      }
      tally.heads[kind].set(of, head);
      tally.events[kind] += 1;
      before = linkOf(row);
    }
    if (rows.length < BATCH_ROWS) return;
  }
}

/** Accounts name the last event of their chain: what is added is chained to it. */
async function verifyEnds(database: Database, tally: ChainTally, stop: AbortSignal): Promise<void> {
  let after = '';
  while (!stop.aborted) {
    const rows = await database.query<[of: string, seq: bigint, isNamed: boolean]>(ENDS, [after]);
    for (const [of, seq, isNamed] of rows) {
      if (!isNamed) tally.broken.push({ kind: 'account', of, seq: Number(seq), problem: 'end' });
      after = of;
    }
    if (rows.length < BATCH_ROWS) return;
  }
}

/** The end of an account's chain. */
export interface ChainEnd {
  /** The last event; null where the account has none. */
  readonly head: ChainHead | null;
  /** How many events were verified. */
  readonly checked: number;
  /** The number of the first broken link among them, or null. */
  readonly brokenAt: number | null;
}

/** Verifies the newest events of an account and its end as `verifyChains` does, `most` events at most. */
export async function endOfChain(database: Database, accountId: string, most: number): Promise<ChainEnd> {
  const newest = await database.query<[...ChainRow, endSeq: bigint, endHash: Buffer]>(NEWEST, [accountId, most + 1]);
  const [endSeq, endHash] = (newest[0]?.slice(-2) as [bigint, Buffer] | undefined) ?? [0n, NONE];
  // An account without an event has one row of nulls.
  const rows = newest
    .filter(([of]) => of !== null)
    .map(row => row as unknown as ChainRow)
    .toReversed();
  // The first of more than the most is what the second is verified by.
  const [anchor] = rows.length > most ? rows.splice(0, 1) : [];
  let before = anchor ? linkOf(anchor) : START;
  let broken: number | null = null;
  for (const row of rows) {
    if (broken === null && problemOf('account', row, before)) broken = Number(row[1]);
    before = linkOf(row);
  }
  const last = rows.at(-1);
  if (broken === null && endSeq > before.seq) broken = Number(before.seq) + 1;
  else if (broken === null && (endSeq !== before.seq || !endHash.equals(before.hash))) broken = Number(before.seq);
  return { head: last ? headOf('account', last) : null, checked: rows.length, brokenAt: broken };
}

/** What is wrong with an event, by what is before it. */
function problemOf(kind: ChainKind, row: ChainRow, before: Link): 'changed' | 'missing' | null {
  const [, seq, hash] = row;
  if (seq !== before.seq + 1n) return 'missing';
  return CHAINS[kind].hashOf(before.hash, row)?.equals(hash ?? NONE) ? null : 'changed';
}

function linkOf([, seq, hash]: ChainRow): Link {
  return { seq, hash: hash ?? NONE };
}

function headOf(kind: ChainKind, row: ChainRow): ChainHead {
  const { seq, hash } = linkOf(row);
  return { kind, of: row[0], seq: Number(seq), hash: hash.toString('hex') };
}

function brokenAt({ kind, of, seq }: ChainHead, problem: 'changed' | 'missing'): BrokenLink {
  return { kind, of, seq, problem };
}

/** Those of a `ChainRow`. */
function columnsOf(of: string, seq: string, accountId = 'account_id'): string {
  return `${of} AS of, ${seq}, hash, id, extract(epoch FROM occurred_at)::text, program, client_id, subject, request_id,
    action, ${accountId}::text AS account, object, data::text`;
}

function pageOf(table: string, of: string, seq: string, accountId?: string): Statement {
  return statementOf(
    `SELECT ${columnsOf(of, seq, accountId)} FROM ${table} WHERE (${of}, ${seq}) > ($1::text, $2::int8)
     ORDER BY ${of}, ${seq} LIMIT ${BATCH_ROWS}`,
  );
}

/** See the function `account_event_hash` of the database. */
function doneHash(previous: Buffer, row: ChainRow): Buffer | null {
  const [accountId, seq, , id, occurredAt, program, clientId, subject, requestId, action, , object, data] = row;
  const occurredAtMs = millisecondsOf(occurredAt);
  if (occurredAtMs === null) return null;
  const texts = [program, clientId, subject, requestId, action, accountId, object].filter(text => text !== null);
  return sha256(previous, [seq, id, occurredAtMs, ...texts.map(text => JSON.stringify(text)), data]);
}

/** See the function `program_event_hash` of the database. */
function programHash(previous: Buffer, row: ChainRow): Buffer | null {
  const [program, seq, , id, occurredAt, , clientId, subject, requestId, action, , object, data] = row;
  const texts = [program, 'DONE', clientId, subject, requestId, action, object];
  return sha256(previous, ['"program"', seq, id, occurredAt, ...texts.map(text => JSON.stringify(text)), data]);
}

/** See the function `denied_attempt_hash` of the database. */
function deniedHash(previous: Buffer, row: ChainRow): Buffer | null {
  const [program, seq, , id, occurredAt, , clientId, subject, requestId, action, accountId, object, data] = row;
  const texts = [program, 'DENIED', clientId, subject, requestId, action, accountId, object];
  return sha256(previous, ['"denied"', seq, id, occurredAt, ...texts.map(text => JSON.stringify(text)), data]);
}

function sha256(previous: Buffer, parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(previous).update(parts.join(',')).digest();
}

/** Null for infinity. */
function millisecondsOf(seconds: string): bigint | null {
  if (!/^-?\d+\.\d{6}$/.test(seconds)) return null;
  const microseconds = BigInt(seconds.replace('.', ''));
  const milliseconds = microseconds / 1000n;
  return microseconds < milliseconds * 1000n ? milliseconds - 1n : milliseconds;
}
