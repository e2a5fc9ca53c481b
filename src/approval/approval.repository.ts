import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { Asking } from '../platform/database/transaction.js';
import { MAX_WAITING_APPROVALS, type ApprovalTerms } from '../platform/command/approval.js';
import { BatchedRepository } from '../platform/repository/batched-repository.js';
import { oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import { Approval, type ApprovalRead } from './approval.entity.js';

/** An approval whose account or program is locked, so that nobody else decides it. */
export interface ApprovalState {
  readonly onFile: ApprovalRead;
  /** By the clock of the database, such as `2026-03-31T18:05:00.000Z`. */
  readonly now: string;
}

/** So many approvals expire in one pass. */
const EXPIRING_AT_ONCE = 100;

const TERMS = {
  name: 'approval_terms',
  text: `SELECT p.approvals, CASE WHEN p.approvals IS NULL THEN 0 ELSE (SELECT count(*)::int FROM (SELECT FROM approval a
        WHERE a.program = k.program AND a.status = 'WAITING' LIMIT ${MAX_WAITING_APPROVALS}) w) END, now(), k.n::int
    FROM unnest($1::text[]) WITH ORDINALITY k(program, n) LEFT JOIN program p ON p.program_id = k.program`,
};

export class ApprovalRepository extends BatchedRepository<Approval, ApprovalRead> {
  // By the clock and not by the beginning of the transaction, which may have waited for a lock meanwhile: an approval
  // ends before the record under its key does.
  private readonly states = {
    name: 'approvals_states',
    text: `SELECT ${this.columns('a')}, date_trunc('milliseconds', clock_timestamp()), k.n::int
      FROM unnest($1::uuid[]) WITH ORDINALITY k(approval_id, n) JOIN approval a ON a.approval_id = k.approval_id`,
  };

  private readonly expiring = {
    name: 'approvals_expiring',
    text: `SELECT ${this.columns('a')} FROM approval a WHERE a.status = 'WAITING' AND a.expires_at <= now()
      ORDER BY a.expires_at LIMIT ${EXPIRING_AT_ONCE}`,
  };

  constructor(database: Database, keys: KeyRing) {
    super(database, Approval, keys, {
      ...{ parent: 'program', order: ['requestedAt', 'approvalId'], descending: true },
      ...{ cursor: 'approvalId', filter: 'status' },
    });
  }

  async terms(transaction: Asking, programs: readonly string[]): Promise<ApprovalTerms[]> {
    type Row = WithOrdinal<[rules: ApprovalTerms['rules'], waiting: number, beganAt: string]>;
    const rows = await transaction.query<Row>(TERMS, [programs]);
    const termsOf = ([rules, waiting, beganAt]: [ApprovalTerms['rules'], number, string]) => ({
      ...{ rules, waiting, beganAt },
    });
    return oneByOrdinal(rows, programs.length, termsOf) as ApprovalTerms[];
  }

  /** The approval of each id as it is now, or null. */
  async statesOf(transaction: Asking, approvalIds: readonly (string | null)[]): Promise<(ApprovalState | null)[]> {
    const rows = await transaction.query<WithOrdinal<unknown[]>>(this.states, [approvalIds]);
    const now = this.table.columns.length;
    return oneByOrdinal(rows, approvalIds.length, row => ({ onFile: this.read(row), now: row[now] as string }));
  }

  /** Some of the approvals that wait although their time is over. */
  async late(): Promise<ApprovalRead[]> {
    const rows = await this.database.query<unknown[]>(this.expiring, []);
    return rows.map(row => this.read(row));
  }
}
