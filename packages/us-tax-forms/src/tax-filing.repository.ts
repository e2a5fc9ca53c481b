import { statementOf } from '../../../lib/pg-wire/statement.js';
import { BatchedRepository, type Database, type KeyRing, type StatementSender } from 'tillgate/noun';
import {
  TaxFiling,
  type TaxFilingKind,
  type TaxFilingRead,
  type TaxFilingState,
  type TaxTransmission,
} from './tax-filing.entity.js';

/** A filing as far as it decides what may be filed. */
export interface OpenFiling {
  readonly filingId: string;
  readonly kind: TaxFilingKind;
  readonly state: TaxFilingState;
  /** True if the IRS has accepted one of its files. */
  readonly isAccepted: boolean;
}

/** A filing with the files that an answer is about. */
export interface AnsweredFiling {
  readonly filing: Pick<TaxFiling, 'filingId' | 'taxYear' | 'kind' | 'isTest' | 'state'>;
  /** The rejected filing that it replaces, unless that is replaced already. */
  readonly replaced: { readonly filingId: string; readonly kind: TaxFilingKind } | null;
  /** All of its files. */
  readonly parts: readonly (Pick<TaxTransmission, 'part' | 'state'> & { readonly isAnswered: boolean })[];
}

/** The filing and the files that an answer names: one by its own ids, or all of a filing. */
export interface AnsweredName {
  readonly filingId: string | null;
  readonly transmissionId: string | null;
  readonly receiptId: string | null;
}

// Each says of a filing what is known of its files, which are rows of another table.
const OF_YEAR = statementOf(
  `SELECT f.filing_id, f.kind, f.state, EXISTS (SELECT FROM tax_transmission t
     WHERE t.filing_id = f.filing_id AND t.state IN ('ACCEPTED', 'ACCEPTED_WITH_ERRORS'))
   FROM tax_filing f WHERE f.program = $1 AND f.tax_year = $2 AND f.is_test = $3 ORDER BY f.created_at`,
);
const ANSWERED = statementOf(
  `WITH named AS (SELECT t.filing_id, t.part FROM tax_transmission t WHERE t.filing_id = $2::uuid
     UNION SELECT t.filing_id, t.part FROM tax_transmission t WHERE t.transmission_id = $3
     UNION SELECT t.filing_id, t.part FROM tax_transmission t WHERE t.receipt_id = $4
       AND NOT EXISTS (SELECT FROM tax_transmission o WHERE o.transmission_id = $3) AND $2 IS NULL)
   SELECT f.filing_id, f.tax_year, f.kind, f.is_test, f.state, r.filing_id, r.kind,
     (SELECT json_agg(json_build_object('part', t.part, 'state', t.state, 'isAnswered',
         EXISTS (SELECT FROM named n WHERE n.filing_id = t.filing_id AND n.part = t.part)) ORDER BY t.part)
       FROM tax_transmission t WHERE t.filing_id = f.filing_id)
   FROM tax_filing f LEFT JOIN tax_filing r ON r.filing_id = f.replaces AND r.state <> 'REPLACED'
   WHERE f.program = $1 AND f.filing_id = (SELECT filing_id FROM named LIMIT 1)`,
);

type AnsweredRow = [
  string,
  number,
  TaxFilingKind,
  boolean,
  TaxFilingState,
  string | null,
  TaxFilingKind | null,
  AnsweredFiling['parts'],
];

/** Filings as commands and their job read and write them. */
export class TaxFilingRepository extends BatchedRepository<TaxFiling, TaxFilingRead> {
  constructor(database: Database, keys: KeyRing) {
    super(database, TaxFiling, keys);
  }

  /** The filings of a year, the first one first. */
  async ofYear(transaction: StatementSender, program: string, taxYear: number, isTest: boolean): Promise<OpenFiling[]> {
    const rows = await transaction.query<[string, TaxFilingKind, TaxFilingState, boolean]>(OF_YEAR, [
      program,
      taxYear,
      isTest,
    ]);
    return rows.map(([filingId, kind, state, isAccepted]) => ({ filingId, kind, state, isAccepted }));
  }

  /** The filing of a program that an answer is about, or null. */
  async answered(
    transaction: StatementSender,
    program: string,
    { filingId, transmissionId, receiptId }: AnsweredName,
  ): Promise<AnsweredFiling | null> {
    const values = [program, filingId, transmissionId, receiptId];
    const [row] = await transaction.query<AnsweredRow>(ANSWERED, values);
    if (!row) return null;
    const [id, taxYear, kind, isTest, state, replacedId, replacedKind, parts] = row;
    const replaced = replacedId && replacedKind ? { filingId: replacedId, kind: replacedKind } : null;
    return { filing: { filingId: id, taxYear, kind, isTest, state }, replaced, parts };
  }
}
