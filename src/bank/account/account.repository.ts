import type { Statement } from '../../../lib/pg-wire/statement.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { SqlQuery, StatementSender } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { batcher } from '../../platform/repository/batcher.js';
import type { FieldProblem } from '../../shared/errors.js';
import { transpose, oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { Account, AccountOwner, type AccountView } from './account.entity.js';
import { limitDayOf } from './account.present.js';
import { EndedAccount } from './ended-account.entity.js';
import { TimeZones } from './account.time-zones.js';
import { VIEWER_COLUMNS, viewerValues, visible, visibleToEach, type AccountViewer } from './account.visibility.js';

// Before the time zone is written, by which the day in progress began.
const KEEP_DAYS = keyed(
  'accounts_keep_limit_days',
  { account_id: 'text' },
  ({ k, keys }) => `UPDATE account a SET limit_day_from = ${limitDayOf('program_now(a.program)')} ${keys('FROM')}
    WHERE a.account_id = ${k.account_id}`,
);

/** An account as it is read, with the program that it belongs to. */
export type AccountRead = AccountView & { readonly program: string };

export class AccountRepository extends BatchedRepository<Account, AccountRead> {
  // A batch holds keys of many callers, so each key carries its caller's program and customer, and its row is checked
  // against them.
  private readonly seenByProgram = this.seen('program', ({ program }) => visible(program, null));
  private readonly seenByCustomer = this.seen('customer', k => visible(k.program, k.customer_id));

  // Accounts are locked and seen by all requests of a moment in one statement each, in the order of their ids: so two
  // transactions which lock many never wait for each other in a circle.
  private readonly lockWaiting = this.lockingSeen('accounts_lock_waiting', '');
  private readonly lockFree = this.lockingSeen('accounts_lock_free', 'SKIP LOCKED');
  private readonly stillSeen = keyed(
    'accounts_still_seen',
    VIEWER_COLUMNS,
    build => `SELECT true, ${build.k.n}::int FROM ${build.each}account a
      WHERE a.account_id = ${build.k.account_id} AND ${visibleToEach(build)}`,
  );

  /** Tells if a customer owns an account now: it decides about a write, so no replica answers. */
  readonly owns = batcher<AccountViewer, boolean>(async viewers => {
    const rows = await this.database.query<WithOrdinal<[seen: boolean]>>(
      this.stillSeen,
      transpose(viewers.map(viewerValues)),
    );
    return oneByOrdinal(rows, viewers.length, ([isSeen]) => isSeen).map(Boolean);
  });

  /** Locks those of the accounts that exist, in whatever program. Gives them by id. */
  readonly lockAll = this.locking();

  private readonly timeZones = new TimeZones();
  readonly ownerships: BatchedRepository<AccountOwner, AccountOwner>;
  private readonly ended: BatchedRepository<EndedAccount, EndedAccount>;
  /** Reads the owners of each account, in their order, in a transaction. */
  readonly ownersOf: (transaction: StatementSender, accountIds: readonly string[]) => Promise<AccountOwner[][]>;

  constructor(database: Database, keys: KeyRing) {
    super(database, Account, keys);
    this.ended = new BatchedRepository(database, EndedAccount);
    this.ownerships = new BatchedRepository(database, AccountOwner, keys);
    this.ownersOf = this.ownerships.children('accountId', 'position');
  }

  /**
   * The statement that keeps what counts for the limits of the present day, for accounts that get another time zone.
   */
  keepingDays(accountIds: readonly string[]): SqlQuery {
    return { statement: KEEP_DAYS, values: [accountIds] };
  }

  /** The account if the caller sees it. */
  see(viewer: AccountViewer): Promise<AccountView | null> {
    return viewer.customerId === null ? this.seenByProgram(viewer) : this.seenByCustomer(viewer);
  }

  /**
   * The program whose account each id named until it ended; null where none has ended. Ask after the accounts
   * themselves, in one transaction: then an account that ends meanwhile is in one of the two answers.
   */
  async endedIn(transaction: StatementSender, accountIds: readonly string[]): Promise<(string | null)[]> {
    const ended = await this.ended.each(
      transaction,
      accountIds.map(id => [id]),
    );
    return ended.map(account => account?.program ?? null);
  }

  /**
   * Locks for each caller the account that the caller sees until the transaction ends: all of them if it `waits`, else
   * those that no other transaction holds. Gives what it locked.
   */
  async lock(
    transaction: StatementSender,
    wanted: readonly AccountViewer[],
    waits: boolean,
  ): Promise<(AccountView | null)[]> {
    // Where a statement is sent for each account, they are locked in the order in which they are given.
    const order = [...wanted.keys()].sort((a, b) => compareIds(wanted[a], wanted[b]));
    const viewers = order.map(place => wanted[place] as AccountViewer);
    const values = transpose(viewers.map(viewerValues));
    const statement = waits ? this.lockWaiting : this.lockFree;
    // A lock gives the account's row as it is now, but its condition was checked before it waited: the owners may have
    // changed since.
    const [locked, seen] = await Promise.all([
      transaction.query<WithOrdinal<unknown[]>>(statement, values),
      viewers.some(({ customerId }) => customerId !== null)
        ? transaction.query<WithOrdinal<[seen: boolean]>>(this.stillSeen, values)
        : null,
    ]);
    const accounts = oneByOrdinal(locked, viewers.length, row => this.read(row));
    const still = seen && oneByOrdinal(seen, viewers.length, ([isSeen]) => isSeen);
    const result: (AccountView | null)[] = [];
    order.forEach((place, index) => (result[place] = still && !still[index] ? null : (accounts[index] ?? null)));
    return result;
  }

  /** As `TimeZones.problems`, with the writer's connections unless a transaction asks. */
  timeZoneProblems(
    zones: readonly (string | undefined)[],
    asking: StatementSender = this.database,
  ): Promise<FieldProblem[][]> {
    return this.timeZones.problems(asking, zones);
  }

  private lockingSeen(name: string, others: '' | 'SKIP LOCKED'): Statement {
    return keyed(
      name,
      VIEWER_COLUMNS,
      build => `SELECT ${this.columns('a')}, ${build.k.n}::int FROM ${build.each}account a
        WHERE a.account_id = ${build.k.account_id} AND ${visibleToEach(build)}
        ORDER BY a.account_id FOR NO KEY UPDATE OF a ${others}`,
      { locks: true },
    );
  }

  private seen(
    by: string,
    condition: (k: Readonly<Record<keyof typeof VIEWER_COLUMNS, string>>) => string,
  ): (viewer: AccountViewer) => Promise<AccountView | null> {
    const statement = keyed(
      `accounts_seen_by_${by}`,
      VIEWER_COLUMNS,
      ({ k, each }) => `SELECT ${this.columns('a')}, ${k.n}::int FROM ${each}account a
        WHERE a.account_id = ${k.account_id} AND ${condition(k)}`,
    );
    return batcher<AccountViewer, AccountView | null>(async viewers => {
      const rows = await this.database.queryTogether<WithOrdinal<unknown[]>>(
        statement,
        transpose(viewers.map(viewerValues)),
      );
      return oneByOrdinal(rows, viewers.length, row => this.read(row));
    });
  }
}

function compareIds(one: AccountViewer | undefined, other: AccountViewer | undefined): number {
  const [a, b] = [one?.accountId ?? '', other?.accountId ?? ''];
  return a < b ? -1 : Number(a > b);
}
