import { raw } from '@mikro-orm/core';
import { END_ACCOUNT, Refusal, gatewayCaller, inTransaction, recording, Customer, type Database } from 'tillgate/noun';
import { isLockTimeout, isStatementCancelled, isWrongState } from '../../../lib/pg-wire/pg-errors.js';
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

/** The number of accounts, or customers, that are looked up at once. */
const BATCH = 100;
/** The time after which the database stops a statement: the largest accounts have millions of transactions. */
const PATIENCE_MS = 600_000;

// An index finds them. What decides is one function, which `end_account` asks as well.
const OVER = `SELECT a.program, a.account_id, a.closed_at::text, account_end_refusal(a.account_id) AS refusal
  FROM program p JOIN account a ON a.program = p.program_id
  WHERE (?::text IS NULL OR p.program_id = ?) AND ${IS_OVER}
    AND (a.program, a.closed_at, a.account_id) > (?::text, ?::timestamptz, ?::text)
  ORDER BY a.program, a.closed_at, a.account_id LIMIT ${BATCH}`;
const PATIENCE = `SELECT set_config('statement_timeout', '${PATIENCE_MS}', true)`;

interface ClosedAccountRow {
  readonly program: string;
  readonly account_id: string;
  readonly closed_at: string;
  readonly refusal: string | null;
}

interface EndedAccountRow {
  readonly counts: Record<string, number> | null;
}

// The row of a person whom nothing refers to any more.
const IS_UNKNOWN = raw(
  customer => `NOT EXISTS (SELECT FROM account_owner o WHERE o.customer_id = ${customer}.customer_id)
    AND NOT EXISTS (SELECT FROM former_owner f WHERE f.customer_id = ${customer}.customer_id)
    AND NOT EXISTS (SELECT FROM card d WHERE d.card_holder_id = ${customer}.customer_id::text)`,
);
const BEFORE_ALL: ClosedAccountRow = { program: '', account_id: '', closed_at: '-infinity', refusal: null };
const NOBODY = '00000000-0000-0000-0000-000000000000';
const REASON = 'The retention of the program is over';

/** The work of a run. */
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
    if (await this.database.isDistributed()) throw new RetentionUnavailable();
    await this.endAccounts(order);
    await this.eraseForgotten(order);
  }

  private async endAccounts({ program, isCheck, stop, tally }: RetentionOrder): Promise<void> {
    let last = BEFORE_ALL;
    for (;;) {
      const place = [last.program, last.closed_at, last.account_id];
      const over = await this.database.primary().execute<ClosedAccountRow[]>(OVER, [program, program, ...place]);
      for (const row of over) {
        if (stop.aborted) return;
        last = row;
        const { program: ofProgram, account_id: accountId, refusal } = row;
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
      const em = this.database.em(transaction);
      await em.execute(PATIENCE);
      const [ended] = await em.execute<EndedAccountRow[]>('SELECT end_account(?) AS counts', [accountId]);
      const counts = ended?.counts ?? null;
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

  /**
   * Finds the customers whom nothing at the bank knows any more since their accounts ended, in the order of their ids.
   */
  private forgotten(program: string | null, after: string): Promise<Pick<Customer, 'program' | 'customerId'>[]> {
    const which = { accountEndedAt: { $ne: null }, erasedAt: null, customerId: { $gt: after }, [IS_UNKNOWN]: [] };
    return this.database.primary().find(Customer, program === null ? which : { ...which, program }, {
      fields: ['program', 'customerId'],
      orderBy: { customerId: 'asc' },
      limit: BATCH,
    });
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
