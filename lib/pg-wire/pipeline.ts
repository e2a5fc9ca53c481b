import type pg from 'pg';
import { serialize } from 'pg-protocol';
import { planRenewal } from './plan-renewal.js';
import type { Connection, PreparedQuery } from './prepared-query.js';

const SYNC = serialize.sync();

/**
 * Prepared statements that travel together, one at least, sent through `pg`: in one write, and answered in as few as the server needs. They run in their
 * order. When one fails, the server passes over those behind it.
 */
export class Pipeline implements pg.Submittable {
  /** Those that were given, and what renews the connection's plans where that is due when they leave. */
  queries: readonly PreparedQuery[];
  /** Set by the driver; told the end, once. */
  callback: ((error: Error | null) => void) | undefined = undefined;
  /** How many have been carried out; where one failed, its place. */
  done = 0;

  constructor(queries: readonly PreparedQuery[]) {
    this.queries = queries;
  }

  /** Of the statement that is being answered: the driver notes under its name what the server has. */
  get name(): string {
    return this.current.statement.name;
  }

  get text(): string {
    return this.current.statement.text;
  }

  /** Gives an error where it cannot be sent. */
  submit(on: pg.Connection): Error | null {
    const connection = undeclared(on);
    const renewal = planRenewal(connection);
    if (renewal) this.queries = [...this.queries, renewal];
    const prepared: Record<string, string> = {};
    const messages: Buffer[] = [];
    try {
      for (const query of this.queries) {
        const { name, text } = query.statement;
        const known = connection.parsedStatements[name] ?? connection.submittedNamedStatements[name] ?? prepared[name];
        if (known !== undefined && known !== text) return new Error(`two statements have the name ${name}`);
        if (known === undefined) prepared[name] = text;
        messages.push(...query.messages(connection, known === undefined));
      }
    } catch (error) {
      return error as Error;
    }
    Object.assign(connection.submittedNamedStatements, prepared);
    if (connection.stream.writable) connection.stream.write(Buffer.concat([...messages, SYNC]));
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.current.described(fields);
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.current.read(fields);
  }

  handleCommandComplete(_message: object, on: pg.Connection): void {
    this.current.complete(undeclared(on));
    this.done += 1;
  }

  handleReadyForQuery(): void {
    const unread = this.queries.find(query => query.failure);
    this.callback?.(unread?.failure ?? null);
  }

  handleError(error: Error, on: pg.Connection): void {
    // The driver forgets that it asked for the statement that failed; those behind it were not prepared either.
    const { parsedStatements, submittedNamedStatements } = undeclared(on);
    for (const { statement } of this.queries.slice(this.done)) {
      if (parsedStatements[statement.name] === undefined) delete submittedNamedStatements[statement.name];
    }
    this.callback?.(error);
  }

  /** Behind the last one nothing is asked for any more. */
  private get current(): PreparedQuery {
    return this.queries[Math.min(this.done, this.queries.length - 1)] as PreparedQuery;
  }
}

function undeclared(connection: pg.Connection): Connection {
  return connection as unknown as Connection;
}
