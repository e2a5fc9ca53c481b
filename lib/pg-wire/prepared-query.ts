import type { Duplex } from 'node:stream';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from './statement.js';
import { parserOf, type Parse } from './wire-types.js';

/** How the texts of a row become its values; null for a column whose text is its value. */
type Columns = readonly (Parse | null)[];

/** What `pg` has and does not declare: the statements that the server has, and those that it was asked to have, by their names. */
export interface Connection {
  readonly stream: Duplex;
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  /** Ours: of the statements that ran once. */
  columns?: Map<string, Columns>;
  /** Ours: since when it has been used, and how old its plans may be. */
  plans?: { readonly openedMs: number; madeMs: number };
}
const { prepareValue } = (
  pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => string | Buffer | null } }
).utils;

const DESCRIBE = serialize.describe({ type: 'P' });
const EXECUTE = serialize.execute();

/**
 * A named prepared statement of a flight, whose rows come as arrays. What the columns are the server is asked once a connection: it keeps them, or
 * refuses the statement. The driver's own query asks each time, and builds an object and a list of parsers of the answer: a tenth of the
 * gateway's CPU for small reads.
 */
export class PreparedQuery {
  readonly statement: Statement;
  readonly rows: unknown[][] = [];
  /** Why a row could not be read. */
  failure: Error | null = null;
  private readonly values: readonly unknown[];
  private columns: Columns | undefined = undefined;

  constructor(statement: Statement, values: readonly unknown[]) {
    this.statement = statement;
    this.values = values;
  }

  /** What the server is to be sent; `prepares` where it does not know the statement yet. Throws for a value that cannot be sent. */
  messages(connection: Connection, prepares: boolean): Buffer[] {
    const { name, text } = this.statement;
    this.columns = connection.columns?.get(name);
    return [
      ...(prepares ? [serialize.parse({ name, text })] : []),
      serialize.bind({ statement: name, values: [...this.values], valueMapper: prepareValue }),
      ...(this.columns ? [] : [DESCRIBE]),
      EXECUTE,
    ];
  }

  described(fields: readonly pg.FieldDef[]): void {
    this.columns = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  }

  read(fields: (string | null)[]): void {
    const row: unknown[] = fields;
    try {
      for (let column = 0; column < fields.length; column++) {
        const text = fields[column];
        const parse = this.columns?.[column];
        if (parse && typeof text === 'string') row[column] = parse(text);
      }
      this.rows.push(row);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  complete(connection: Connection): void {
    const { name } = this.statement;
    connection.columns ??= new Map();
    if (!connection.columns.has(name)) connection.columns.set(name, this.columns ?? []);
  }
}
