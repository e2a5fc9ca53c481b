import type { Database } from '../../../platform/database/orm.js';
import { Statement, type DocumentType } from '../statement.entity.js';
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

export function countIssued(database: Database, selection: Selection): Promise<number> {
  return database.primary().count(Statement, issued(selection));
}

/** The documents by their accounts, each before its correction, which is issued later. */
export async function* issuedDocuments(
  database: Database,
  vault: StatementVault,
  selection: Selection,
): AsyncGenerator<IssuedDocument> {
  const documents = new StatementRepository(database);
  for (let after: Pick<Statement, 'accountId' | 'issuedAt' | 'statementId'> | null = null; ;) {
    const rows: readonly Omit<Statement, 'sealedKey' | 'pdf' | 'content'>[] = await database
      .primary()
      .find(Statement, issued(selection), {
        orderBy: { accountId: 'asc', issuedAt: 'asc', statementId: 'asc' },
        exclude: ['sealedKey', 'pdf', 'content'],
        first: PAGE_ROWS,
        ...(after && { after }),
      });
    const corrections = await Promise.all(
      rows.map(({ accountId, statementId }) => documents.correctionOf([accountId, statementId])),
    );
    for (const [index, row] of rows.entries()) {
      const document = openDocument(database, vault, statementViewOf(documents.found(row)));
      yield { program: row.program, document, correctedBy: corrections[index] ?? null };
      const { accountId, issuedAt, statementId } = row;
      after = { accountId, issuedAt, statementId };
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

function issued({ documentType, statementDate, program, accountId }: Selection) {
  return {
    documentType,
    statementDate,
    source: 'PLATFORM' as const,
    ...(program !== null && { program }),
    ...(accountId !== null && { accountId }),
  };
}
