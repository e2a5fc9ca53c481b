import { statementOf } from '../../lib/pg-wire/statement.js';
import type { Database } from '../platform/database/orm.js';
import type { TaxPayee, TaxPayeeList } from './tax-year.entity.js';

// Lists are read by statements of their own: each finds customers by an index of its own, and all have one order.
const CUSTOMERS = 'SELECT c.customer_id, NULL::text AS account_id, c.tax_status, c.tax_status_on FROM customer c';
const ofStatus = (status: string): string =>
  `${CUSTOMERS} WHERE c.program = $1 AND c.tax_status = '${status}' AND c.tax_status_on <= $2::date`;
const LISTS: Readonly<Record<TaxPayeeList, string>> = {
  BACKUP_WITHHOLDING: ofStatus('UNCERTIFIED'),
  FORM_1042_S: ofStatus('FOREIGN'),
  POST: `SELECT c.customer_id, o.account_id, c.tax_status, c.tax_status_on
    FROM customer c JOIN account_owner o ON o.customer_id = c.customer_id
    WHERE c.program = $1 AND (c.electronic_tax_forms_on IS NULL OR c.electronic_tax_forms_on > $2::date + 31)
      AND NOT EXISTS (SELECT FROM account_owner f WHERE f.account_id = o.account_id AND f.position < o.position)
      AND EXISTS (SELECT FROM statement s WHERE s.account_id = o.account_id AND s.document_type = 'TAX_1099'
        AND s.source = 'PLATFORM' AND s.statement_date = $2::date)`,
  SAME_TAX_ID: `${CUSTOMERS} WHERE c.program = $1 AND $2::date IS NOT NULL AND EXISTS (
    SELECT FROM customer d WHERE d.program = c.program AND d.tax_id_digest = c.tax_id_digest AND d.customer_id <> c.customer_id)`,
};

const PLACE = `(p.customer_id || ' ' || coalesce(p.account_id, '')) COLLATE "C"`;
const counting = (list: string) => statementOf(`SELECT count(*)::int FROM (${list}) p`);
const paging = (list: string, order: 'ASC' | 'DESC') =>
  statementOf(
    `SELECT p.customer_id, p.account_id, p.tax_status, p.tax_status_on::text FROM (${list}) p
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

/** Where a customer stands in a list. */
export function placeOf({ customerId, accountId }: Pick<TaxPayee, 'customerId' | 'accountId'>): string {
  return `${customerId} ${accountId ?? ''}`;
}

export async function countPayees(database: Database, { program, taxYear, list }: PayeesOf): Promise<number> {
  const [row] = await database.read<[number]>(COUNTS[list], [program, lastDayOf(taxYear)]);
  return row?.[0] ?? 0;
}

export async function readPayees(
  database: Database,
  { program, taxYear, list }: PayeesOf,
  { after, before, skip, limit, fromEnd }: PayeePart,
): Promise<TaxPayee[]> {
  type Row = [string, string | null, TaxPayee['taxStatus'], string | null];
  const values = [program, lastDayOf(taxYear), after, before, skip, limit];
  const rows = await database.read<Row>((fromEnd ? BACKWARDS : FORWARDS)[list], values);
  return rows.map(([customerId, accountId, taxStatus, taxStatusOn]) => ({
    customerId,
    accountId,
    taxStatus,
    taxStatusOn,
  }));
}

function lastDayOf(taxYear: number): string {
  return `${taxYear}-12-31`;
}
