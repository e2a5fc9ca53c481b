import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { DocumentType } from '../statement.entity.js';
import { openDocument, type OpenDocument } from '../statement.parts.js';
import { StatementRepository } from '../statement.repository.js';
import { statementViewOf } from '../statement.row.js';
import type { StatementVault } from '../statement.vault.js';

/** Which of the documents that were issued here. */
export interface Selection {
  readonly documentType: DocumentType;
  /** The last day of the period. */
  readonly statementDate: string;
  /** Null for all programs. */
  readonly program: string | null;
  /** Null for all accounts. */
  readonly accountId: string | null;
}

export interface IssuedDocument {
  readonly program: string;
  readonly document: OpenDocument;
  /** The document that corrects this one, or null. */
  readonly correctedBy: string | null;
}

/** Documents whose rows are read at once. Their contents are read one by one. */
const PAGE_ROWS = 200;

const SELECTED = `s.document_type = $1 AND s.source = 'PLATFORM' AND s.statement_date = $2::date
  AND ($3::text IS NULL OR s.program = $3) AND ($4::text IS NULL OR s.account_id = $4)`;

const COUNT = statementOf(`SELECT count(*)::int FROM statement s WHERE ${SELECTED}`);

export async function countIssued(database: Database, selection: Selection): Promise<number> {
  const [row] = await database.query<[number]>(COUNT, valuesOf(selection));
  return row?.[0] ?? 0;
}

/** The documents by their accounts, each before its correction, which is issued later. */
export async function* issuedDocuments(
  database: Database,
  vault: StatementVault,
  selection: Selection,
): AsyncGenerator<IssuedDocument> {
  const documents = new StatementRepository(database);
  const page = statementOf(
    `SELECT ${documents.columns('s', 'false')},
       (SELECT c.statement_id FROM statement c WHERE c.account_id = s.account_id AND c.corrects_statement_id = s.statement_id)
     FROM statement s WHERE ${SELECTED} AND (s.account_id, s.issued_at, s.statement_id) > ($5, $6::timestamptz, $7::uuid)
     ORDER BY s.account_id, s.issued_at, s.statement_id LIMIT ${PAGE_ROWS}`,
  );
  for (let after = ['', '-infinity', '00000000-0000-0000-0000-000000000000']; ;) {
    const rows = await database.query<unknown[]>(page, [...valuesOf(selection), ...after]);
    for (const row of rows) {
      const read = documents.read(row);
      const { program, accountId, issuedAt, statementId } = read;
      const document = openDocument(database, vault, statementViewOf(read));
      yield { program, document, correctedBy: row.at(-1) as string | null };
      after = [accountId, issuedAt, statementId];
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

function valuesOf({ documentType, statementDate, program, accountId }: Selection): (string | null)[] {
  return [documentType, statementDate, program, accountId];
}
