import type { DocumentType, StatementSource, StatementView } from './statement.entity.js';

/** The names of the types of documents in the REST contract (2.3). */
export const CONTRACT_NAMES = { STATEMENTS: 'Statements', TAX_1099: '1099' } as const satisfies Record<
  DocumentType,
  string
>;

const TYPES = new Map(
  Object.entries(CONTRACT_NAMES).map(([type, name]) => [name.toLowerCase(), type as DocumentType] as const),
);

/** The type of a document by its name in the contract, in any case of letters; undefined for another name. */
export function documentTypeOf(name: string): DocumentType | undefined {
  return TYPES.get(name.toLowerCase());
}

/** What a list reads of a document `s`, in the order of `StatementRow`: not the bytes of its PDF and its content. */
export const STATEMENT_COLUMNS = `s.account_id, s.statement_id, s.document_type, s.source, s.statement_date, s.description,
  s.issued_at, s.corrects_statement_id, s.size_bytes, encode(s.sha256, 'hex') AS digest`;

export type StatementRow = [
  accountId: string,
  statementId: string,
  documentType: DocumentType,
  source: StatementSource,
  statementDate: string,
  description: string,
  issuedAt: string,
  correctsStatementId: string | null,
  sizeBytes: number,
  sha256: string,
];

export function statementViewOf(row: StatementRow): StatementView {
  const [accountId, statementId, documentType, source, statementDate, description, issuedAt, corrects, size, sha256] =
    row;
  const described = { accountId, statementId, documentType, source, statementDate, description, issuedAt };
  return shown({ ...described, correctsStatementId: corrects, sizeBytes: size, sha256 });
}

/** A document as it is shown: with the path of its download. */
export function shown(statement: Omit<StatementView, 'downloadPath'>): StatementView {
  const { accountId, documentType, statementId } = statement;
  const downloadPath = `/accounts/${encodeURIComponent(accountId)}/${CONTRACT_NAMES[documentType]}/${statementId}`;
  return { ...statement, downloadPath };
}
