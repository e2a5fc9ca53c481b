import { hash } from 'node:crypto';

export interface Statement {
  /** Unique for its text: the server plans the text once a connection under this name. */
  readonly name: string;
  readonly text: string;
  /** The same as statements of one row each, for a server that keeps the rows of different keys on different nodes. */
  readonly apart?: (values: readonly unknown[]) => readonly StatementPart[];
}

/** A statement with its values. */
export interface StatementPart {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  /** The key that says where its rows are. */
  readonly key?: string;
}

/** A statement that is named after its text, since PostgreSQL takes names of 63 characters only. */
export function statementOf(text: string): Statement {
  return { name: hash('sha256', text, 'base64url'), text };
}
