import { hash } from 'node:crypto';

export interface Statement {
  /**
   * Unique for its text: the server plans the text once a connection under this name. A statement with the empty name
   * is not kept: see `UNNAMED`.
   */
  readonly name: string;
  readonly text: string;
  /** Makes what is sent in its place to a server that keeps the rows of different keys on different nodes. */
  readonly apart?: (values: readonly unknown[]) => readonly StatementPart[];
}

/**
 * The name of statements whose texts are made for one use, as a query builder makes them: the server forgets each when
 * the next one comes. Their rows are objects by the names of the columns, with int8 as text, as `pg` gives them.
 */
export const UNNAMED = '';

/** A statement with its values. */
export interface StatementPart {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** A statement that is named after its text, since PostgreSQL takes names of 63 characters only. */
export function statementOf(text: string): Statement {
  return { name: hash('sha256', text, 'base64url'), text };
}
