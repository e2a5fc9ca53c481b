import { createHash } from 'node:crypto';
import type { Database } from '../platform/database/orm.js';
import { statementOf } from '../platform/database/statement.js';
import type { Pace } from '../platform/import/progress.js';

/** A page of events is read and held against their hashes at a time. */
export const BATCH_ROWS = 5000;

/** An event as it is hashed: text columns as they are, the time in milliseconds since 1970, the data as PostgreSQL writes jsonb. */
type ChainRow = [
  accountId: string,
  chainSeq: bigint,
  id: bigint,
  occurredAtMs: bigint,
  program: string,
  clientId: string,
  subject: string,
  requestId: string,
  action: string,
  object: string,
  data: string,
  hash: Buffer,
];

const PAGE = statementOf(
  `SELECT account_id, chain_seq, id, floor(extract(epoch FROM occurred_at) * 1000)::int8, program, client_id, subject, request_id,
     action, object, data::text, hash
   FROM event WHERE chain_seq IS NOT NULL AND (account_id, chain_seq) > ($1::text, $2::int8)
   ORDER BY account_id, chain_seq LIMIT ${BATCH_ROWS}`,
);

/** The end of an account's chain. */
export interface ChainHead {
  readonly accountId: string;
  readonly chainSeq: number;
  /** Hexadecimal digits. */
  readonly hash: string;
}

/** `changed`: the event is not what its hash says. `missing`: events before it, or those up to a known head, are not there. */
export interface BrokenLink {
  readonly accountId: string;
  readonly chainSeq: number;
  readonly problem: 'changed' | 'missing';
}

/** How far a verification is. */
export class ChainTally implements Pace {
  events = 0;
  readonly broken: BrokenLink[] = [];
  /** By account. */
  readonly heads = new Map<string, ChainHead>();
  private readonly startedMs = performance.now();

  get rows(): number {
    return this.events;
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.events / Math.max(this.seconds, 0.001));
  }

  get failures(): string {
    return this.broken.length > 0 ? `${this.broken.length} broken` : '';
  }
}

/**
 * Computes every hash anew, here and not in the database, and holds it against the one on record. `known` are heads of an earlier run:
 * a chain that no longer leads through its head was cut or rewritten. Stops after a page when `stop` is aborted.
 */
export async function verifyChains(
  database: Database,
  tally: ChainTally,
  known: ReadonlyMap<string, ChainHead>,
  stop: AbortSignal,
): Promise<void> {
  let [account, seq] = ['', 0n];
  let [expectedSeq, previous]: [bigint, Buffer] = [1n, Buffer.alloc(0)];
  const pending = new Map(known);
  while (!stop.aborted) {
    const rows = await database.query<ChainRow>(PAGE, [account, seq]);
    for (const row of rows) {
      if (row[0] !== account) [expectedSeq, previous] = [1n, Buffer.alloc(0)];
      [account, seq] = row;
      const hash = row[11];
      const link = { accountId: account, chainSeq: Number(seq) };
      if (seq !== expectedSeq) tally.broken.push({ ...link, problem: 'missing' });
      else if (!eventHash(previous, row).equals(hash)) tally.broken.push({ ...link, problem: 'changed' });
      const head = { ...link, hash: hash.toString('hex') };
      const anchor = pending.get(account);
      if (anchor && anchor.chainSeq === head.chainSeq) {
        pending.delete(account);
        if (anchor.hash !== head.hash) tally.broken.push({ ...link, problem: 'changed' });
      }
      tally.heads.set(account, head);
      tally.events += 1;
      [expectedSeq, previous] = [seq + 1n, hash];
    }
    if (rows.length === BATCH_ROWS) continue;
    for (const { accountId, chainSeq } of pending.values()) {
      tally.broken.push({ accountId, chainSeq, problem: 'missing' });
    }
    return;
  }
}

/** The hash that the trigger `chain_event` gives an event after the one with the hash `previous`; empty for the first. */
export function eventHash(previous: Buffer, row: ChainRow): Buffer {
  const [accountId, chainSeq, id, occurredAtMs, program, clientId, subject, requestId, action, object, data] = row;
  const texts = [program, clientId, subject, requestId, action, accountId, object].map(text => JSON.stringify(text));
  return createHash('sha256')
    .update(previous)
    .update([chainSeq, id, occurredAtMs, ...texts, data].join(','))
    .digest();
}
