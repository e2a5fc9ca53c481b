import { raw } from '@mikro-orm/core';
import { Account } from '../account/account.entity.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import type { ApprovalTerms } from '../../platform/command/approval.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { oneByOrdinal, transpose, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { pick } from '../../platform/repository/fields.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import type { Caller } from '../../shared/caller.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { Window } from '../../shared/page.js';
import {
  APPROVAL_FIELDS,
  Approval,
  type ApprovalRead,
  type ApprovalStatus,
  type ApprovalView,
} from './approval.entity.js';

/** An approval whose account or program is locked, so that nobody else decides it. */
export interface ApprovalState {
  readonly onFile: ApprovalRead;
  /** By the clock of the database, such as `2026-03-31T18:05:00.000Z`. */
  readonly now: string;
}

/** The number of approvals that expire in one pass. */
const EXPIRING_AT_ONCE = 100;

/** The newest first, without their requests. */
const LISTED = { orderBy: { requestedAt: 'desc', approvalId: 'desc' }, exclude: ['keyHash', 'sealed'] } as const;
const PLACE = { fields: ['requestedAt', 'approvalId'] } as const;

// Commands of a group read theirs together. At most as many approvals of a program are counted as may wait.
const TERMS = {
  name: 'approval_terms',
  text: `SELECT p.approvals, w.of_program, w.of_customers, w.of_client, w.of_customer, now(), k.n::int
    FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY k(program, client_id, customer_id, n)
    LEFT JOIN program p ON p.program_id = k.program
    LEFT JOIN LATERAL (SELECT count(*)::int AS of_program, (count(*) FILTER (WHERE a.customer_id IS NOT NULL))::int AS of_customers,
        (count(*) FILTER (WHERE a.client_id = k.client_id AND (a.customer_id IS NULL) = (k.customer_id IS NULL)))::int AS of_client,
        (count(*) FILTER (WHERE a.customer_id = k.customer_id))::int AS of_customer
      FROM approval a WHERE p.approvals IS NOT NULL AND a.program = k.program AND a.status = 'WAITING') w ON true`,
};

type TermsRow = [
  rules: ApprovalTerms['rules'],
  ofProgram: number,
  ofCustomers: number,
  ofClient: number,
  ofCustomer: number,
  beganAt: string,
];

/** All that is held of an account, in minor units. */
export type HeldMoney = Readonly<Pick<Account, 'accountId' | 'heldMinor'>>;

/** Those that an approval may have; null for all. */
type Statuses = readonly ApprovalStatus[] | null;

export class ApprovalRepository extends BatchedRepository<Approval, ApprovalRead> {
  // By the clock and not by the beginning of the transaction, which may have waited for a lock meanwhile: an approval
  // ends before the record under its key does.
  private readonly states = {
    name: 'approvals_states',
    text: `SELECT ${this.columns('a')}, date_trunc('milliseconds', clock_timestamp()), k.n::int
      FROM unnest($1::uuid[]) WITH ORDINALITY k(approval_id, n) JOIN approval a ON a.approval_id = k.approval_id`,
  };

  private readonly hold: (rows: readonly (readonly unknown[])[]) => SqlQuery;

  constructor(database: Database, keys: KeyRing) {
    super(database, Approval, keys);
    this.hold = new BatchedRepository(database, Account, keys).setting(['heldMinor']);
  }

  /** A part of the approvals of a program, in the order in which `sliceOf` takes them. */
  async between(program: string, statuses: Statuses, window: Window<string>): Promise<ApprovalView[]> {
    const em = this.database.em();
    const ids = [window.after, window.before].filter(id => id !== null);
    const places = ids.length === 0 ? [] : await em.find(Approval, { approvalId: { $in: ids }, program }, PLACE);
    // An approval that is not of the program has no place in its list, so nothing is before or behind it.
    if (places.length < new Set(ids).size) return [];
    const placeOf = (id: string | null) => places.find(({ approvalId }) => approvalId === id) ?? null;
    const part = { ...window, after: placeOf(window.after), before: placeOf(window.before) };
    const found = await em.find(Approval, ofStatus(program, statuses), { ...LISTED, ...cursorOptions(part) });
    return inReadingOrder(found, window).map(shown);
  }

  total(program: string, statuses: Statuses): Promise<number> {
    return this.database.em().count(Approval, ofStatus(program, statuses));
  }

  /** An approval of a program, or null. */
  async find(program: string, approvalId: string): Promise<ApprovalRead | null> {
    if (!UUID_TEXT.test(approvalId)) return null;
    const found = await this.database.em().findOne(Approval, { approvalId, program });
    return found && this.found(found);
  }

  /** Some of the approvals that wait although their time is over, by the clock of the database. */
  late(): Promise<Pick<Approval, 'program' | 'approvalId'>[]> {
    return this.database
      .em()
      .find(
        Approval,
        { status: 'WAITING', expiresAt: { $lte: raw('now()') } },
        { fields: ['program', 'approvalId'], orderBy: { expiresAt: 'asc' }, limit: EXPIRING_AT_ONCE },
      );
  }

  async terms(transaction: StatementSender, callers: readonly Caller[]): Promise<ApprovalTerms[]> {
    const keys = callers.map(({ program, clientId, customerId }) => [program, clientId, customerId]);
    const rows = await transaction.query<WithOrdinal<TermsRow>>(TERMS, transpose(keys));
    const termsOf = ([rules, ofProgram, ofCustomers, ofClient, ofCustomer, beganAt]: TermsRow): ApprovalTerms => ({
      rules,
      waiting: { ofProgram, ofCustomers, ofClient, ofCustomer },
      beganAt,
    });
    return oneByOrdinal(rows, callers.length, termsOf) as ApprovalTerms[];
  }

  /** The statement that writes what is held of accounts, which are locked; none for none. */
  holding(accounts: readonly HeldMoney[]): SqlQuery[] {
    if (accounts.length === 0) return [];
    return [this.hold(accounts.map(({ accountId, heldMinor }) => [accountId, heldMinor]))];
  }

  /** The approval of each id as it is now, or null. */
  async statesOf(
    transaction: StatementSender,
    approvalIds: readonly (string | null)[],
  ): Promise<(ApprovalState | null)[]> {
    const rows = await transaction.query<WithOrdinal<unknown[]>>(this.states, [approvalIds]);
    const now = this.table.columns.length;
    return oneByOrdinal(rows, approvalIds.length, row => ({ onFile: this.read(row), now: row[now] as string }));
  }
}

function ofStatus(program: string, statuses: Statuses) {
  return { program, ...(statuses && { status: { $in: [...statuses] } }) };
}

/** An approval as plain data, without what is sealed. */
export function shown(approval: Pick<Approval, 'approvalId' | 'status'>): ApprovalView {
  return pick<ApprovalView>(approval, APPROVAL_FIELDS);
}
