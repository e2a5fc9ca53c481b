import type { CorrectionKind, DocumentType, Statement, StatementView } from './statement.entity.js';

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

/** A document as it is read. Its bytes are read only where they are asked for. */
export type StatementRead = Omit<StatementView, 'downloadPath' | 'sha256'> &
  Readonly<Pick<Statement, 'program' | 'sha256'>>;

export function statementViewOf(read: StatementRead): StatementView {
  const { accountId, statementId, documentType, source, statementDate, description, issuedAt } = read;
  const { correctsStatementId, sizeBytes } = read;
  const sha256 = read.sha256.toString('hex');
  const correctionKind: CorrectionKind | null = correctsStatementId === null ? null : (read.correctionKind ?? 'AMOUNT');
  const corrects = { correctsStatementId, correctionKind };
  const details = { documentType, source, statementDate, description, issuedAt, ...corrects };
  return shown({ accountId, statementId, ...details, sizeBytes, sha256 });
}

/** A document as it is shown: with the path of its download. */
export function shown(statement: Omit<StatementView, 'downloadPath'>): StatementView {
  const { accountId, documentType, statementId } = statement;
  const downloadPath = `/accounts/${encodeURIComponent(accountId)}/${CONTRACT_NAMES[documentType]}/${statementId}`;
  return { ...statement, downloadPath };
}
