import type { AccountView } from '../account/account.entity.js';
import { clocksOf, localTime, type AccountService } from '../account/account.service.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import { BatchedRepository, type Draft } from '../../platform/repository/batched-repository.js';
import { batcher } from '../../platform/repository/batcher.js';
import { transpose, oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import type { ApprovalRules } from '../../shared/approval.js';
import { marking, movingMarks } from './balance/balance-marks.js';
import { Transaction, type TransactionRead } from './transaction.entity.js';
import type { LedgerEntry, LocalTimes, MovedLedger, ReferencedTransaction } from './transaction.ledger.js';

// Commands of a group read the ledgers of all of them together, with local times that the database computes.
const LOCAL_TIMES = keyed(
  'transactions_local_times',
  { account_id: 'text', transaction_timestamp: 'timestamptz', posted_timestamp: 'timestamptz' },
  ({ k, rowOf }) =>
    rowOf(
      `${localTime(k.transaction_timestamp, 't')}, ${localTime(k.posted_timestamp, 't')}`,
      `account t WHERE t.account_id = ${k.account_id}`,
    ),
  { together: true },
);

/** Nothing is written to an account that is not there. */
const NO_ACCOUNT = { now: '', local: { transactionTime: '', postedTime: '' } };

/** Two values of a program's record, which is large otherwise. */
const RULES = {
  name: 'programs_posting_rules',
  text: `SELECT p.approvals, p.check_funds, k.n::int FROM unnest($1::text[]) WITH ORDINALITY k(program, n)
    JOIN program p ON p.program_id = k.program`,
};

/** Reads booked entries that refer to a transaction, each direction for itself. */
const REFERRING = keyed(
  'transactions_referring',
  { account_id: 'text', transaction_id: 'text' },
  ({ k, each }) => `SELECT coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = 'CREDIT'), 0)::text,
      coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = 'DEBIT'), 0)::text, ${k.n}::int
    FROM ${each}transaction t WHERE t.account_id = ${k.account_id} AND t.reference_transaction_id = ${k.transaction_id}
      AND t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO'
    GROUP BY ${k.n}`,
  { together: true },
);

/** The fields that all entries of one ledger share. */
export type LedgerIdentity = Pick<AccountView, 'accountId' | 'currency'>;

/** The rules of a program for postings to its accounts. */
export interface PostingRules {
  /** The rules for what waits for an approval, or null. */
  readonly approvals: ApprovalRules | null;
  /** True if debits beyond what is available are refused. */
  readonly checksFunds: boolean;
}
const NO_RULES: PostingRules = { approvals: null, checksFunds: false };

/** The key by which a transaction is found that is offered to an account's ledger. */
export interface OfferedKey {
  readonly accountId: string;
  readonly transactionId: string;
  readonly transactionTimestamp: string;
  readonly postedTimestamp?: string | null;
}

interface TransactionLookup {
  readonly account: LedgerIdentity;
  readonly transactionId: string;
}

/** The record that a transaction which is offered has on the ledger already. */
export interface RecordedTransaction {
  /** The entry with its id, or null. */
  readonly entry: LedgerEntry | null;
  /** Null where there is no such account. */
  readonly times: LocalTimes | null;
}

/** A transaction that is to be reversed; null for what cannot be an id. */
export interface ReversalKey {
  readonly accountId: string;
  readonly transactionId: string | null;
  /** The id of its reversal. */
  readonly reversalId: string | null;
}

/** Entries that are looked for in the ledger of an account; null for what cannot be an id. */
export interface WantedEntries {
  readonly accountId: string;
  readonly transactionIds: readonly (string | null)[];
}

/** The present of an account, and what its ledger has of entries that were looked for. */
export interface LedgerPresent {
  /** In the order of the ids; null for those that the ledger lacks. */
  readonly entries: readonly (LedgerEntry | null)[];
  /** The present of the program. */
  readonly now: string;
  readonly local: LocalTimes;
}

/** The facts that decide on a reversal. */
export interface ReversalBasis {
  /** The transaction, or null. */
  readonly entry: LedgerEntry | null;
  /** The entries that have the ids that its reversal may have. */
  readonly others: readonly LedgerEntry[];
  /** The amounts that were given back of it. */
  readonly referenced: readonly ReferencedTransaction[];
  /** The present of the program. */
  readonly now: string;
  readonly local: LocalTimes;
}

/** The end of an account's ledger after entries were added, and what is to be written of them. */
export interface LedgerAddition extends MovedLedger {
  readonly drafts: readonly Draft[];
}

export class TransactionRepository extends BatchedRepository<Transaction, TransactionRead, LedgerIdentity> {
  protected override readonly behind = movingMarks;

  /** One transaction of an account that the caller sees, or null. */
  readonly find = batcher<TransactionLookup, TransactionRead | null>(async wanted => {
    const keys = wanted.map(({ account: { accountId }, transactionId }) => [accountId, transactionId]);
    const rows = await this.database.queryTogether<WithOrdinal<unknown[]>>(this.present, transpose(keys));
    return oneByOrdinal(rows, wanted.length, (row, index) => this.read(row, wanted[index]?.account));
  });

  private readonly present = this.onesBy(['accountId', 'transactionId']);
  // The row of an account is locked as long as entries are added to its ledger, so the figures that were read are still
  // true when they change.
  private readonly move: (rows: readonly (readonly unknown[])[]) => SqlQuery;

  constructor(database: Database, keys: KeyRing, accounts: Pick<AccountService['repository'], 'setting'>) {
    super(database, Transaction, keys);
    this.move = accounts.setting(['lastSeq', 'balanceMinor']);
  }

  /** The record of each transaction that is offered. */
  async onRecord(transaction: StatementSender, offered: readonly OfferedKey[]): Promise<RecordedTransaction[]> {
    const keys = offered.map(({ accountId, transactionId }) => [accountId, transactionId]);
    const instants = offered.map(({ accountId, transactionTimestamp, postedTimestamp = null }) => [
      accountId,
      transactionTimestamp,
      postedTimestamp,
    ]);
    const [rows, local] = await Promise.all([
      transaction.query<WithOrdinal<unknown[]>>(this.present, transpose(keys)),
      transaction.query<WithOrdinal<[string, string | null]>>(LOCAL_TIMES, transpose(instants)),
    ]);
    const entries = oneByOrdinal(rows, offered.length, row => this.read(row));
    const times = oneByOrdinal(local, offered.length, ([transactionTime, postedTime]) => ({
      transactionTime,
      postedTime,
    }));
    return offered.map((_, index) => ({ entry: entries[index] ?? null, times: times[index] ?? null }));
  }

  /** Reads the rules of each program for postings. */
  async rules(transaction: StatementSender, programs: readonly string[]): Promise<PostingRules[]> {
    const rows = await transaction.query<WithOrdinal<[ApprovalRules | null, boolean]>>(RULES, [programs]);
    const rules = oneByOrdinal(rows, programs.length, ([approvals, checksFunds]) => ({ approvals, checksFunds }));
    return rules.map(ofProgram => ofProgram ?? NO_RULES);
  }

  /** Reads transactions that others refer to. */
  async referenced(
    transaction: StatementSender,
    wanted: readonly { readonly accountId: string; readonly transactionId: string }[],
  ): Promise<ReferencedTransaction[]> {
    if (wanted.length === 0) return [];
    const keys = transpose(wanted.map(({ accountId, transactionId }) => [accountId, transactionId]));
    const [rows, sums] = await Promise.all([
      transaction.query<WithOrdinal<unknown[]>>(this.present, keys),
      transaction.query<WithOrdinal<[string, string]>>(REFERRING, keys),
    ]);
    const entries = oneByOrdinal(rows, wanted.length, row => this.read(row));
    const referring = oneByOrdinal(sums, wanted.length, ([credit, debit]) => [BigInt(credit), BigInt(debit)] as const);
    return wanted.map(({ transactionId }, index) => {
      const [creditMinor, debitMinor] = referring[index] ?? [0n, 0n];
      return { transactionId, entry: entries[index] ?? null, creditMinor, debitMinor };
    });
  }

  /** Reads the facts that decide on reversals. */
  async reversible(transaction: StatementSender, keys: readonly ReversalKey[]): Promise<ReversalBasis[]> {
    const [ledgers, referenced] = await Promise.all([
      this.presentOf(
        transaction,
        keys.map(({ accountId, transactionId, reversalId }) => ({
          accountId,
          transactionIds: [transactionId, reversalId],
        })),
      ),
      this.referenced(
        transaction,
        keys.map(({ accountId, transactionId }) => ({ accountId, transactionId: transactionId ?? '' })),
      ),
    ]);
    return ledgers.map(({ entries: [entry = null, ...others], now, local }, index) => ({
      entry,
      others: others.filter(other => other !== null),
      now,
      local,
      referenced: referenced.slice(index, index + 1),
    }));
  }

  /** The present of accounts, and what their ledgers have under ids. */
  async presentOf(transaction: StatementSender, wanted: readonly WantedEntries[]): Promise<LedgerPresent[]> {
    const ids = wanted.flatMap(({ accountId, transactionIds }, of) =>
      transactionIds.map(id => ({ of, key: [accountId, id] })),
    );
    const [rows, clocks] = await Promise.all([
      transaction.query<WithOrdinal<unknown[]>>(this.present, transpose(ids.map(({ key }) => key))),
      clocksOf(
        transaction,
        wanted.map(({ accountId }) => accountId),
      ),
    ]);
    const entries = oneByOrdinal(rows, ids.length, row => this.read(row));
    const times = clocks.map(
      clock =>
        clock && {
          now: clock.now,
          local: { transactionTime: clock.local, postedTime: clock.local },
        },
    );
    return wanted.map((_, index) => ({
      ...(times[index] ?? NO_ACCOUNT),
      entries: entries.filter((_entry, place) => ids[place]?.of === index),
    }));
  }

  /**
   * Writes what was added to ledgers. An account moves in the transaction that adds to its ledger, and its row has been
   * locked since it was read.
   */
  adding(additions: readonly LedgerAddition[]): SqlQuery[] {
    const moved = additions.filter(({ drafts }) => drafts.length > 0);
    if (moved.length === 0) return [];
    const ends = moved.map(({ accountId, head }) => [accountId, head.lastSeq, head.balanceMinor]);
    const rows = this.insertion(moved.flatMap(({ drafts }) => drafts));
    return [this.move(ends), rows, ...marking(moved)];
  }
}
