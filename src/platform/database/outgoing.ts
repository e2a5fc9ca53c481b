import type pg from 'pg';
import { isLockTimeout, isReadOnly } from '../../../lib/pg-wire/pg-errors.js';
import { Pipeline, PreparedQuery } from '../../../lib/pg-wire/pipeline.js';
import type { Statement, StatementPart } from '../../../lib/pg-wire/statement.js';
import { answered } from './ask.js';

/** Rows of a table, each with its values by the names of the columns, as `json_to_recordset` takes them. */
export interface InsertedRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly drafts: readonly Readonly<Record<string, unknown>>[];
  /**
   * Makes the statements that are sent behind the rows where accounts are on many servers. Null for tables into which
   * nothing is copied there: Citus loses the SQLSTATE of what a node refuses in a COPY, so another import that made the
   * same rows would not be recognised. Entries are added behind the lock of their account.
   */
  readonly behind: ((drafts: InsertedRows['drafts']) => readonly StatementPart[]) | null;
}

/** A statement that is ready to be sent. */
export interface SqlQuery {
  readonly statement: Statement;
  readonly values: unknown[];
  /** The rows that the statement inserts, which `Transaction.runAll` copies where they are many. */
  readonly rows?: InsertedRows;
  /** The error when others hold for too long what this statement needs. */
  readonly late?: () => Error;
}

/** Sends statements of a transaction. Rows are arrays in the order of columns, with the types of `Database.query`. */
export interface StatementSender {
  /** True if the transaction is rolled back in the end. */
  readonly isDryRun?: boolean;
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]>;
}

export const BEGIN: Statement = { name: 'begin', text: 'BEGIN' };
export const COMMIT: Statement = { name: 'commit', text: 'COMMIT' };

/** The connection was lost after COMMIT was sent, so nothing here knows whether it was done. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(cause: unknown) {
    super('the connection was lost while a transaction was being committed', { cause });
  }
}

/** Runs a transaction on a connection of its own, and rolls it back when it fails. */
export async function onClient<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await run(client);
  } catch (error) {
    // The next one may lead to a server that takes writes.
    broken = isReadOnly(error);
    // A connection that cannot roll back is of no use; closing it rolls back as well.
    await answered(client, 'rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The form of a statement on this server: itself, or one statement for each account. */
interface Dialect {
  partsOf(statement: Statement, values: readonly unknown[]): readonly StatementPart[] | null;
}

interface PendingStatement {
  readonly part: StatementPart;
  readonly resolve: (rows: unknown[][]) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that are sent together. */
export class Outgoing implements StatementSender {
  private readonly waiting: PendingStatement[] = [];

  constructor(private readonly dialect: Dialect) {}

  query<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const parts = this.dialect.partsOf(statement, values);
    return parts ? this.queryEach<Row>(parts) : this.add<Row>({ statement, values });
  }

  /** Asks for statements that were made ready elsewhere, and awaits them. */
  async queryAll(queries: readonly SqlQuery[]): Promise<void> {
    await Promise.all(queries.map(query => this.queryLate(query)));
  }

  /** Sends the statements so far, and settles their promises. */
  async send(client: pg.PoolClient): Promise<void> {
    const { waiting } = this;
    const queries = waiting.map(({ part }) => new PreparedQuery(part.statement, part.values));
    const sent = new Pipeline(queries);
    try {
      await answered(client, sent);
      waiting.forEach(({ resolve }, index) => resolve(queries[index]?.rows ?? []));
    } catch (error) {
      waiting[sent.done]?.reject(error);
      // A caller that awaits all of them must see first the one that failed, which may know what its error means.
      setImmediate(() => waiting.forEach(({ reject }) => reject(error)));
    }
  }

  private async queryEach<Row extends unknown[]>(parts: readonly StatementPart[]): Promise<Row[]> {
    const rows = await Promise.all(parts.map(part => this.add<Row>(part)));
    return rows.flat();
  }

  private async queryLate({ statement, values, late }: SqlQuery): Promise<void> {
    try {
      await this.query(statement, values);
    } catch (error) {
      throw late && isLockTimeout(error) ? late() : error;
    }
  }

  private add<Row extends unknown[]>(part: StatementPart): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      this.waiting.push({ part, resolve: resolve as PendingStatement['resolve'], reject });
    });
  }
}
