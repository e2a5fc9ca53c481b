import type pg from 'pg';
import type { StormAccount } from './storm.js';

/** What a client was told of an operation. The key is the request id of its event, too. */
export interface OperationOutcome {
  readonly key: string;
  readonly account: string;
  readonly isDone: boolean;
}

export interface Audit {
  /** What is not as it must be. */
  readonly wrong: readonly string[];
  /** How many holds ended, by the way. */
  readonly ends: Readonly<Record<string, number>>;
}

interface Entry {
  readonly seq: number;
  readonly id: string;
  readonly reference: string | null;
  readonly amount: string;
  readonly balance: string;
  readonly direction: string;
  readonly status: string;
}

interface HoldEvent {
  readonly account: string;
  readonly key: string;
  readonly action: string;
  readonly object: string;
  readonly at: number;
  readonly data: {
    readonly transactions: number;
    readonly lastSeq: number;
    readonly amount: string;
    readonly heldAmount: string;
    readonly status: string;
    readonly expiresAt: string;
  };
}

interface HoldRow {
  readonly holdId: string;
  readonly status: string;
  readonly amount: string;
  readonly captured: string;
  readonly captures: number;
}

interface ModelHold {
  readonly amount: bigint;
  captured: bigint;
  captures: number;
  status: string;
}

const EVENTS = `SELECT account_id AS account, request_id AS key, action, object, data,
    extract(epoch FROM occurred_at)::float8 * 1000 AS at FROM event WHERE account_id = ANY ($1) AND outcome = 'DONE' ORDER BY chain_seq`;
const ENTRIES = `SELECT seq::int, transaction_id AS id, reference_transaction_id AS reference, amount_minor::text AS amount,
    balance_minor::text AS balance, debit_credit_memo AS direction, status FROM transaction WHERE account_id = $1 ORDER BY seq`;
const HOLDS = `SELECT hold_id AS "holdId", status, amount_minor::text AS amount, captured_minor::text AS captured, captures
    FROM hold WHERE account_id = $1`;
const ACCOUNT = `SELECT balance_minor::text AS posted, held_minor::text AS held, overdraft_limit_minor::text AS overdraft
    FROM account WHERE account_id = $1`;

/** Leads the model through what was done to each account, and compares. Nothing may be writing any more. */
export async function auditOf(
  sql: pg.Pool,
  accounts: readonly StormAccount[],
  told: readonly OperationOutcome[],
): Promise<Audit> {
  const { rows } = await sql.query<HoldEvent>(EVENTS, [accounts.map(({ account }) => account)]);
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { key, isDone } of told) {
    const expected = isDone ? 1 : 0;
    if ((counts.get(key) ?? 0) !== expected) wrong.push(`${key}: ${counts.get(key) ?? 0} events, not ${expected}`);
  }
  const ofAccounts = Map.groupBy(rows, ({ account }) => account);
  const ends: Record<string, number> = {};
  for (const of of accounts) {
    const model = new Model(of);
    const { rows: entries } = await sql.query<Entry>(ENTRIES, [of.account]);
    const { rows: account } = await sql.query<Balances>(ACCOUNT, [of.account]);
    const { rows: holds } = await sql.query<HoldRow>(HOLDS, [of.account]);
    model.overdraft = BigInt(account[0]?.overdraft ?? 0);
    for (const done of ofAccounts.get(of.account) ?? []) model.lead(done, entries);
    model.compare(account[0] as Balances, holds, entries.length);
    wrong.push(...model.wrong);
    for (const { status } of model.holds.values()) ends[status] = (ends[status] ?? 0) + 1;
  }
  return { wrong, ends };
}

interface Balances {
  readonly posted: string;
  readonly held: string;
  readonly overdraft: string;
}

/** One account and its holds, in which one thing happens after the other. */
class Model {
  readonly wrong: string[] = [];
  readonly holds = new Map<string, ModelHold>();
  overdraft = 0n;
  /** What transactions that are not reversed did to the balance, by their ids. */
  private readonly moved = new Map<string, bigint>();
  private posted = 0n;
  private held = 0n;
  private seq = 0;

  constructor(private readonly of: StormAccount) {}

  lead(done: HoldEvent, ledger: readonly Entry[]): void {
    const { transactions, lastSeq } = done.data;
    const added = ledger.slice(this.seq, this.seq + transactions);
    this.seq += transactions;
    this.must(done, lastSeq === this.seq, 'the ledger goes on where it was');
    if (done.action === 'transaction.reverse') this.reverse(done, added);
    else if (done.action === 'transaction.post') this.post(added);
    else if (done.action === 'hold.place') this.place(done, added);
    else if (done.action === 'hold.capture') this.capture(done, added);
    else this.end(done, added);
    for (const { id, status, direction, amount } of added) {
      if (status === 'POSTED') this.moved.set(id, direction === 'CREDIT' ? BigInt(amount) : -BigInt(amount));
    }
    this.must(done, added.at(-1) === undefined || BigInt(added.at(-1)?.balance ?? 0) === this.posted, 'the balance');
    this.must(done, !this.of.isChecked || this.posted - this.held + this.overdraft >= 0n, 'within the limit');
  }

  compare({ posted, held }: Balances, stored: readonly HoldRow[], entries: number): void {
    const mine = [this.posted, this.held, this.seq].join();
    const theirs = [posted, held, entries].join();
    if (mine !== theirs) this.wrong.push(`${this.of.account}: ${theirs} is stored, and ${mine} was done`);
    if (stored.length !== this.holds.size) this.wrong.push(`${this.of.account}: ${stored.length} holds are stored`);
    for (const { holdId, ...others } of stored) {
      const { amount, captured, captures, status } = this.holds.get(holdId) ?? {};
      const [one, other] = [[status, amount, captured, captures].join(), Object.values(others).join()];
      if (one !== other) this.wrong.push(`${holdId}: ${other} is stored, and ${one} was done`);
    }
  }

  private reverse(done: HoldEvent, added: readonly Entry[]): void {
    const [entry] = added as [Entry];
    const of = this.moved.get(entry.reference ?? '');
    const isBack = of !== undefined && of === (entry.direction === 'CREDIT' ? -1n : 1n) * BigInt(entry.amount);
    this.must(done, isBack && added.length === 1, 'it gives back what was posted, once');
    // What was reversed is never reversed again.
    this.moved.delete(entry.reference ?? '');
    this.post(added);
  }

  private post(added: readonly Entry[]): void {
    for (const { status, direction, amount } of added) {
      if (status === 'POSTED') this.posted += direction === 'CREDIT' ? BigInt(amount) : -BigInt(amount);
    }
  }

  private place(done: HoldEvent, added: readonly Entry[]): void {
    const holdId = done.object.slice('hold/'.length);
    const amount = minor(done.data.amount);
    if (added.length === 0) return this.must(done, this.holds.has(holdId), 'the same hold was placed before');
    this.must(done, !this.holds.has(holdId), 'a hold is placed once');
    const [{ id, status, direction, reference }] = added as [Entry];
    const row = [added.length, id, status, direction, reference];
    this.must(done, row.join() === [1, holdId, 'PENDING', 'DEBIT', null].join(), `placed as ${row.join()}`);
    this.must(done, !this.of.isChecked || amount <= this.posted - this.held + this.overdraft, 'there is so much');
    this.holds.set(holdId, { amount, captured: 0n, captures: 0, status: 'ACTIVE' });
    this.held += amount;
  }

  private capture(done: HoldEvent, added: readonly Entry[]): void {
    const hold = this.active(done);
    if (!hold) return;
    const amount = minor(done.data.amount);
    const kept = hold.amount - hold.captured;
    this.must(done, amount > 0n && amount <= kept, 'there is so much of the hold');
    // Events are told in whole milliseconds, rounded.
    this.must(done, done.at <= Date.parse(done.data.expiresAt), 'its time is not over');
    hold.captured += amount;
    hold.captures += 1;
    this.posted -= amount;
    this.held -= amount;
    const holdId = done.object.slice('hold/'.length);
    const expected = [`${holdId}~${hold.captures} ${holdId} ${amount} DEBIT POSTED`];
    if (done.data.status === 'CAPTURED') {
      const rest = kept - amount;
      this.held -= rest;
      hold.status = 'CAPTURED';
      if (rest > 0n) expected.push(`${holdId}~end ${holdId} ${rest} MEMO MEMO`);
    }
    this.must(done, rowsOf(added) === expected.join(), `captured as ${rowsOf(added)}`);
  }

  private end(done: HoldEvent, added: readonly Entry[]): void {
    const hold = this.active(done);
    if (!hold) return;
    const kept = hold.amount - hold.captured;
    const isExpiry = done.action === 'hold.expire';
    // Events are told in whole milliseconds, rounded: both may be told at the very end of its time.
    const late = done.at - Date.parse(done.data.expiresAt);
    this.must(done, isExpiry ? late >= 0 : late <= 0, 'it expires when its time is over');
    hold.status = isExpiry ? 'EXPIRED' : 'RELEASED';
    this.held -= kept;
    const holdId = done.object.slice('hold/'.length);
    this.must(done, rowsOf(added) === `${holdId}~end ${holdId} ${kept} MEMO MEMO`, `ended as ${rowsOf(added)}`);
  }

  private active(done: HoldEvent): ModelHold | null {
    const hold = this.holds.get(done.object.slice('hold/'.length));
    if (hold?.status === 'ACTIVE') return hold;
    this.must(done, false, 'a hold ends once');
    return null;
  }

  private must(done: HoldEvent, holds: boolean, what: string): void {
    if (!holds) this.wrong.push(`${done.account} ${done.action} ${done.object} ${done.key}: ${what}`);
  }
}

function rowsOf(added: readonly Entry[]): string {
  return added.map(row => `${row.id} ${row.reference} ${row.amount} ${row.direction} ${row.status}`).join();
}

function minor(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}
