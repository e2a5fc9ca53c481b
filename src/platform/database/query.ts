import type { Statement } from '../../../lib/pg-wire/statement.js';

/** A statement that is ready to be sent. */
export interface Query {
  readonly statement: Statement;
  readonly values: unknown[];
  /** What it means that somebody else holds what this statement needs for too long. */
  readonly late?: () => Error;
}

/** What sends statements of a transaction. Rows are arrays in the order of a statement's columns, with the types of `Database.query`. */
export interface Asking {
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]>;
}
