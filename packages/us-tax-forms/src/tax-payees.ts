import { BOOKED_SQL, WITHOUT_TAX_ID, decimalOf, startOfDay, type Database, type TaxStatus } from 'tillgate/noun';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { UnfilableReason } from './iris/returned-form.js';
import type { TaxPayee, TaxPayeeList } from './tax-year.entity.js';

const CUSTOMER = 'c.customer_id, c.tax_status, c.tax_status_on';
// Lists are read by statements of their own: each finds customers by an index of its own, and all have one order.
const withoutForm = (condition: string, reason = 'NULL::text', joined = ''): string =>
  `SELECT ${joined && 'DISTINCT '}${CUSTOMER}, NULL::text AS account_id, NULL::uuid AS statement_id, NULL::int8 AS amount_minor, NULL::text AS currency, ${reason} AS reason
   FROM customer c${joined} WHERE c.program = $1 AND ${condition}`;
const hasStatus = (status: TaxStatus): string =>
  `(c.tax_status IS NOT DISTINCT FROM '${status}' AND c.tax_status_on <= $2::date)`;
const ofStatus = (status: TaxStatus, reason?: string): string =>
  withoutForm(`c.tax_status = '${status}' AND ${hasStatus(status)}`, reason);

/** Whoever must withhold is told first of payees without a number: it is due at once (26 USC 3406(a)(1)(A)). */
const NO_TAX_ID = 'UNFILABLE_TAX_ID' satisfies Uppercase<UnfilableReason>;
const ofNoTaxId = withoutForm(
  `${WITHOUT_TAX_ID} AND ${hasStatus('UNCERTIFIED')} IS NOT TRUE AND ${hasStatus('FOREIGN')} IS NOT TRUE
     AND NOT EXISTS (SELECT FROM account_owner e WHERE e.account_id = o.account_id AND e.position < o.position)
     AND (a.interest_bearing AND a.status <> 'CLOSED' AND a.opened_on <= $2::date OR EXISTS (
       SELECT FROM transaction t WHERE t.account_id = a.account_id AND t.transaction_type = 'INTEREST' AND ${BOOKED_SQL}
         AND t.posted_timestamp >= ${startOfDay(`date_trunc('year', $2::date::timestamp)::date`, 'a.time_zone')}
         AND t.posted_timestamp < ${startOfDay('$2::date + 1', 'a.time_zone')}))`,
  `'${NO_TAX_ID}'`,
  ' JOIN account_owner o ON o.customer_id = c.customer_id JOIN account a ON a.account_id = o.account_id',
);

const isOfYearEnd = (former: string): string => `${former}.owned_until >= ${startOfDay('$2::date + 1', 'a.time_zone')}`;

/** The last forms, each with an owner of its account unless the account had an earlier one at the end of the year. */
const withOwner = (joined: string, owners: string, earlier: readonly string[], condition: string, reason: string) =>
  `SELECT ${CUSTOMER}, s.account_id, s.statement_id, greatest(s.amount_minor, 0) AS amount_minor, a.currency, ${reason} AS reason
   FROM ${joined}statement s JOIN account a ON a.account_id = s.account_id JOIN ${owners} JOIN customer c ON c.customer_id = o.customer_id
   WHERE s.program = $1 AND s.document_type = 'TAX_1099' AND s.source = 'PLATFORM' AND s.statement_date = $2::date
     AND NOT EXISTS (SELECT FROM statement n WHERE n.account_id = s.account_id AND n.corrects_statement_id = s.statement_id)
     AND ${earlier.map(one => `NOT EXISTS (SELECT FROM ${one})`).join(' AND ')} AND ${condition}`;

/**
 * The last form of each account, with the primary owner at the end of the year: a present owner, or one who left later,
 * who comes before a present one of the same position. They are read apart, since PostgreSQL expects too few rows of a
 * union and joins millions of them one by one.
 */
const ofForms = (joined: string, condition: string, reason = 'NULL::text'): string => {
  const owners = withOwner(
    joined,
    'account_owner o ON o.account_id = s.account_id',
    [
      'account_owner e WHERE e.account_id = s.account_id AND e.position < o.position',
      `former_owner f WHERE f.account_id = s.account_id AND f.position <= o.position AND ${isOfYearEnd('f')}`,
    ],
    condition,
    reason,
  );
  const former = withOwner(
    joined,
    `former_owner o ON o.account_id = s.account_id AND ${isOfYearEnd('o')}`,
    [
      'account_owner e WHERE e.account_id = s.account_id AND e.position < o.position',
      `former_owner f WHERE f.account_id = s.account_id AND ${isOfYearEnd('f')} AND (f.position, f.owned_until) < (o.position, o.owned_until)`,
    ],
    condition,
    reason,
  );
  return `${owners} UNION ALL ${former}`;
};

const accepted = (form: string): string =>
  `${form}.program = $1 AND ${form}.tax_year = extract(year FROM $2::date)::int AND ${form}.state IN ('ACCEPTED', 'ACCEPTED_WITH_ERRORS')`;
/** The last return of each account that the IRS accepted, without those that only take another one back. */
const ACCEPTED = `(SELECT DISTINCT ON (f.account_id) f.account_id, f.statement_id, f.state, EXISTS (SELECT FROM tax_filing_form z
    WHERE ${accepted('z')} AND z.account_id = f.account_id AND z.statement_id = f.statement_id AND z.is_zero AND NOT f.is_zero) AS is_taken_back
  FROM tax_filing_form f JOIN tax_filing t ON t.filing_id = f.filing_id
  WHERE ${accepted('f')} AND NOT t.is_test AND NOT (f.is_zero AND EXISTS (SELECT FROM tax_filing_form b
    WHERE ${accepted('b')} AND b.account_id = f.account_id AND b.statement_id = f.statement_id AND NOT b.is_zero))
  ORDER BY f.account_id, f.filed_at DESC) r`;

const LISTS: Readonly<Record<TaxPayeeList, string>> = {
  FORMS: ofForms('', 'true'),
  CORRECTIONS: ofForms(
    `${ACCEPTED}, `,
    // Other kinds of corrections change no return: see ADR 28. Nor do those that took each other back, unless what was
    // filed was taken back as well.
    `s.account_id = r.account_id AND (r.state = 'ACCEPTED_WITH_ERRORS' OR s.statement_id <> r.statement_id AND EXISTS (
      SELECT FROM statement f JOIN statement n ON n.account_id = f.account_id WHERE f.account_id = s.account_id
        AND f.statement_id = r.statement_id AND n.document_type = 'TAX_1099' AND n.statement_date = f.statement_date
        AND n.issued_at > f.issued_at AND n.correction_kind IN ('RECIPIENT', 'AMOUNT', 'FILING')
        AND (r.is_taken_back OR coalesce(s.same_return_as, s.statement_id) <> coalesce(f.same_return_as, f.statement_id))))`,
  ),
  NOT_FILED: ofForms(
    'tax_unfiled_form u, ',
    's.account_id = u.account_id AND u.program = $1 AND NOT u.is_test AND u.tax_year = extract(year FROM $2::date)::int',
    'upper(u.reason)',
  ),
  BACKUP_WITHHOLDING: `${ofNoTaxId} UNION ALL ${ofStatus('UNCERTIFIED', `CASE WHEN ${WITHOUT_TAX_ID} THEN '${NO_TAX_ID}' END`)}`,
  FORM_1042_S: ofStatus('FOREIGN'),
  POST: ofForms('', '(c.electronic_tax_forms_on IS NULL OR c.electronic_tax_forms_on > $2::date + 31)'),
  SAME_TAX_ID: withoutForm(`$2::date IS NOT NULL AND EXISTS (
    SELECT FROM customer d WHERE d.program = c.program AND d.tax_id_digest = c.tax_id_digest AND d.customer_id <> c.customer_id)`),
};

const PLACE = `((p.reason IS DISTINCT FROM '${NO_TAX_ID}')::int || ' ' || p.customer_id || ' ' || coalesce(p.account_id, '')) COLLATE "C"`;
const counting = (list: string) => statementOf(`SELECT count(*)::int FROM (${list} LIMIT $3) p`);
const paging = (list: string, order: 'ASC' | 'DESC') =>
  statementOf(
    `SELECT p.customer_id, p.tax_status, p.tax_status_on::text, p.account_id, p.statement_id, p.amount_minor, p.currency, p.reason
     FROM (${list}) p
     WHERE ($3::text IS NULL OR ${PLACE} > $3) AND ($4::text IS NULL OR ${PLACE} < $4)
     ORDER BY ${PLACE} ${order} OFFSET $5 LIMIT $6`,
  );

const byList = <Value>(of: (list: string) => Value) =>
  Object.fromEntries(Object.entries(LISTS).map(([name, list]) => [name, of(list)])) as Record<TaxPayeeList, Value>;
const COUNTS = byList(counting);
const FORWARDS = byList(list => paging(list, 'ASC'));
const BACKWARDS = byList(list => paging(list, 'DESC'));

/** A list of a program's tax year. */
export interface PayeesOf {
  readonly program: string;
  readonly taxYear: number;
  readonly list: TaxPayeeList;
}

/** A part of a list: between two places, from its beginning or from its end. */
export interface PayeePart {
  readonly after: string | null;
  readonly before: string | null;
  readonly skip: number;
  readonly limit: number;
  readonly fromEnd: boolean;
}

/** The place of a customer in a list: those without a tax id come first. */
export function placeOf({ customerId, accountId, reason }: TaxPayee): string {
  return `${reason === NO_TAX_ID ? 0 : 1} ${customerId} ${accountId ?? ''}`;
}

/** The number of customers in a list; no more than `limit`, if there is one. */
export async function countPayees(
  database: Database,
  { program, taxYear, list }: PayeesOf,
  limit: number | null = null,
): Promise<number> {
  const [row] = await database.read<[number]>(COUNTS[list], [program, lastDayOf(taxYear), limit]);
  return row?.[0] ?? 0;
}

type PayeeRow = [
  customerId: string,
  taxStatus: TaxPayee['taxStatus'],
  taxStatusOn: string | null,
  accountId: string | null,
  statementId: string | null,
  amountMinor: bigint | null,
  currency: string | null,
  reason: string | null,
];

export async function readPayees(
  database: Database,
  { program, taxYear, list }: PayeesOf,
  { after, before, skip, limit, fromEnd }: PayeePart,
): Promise<TaxPayee[]> {
  const values = [program, lastDayOf(taxYear), after, before, skip, limit];
  const rows = await database.read<PayeeRow>((fromEnd ? BACKWARDS : FORWARDS)[list], values);
  return rows.map(([customerId, taxStatus, taxStatusOn, accountId, statementId, amountMinor, currency, reason]) => ({
    customerId,
    taxStatus,
    taxStatusOn,
    accountId,
    statementId,
    interest: amountMinor === null || currency === null ? null : decimalOf(amountMinor, currency),
    currency,
    reason,
  }));
}

function lastDayOf(taxYear: number): string {
  return `${taxYear}-12-31`;
}
