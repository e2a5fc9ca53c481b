import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { IssueAccount } from './issue-accounts.js';
import type { Period } from './period.js';

/** What an account's ledger has for a Form 1099-INT, in minor units. */
export interface TaxYear {
  /** How many forms there were when this was read: one more means that it has to be read again. */
  readonly known: number;
  readonly throughSeq: bigint;
  /** Box 1: interest that was paid, less what was taken back. */
  readonly interestMinor: bigint;
  /** Box 2: what leaving a time deposit early cost. */
  readonly penaltyMinor: bigint;
  /** Box 4: federal income tax that was withheld. */
  readonly withheldMinor: bigint;
  /** The last form of the year, and what its boxes say; null where there is none. */
  readonly last: { readonly statementId: string; readonly sealedKey: Buffer; readonly content: Buffer } | null;
}

type YearRow = [
  n: number,
  known: number,
  interestMinor: bigint,
  penaltyMinor: bigint,
  withheldMinor: bigint,
  lastId: string | null,
  sealedKey: Buffer | null,
  content: Buffer | null,
];

const FORM = `s.document_type = 'TAX_1099' AND s.source = 'PLATFORM' AND s.account_id = k.account_id AND s.statement_date = $5::date`;
/** The transactions of a type in the year: the ones in the direction `plus`, less the others. */
const total = (type: string, plus: 'CREDIT' | 'DEBIT'): string =>
  `coalesce(sum(CASE t.debit_credit_memo WHEN '${plus}' THEN t.amount_minor ELSE -t.amount_minor END) FILTER (WHERE t.transaction_type = '${type}'), 0)::int8`;

const YEARS = statementOf(
  `SELECT k.n::int, (SELECT count(*)::int FROM statement s WHERE ${FORM}), y.interest, y.penalty, y.withheld, f.statement_id, f.sealed_key, f.content
   FROM unnest($1::text[], $2::text[], $3::int8[]) WITH ORDINALITY k(account_id, zone, through, n)
   CROSS JOIN LATERAL (
     SELECT ${total('INTEREST', 'CREDIT')} AS interest, ${total('EARLYWITHDRAWALPENALTY', 'DEBIT')} AS penalty,
       ${total('FEDERALTAXWITHHELD', 'DEBIT')} AS withheld
     FROM transaction t WHERE t.account_id = k.account_id AND t.posted_timestamp >= ($4::date::timestamp AT TIME ZONE k.zone)
       AND t.posted_timestamp < (($5::date + 1)::timestamp AT TIME ZONE k.zone) AND t.seq <= k.through
       AND t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO') y
   LEFT JOIN LATERAL (
     SELECT * FROM statement s WHERE ${FORM}
       AND NOT EXISTS (SELECT FROM statement c WHERE c.account_id = s.account_id AND c.corrects_statement_id = s.statement_id)) f ON true
   ORDER BY k.n`,
);

/** What the ledgers have for a tax year, in the order of the accounts. */
export async function readTaxYear(
  database: Database,
  accounts: readonly IssueAccount[],
  { start, end }: Period,
): Promise<TaxYear[]> {
  const rows = await database.query<YearRow>(YEARS, [
    accounts.map(({ accountId }) => accountId),
    accounts.map(({ timeZone }) => timeZone),
    accounts.map(({ lastSeq }) => lastSeq),
    ...[start, end],
  ]);
  return rows.map(([n, known, interestMinor, penaltyMinor, withheldMinor, statementId, sealedKey, content]) => ({
    known,
    throughSeq: (accounts[n - 1] as IssueAccount).lastSeq,
    ...{ interestMinor, penaltyMinor, withheldMinor },
    last: statementId && sealedKey && content ? { statementId, sealedKey, content } : null,
  }));
}
