import {
  END_ACCOUNT,
  Refusal,
  gatewayCaller,
  inTransaction,
  kyselyOf,
  recording,
  type AccountOwner,
  type Card,
  type Customer,
  type Database,
  type FormerOwner,
  type SqlQuery,
} from 'tillgate/noun';
import { isLockTimeout, isStatementCancelled, isWrongState } from '../../../lib/pg-wire/pg-errors.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { ERASE_CUSTOMER } from './erasure.operations.js';
import type { ErasureService } from './erasure.service.js';
import { IS_OVER } from './retention-time.js';
import type { RetentionTally } from './retention.tally.js';

/** The accounts of a Citus cluster are on other servers than what guards them. */
export class RetentionUnavailable extends Error {
  override readonly name = 'RetentionUnavailable';
  constructor() {
    super('Retention does not run on Citus: the database cannot guard there what is deleted.');
  }
}

/** So many accounts, or customers, are looked up at once. */
const BATCH = 100;
/** What runs longer is stopped by the database: the largest accounts have millions of transactions. */
const PATIENCE_MS = 600_000;

// An index finds them. What decides is one function, which `end_account` asks as well.
const OVER = statementOf(
  `SELECT a.program, a.account_id, a.closed_at::text, account_end_refusal(a.account_id)
   FROM program p JOIN account a ON a.program = p.program_id
   WHERE ($1::text IS NULL OR p.program_id = $1) AND ${IS_OVER}
     AND (a.program, a.closed_at, a.account_id) > ($2::text, $3::timestamptz, $4::text)
   ORDER BY a.program, a.closed_at, a.account_id LIMIT ${BATCH}`,
);
const PATIENCE: SqlQuery = {
  statement: statementOf(`SELECT set_config('statement_timeout', $1, true)`),
  values: [String(PATIENCE_MS)],
};
const IS_CLUSTER = statementOf(`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`);
const END = statementOf('SELECT end_account($1)');
type AccountRow = [program: string, accountId: string, closedAt: string, refusal: string | null];

interface Tables {
  readonly Customer: Customer;
  readonly AccountOwner: AccountOwner;
  readonly FormerOwner: FormerOwner;
  readonly Card: Card;
}

const BEFORE_ALL: AccountRow = ['', '', '-infinity', null];
const NOBODY = '00000000-0000-0000-0000-000000000000';
const REASON = 'The retention of the program is over';

/** What a run does. */
export interface RetentionOrder {
  /** Null for all. */
  readonly program: string | null;
  /** Only tells what is over. */
  readonly isCheck: boolean;
  /** The run ends behind the account that it is at. */
  readonly stop: AbortSignal;
  readonly tally: RetentionTally;
}

/**
 * Ends closed accounts whose program says how long they are kept, and then erases people whom no other account knows.
 * Each account is one transaction with its event, and what is to be done is in the database, so a run can be stopped
 * anywhere, and several can run at once.
 */
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly erasures: ErasureService,
  ) {}

  /** Throws `RetentionUnavailable`. */
  async run(order: RetentionOrder): Promise<void> {
    const [cluster] = await this.database.query<[boolean]>(IS_CLUSTER);
    if (cluster?.[0]) throw new RetentionUnavailable();
    await this.endAccounts(order);
    await this.eraseForgotten(order);
  }

  private async endAccounts({ program, isCheck, stop, tally }: RetentionOrder): Promise<void> {
    let last = BEFORE_ALL;
    for (;;) {
      const over = await this.database.query<AccountRow>(OVER, [program, last[0], last[2], last[1]]);
      for (const row of over) {
        if (stop.aborted) return;
        const [ofProgram, accountId, , refusal] = row;
        last = row;
        if (refusal !== null) tally.left(ofProgram, accountId, refusal);
        else if (isCheck) tally.ended(ofProgram, {});
        else await this.end(ofProgram, accountId, tally);
      }
      if (over.length < BATCH) return;
    }
  }

  private async end(program: string, accountId: string, tally: RetentionTally): Promise<void> {
    try {
      const counts = await this.deleted(program, accountId);
      // Null where another run was first.
      if (counts) tally.ended(program, counts);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null) throw error;
      tally.left(program, accountId, reason);
    }
  }

  private deleted(program: string, accountId: string): Promise<Record<string, number> | null> {
    return inTransaction(this.database, async transaction => {
      await transaction.run(PATIENCE);
      const [row] = await transaction.query<[Record<string, number> | null]>(END, [accountId]);
      const counts = row?.[0] ?? null;
      if (counts) {
        const by = gatewayCaller(program, 'retention');
        const object = `account/${accountId}`;
        await transaction.runAll(recording([{ by, action: END_ACCOUNT, accountId: null, object, data: { counts } }]));
      }
      return counts;
    });
  }

  private async eraseForgotten({ program, isCheck, stop, tally }: RetentionOrder): Promise<void> {
    let last = NOBODY;
    for (;;) {
      const forgotten = await this.forgotten(program, last);
      for (const customer of forgotten) {
        if (stop.aborted) return;
        last = customer.customerId;
        if (isCheck || (await this.erase(customer))) tally.erased(customer.program);
      }
      if (forgotten.length < BATCH) return;
    }
  }

  /** Whom nothing at the bank knows any more since their accounts ended, in the order of their ids. */
  private forgotten(program: string | null, after: string): Promise<Pick<Customer, 'program' | 'customerId'>[]> {
    const forgotten = kyselyOf<Tables>(this.database.primary())
      .selectFrom('Customer as c')
      .select(['c.program', 'c.customerId'])
      .where('c.accountEndedAt', 'is not', null)
      .where('c.erasedAt', 'is', null)
      .where('c.customerId', '>', after)
      .where(one => {
        const owned = one.selectFrom('AccountOwner as o').select('o.accountId');
        const left = one.selectFrom('FormerOwner as f').select('f.accountId');
        const held = one.selectFrom('Card as d').select('d.cardId');
        const known = [
          owned.whereRef('o.customerId', '=', 'c.customerId'),
          left.whereRef('f.customerId', '=', 'c.customerId'),
          held.where('d.cardHolderId', '=', one.cast<string>('c.customerId', 'text')),
        ];
        return one.and(known.map(by => one.not(one.exists(by))));
      })
      .orderBy('c.customerId')
      .limit(BATCH);
    return (program === null ? forgotten : forgotten.where('c.program', '=', program)).execute();
  }

  /** False where somebody else did it, or the customer has come back meanwhile. */
  private async erase({ program, customerId }: Pick<Customer, 'program' | 'customerId'>): Promise<boolean> {
    const caller = gatewayCaller(program, 'retention', { scopes: ERASE_CUSTOMER.scopes });
    try {
      await this.erasures.erase(caller, { customerId, reason: REASON, byRetention: true });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}

/** Why an account stays that could not be deleted now; null where the run cannot go on. */
function reasonOf(error: unknown): string | null {
  if (isWrongState(error)) return 'changed_meanwhile';
  if (isLockTimeout(error)) return 'account_in_use';
  return isStatementCancelled(error) ? 'took_too_long' : null;
}
