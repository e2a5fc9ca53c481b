import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { serialize } from 'pg-protocol';
import { parameterOf } from './parameters.js';
import { UNNAMED, type Statement } from './statement.js';
import { parserOf, parserWithTextOfInt8, type Parse } from './wire-types.js';

/** The functions by which the texts of a row become its values; null for a column whose text is its value. */
type Columns = readonly (Parse | null)[];

/**
 * The properties that `pg` does not declare: the statements that the server has, and those that it was asked to have,
 * by name.
 */
interface Connection {
  readonly stream: Duplex;
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
}

/** The statements that the server has prepared for a connection, kept while it is open. */
interface ConnectionState {
  /** The columns of the statements that ran once. */
  readonly columns: Map<string, Columns>;
  /** Those that were sent to be prepared behind one that failed: a server has not seen them, and a pooler has. */
  readonly unsure: Set<string>;
  readonly openedMs: number;
  plansMadeMs: number;
}

/** The rows of an `UNNAMED` statement, and what the server says of it: its command and a number, such as `UPDATE 3`. */
export interface Tagged {
  readonly tag?: string;
}

const DESCRIBE = serialize.describe({ type: 'P' });
const EXECUTE = serialize.execute();
const SYNC = serialize.sync();

/** Renews the plans of a connection. Its prepared statements stay. */
export const FORGET_PLANS: Statement = { name: 'plans_forget', text: 'DISCARD PLANS' };
/** Plans of a connection are kept as long as it had lived when they were made, within these bounds. */
const SHORTEST_PLANS_MS = 1000;
const LONGEST_PLANS_MS = 10_000;

const stateOf = new WeakMap<object, ConnectionState>();

/**
 * A prepared statement of a pipeline, whose rows come as arrays if it has a name, else as objects (see `UNNAMED`). The
 * server is asked once a connection what the columns of a named one are: it keeps them, or refuses the statement. The
 * driver's own query asks each time, and builds an object and a list of parsers of the answer: 3 to 5 % of a gateway's
 * CPU for small reads.
 */
export class PreparedQuery {
  readonly rows: unknown[][] = [];
  /** Why a row could not be read. */
  failure: Error | null = null;
  private columns: Columns | undefined = undefined;
  /** The names of the columns, where rows are objects. */
  private names: readonly string[] | null = null;

  constructor(
    readonly statement: Statement,
    private readonly values: readonly unknown[],
  ) {}

  /** Makes the messages to send, with Parse if `prepares`. Throws for a value that cannot be sent. */
  messages({ columns, unsure }: ConnectionState, prepares: boolean): Buffer[] {
    const { name, text } = this.statement;
    this.columns = columns.get(name);
    return [
      // Closing what is not there is no error.
      ...(prepares && unsure.delete(name) ? [serialize.close({ type: 'S', name })] : []),
      ...(prepares ? [serialize.parse({ name, text })] : []),
      serialize.bind({ statement: name, values: [...this.values], valueMapper: parameterOf }),
      ...(this.columns ? [] : [DESCRIBE]),
      EXECUTE,
    ];
  }

  described(fields: readonly pg.FieldDef[]): void {
    if (this.statement.name !== UNNAMED) {
      this.columns = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
      return;
    }
    this.columns = fields.map(({ dataTypeID }) => parserWithTextOfInt8(dataTypeID));
    this.names = fields.map(({ name }) => name);
  }

  read(fields: (string | null)[]): void {
    const row: unknown[] = fields;
    try {
      for (let column = 0; column < fields.length; column++) {
        const text = fields[column];
        const parse = this.columns?.[column];
        if (parse && typeof text === 'string') row[column] = parse(text);
      }
      this.rows.push(this.names ? (objectOf(this.names, row) as never) : row);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  complete({ columns }: ConnectionState, tag: string): void {
    const { name } = this.statement;
    if (name === UNNAMED) Object.defineProperty(this.rows, 'tag' satisfies keyof Tagged, { value: tag });
    else if (!columns.has(name)) columns.set(name, this.columns ?? []);
  }
}

/**
 * Prepared statements that travel together, one at least, sent through `pg`: in one write, and answered in as few as
 * the server needs. They run in their order. When one fails, the server passes over those behind it.
 */
export class Pipeline implements pg.Submittable {
  /** Set by the driver; called at the end, once. */
  callback: ((error: Error | null) => void) | undefined = undefined;
  /** The number of statements that have been carried out; where one failed, its place. */
  done = 0;

  /** The statements, and behind them what renews the connection's plans where that is due when they are sent. */
  constructor(public queries: readonly PreparedQuery[]) {}

  /** The name of the statement that is being answered: the driver notes under it what the server has. */
  get name(): string {
    return this.current.statement.name;
  }

  get text(): string {
    return this.current.statement.text;
  }

  /** Gives an error where it cannot be sent. */
  submit(on: pg.Connection): Error | null {
    const { stream, parsedStatements, submittedNamedStatements } = undeclared(on);
    const state = keptBy(on);
    if (plansAreOld(state)) this.queries = [...this.queries, new PreparedQuery(FORGET_PLANS, [])];
    const prepared: Record<string, string> = {};
    const messages: Buffer[] = [];
    try {
      for (const query of this.queries) {
        const { name, text } = query.statement;
        if (name === UNNAMED) {
          messages.push(...query.messages(state, true));
          continue;
        }
        const earlier = parsedStatements[name] ?? submittedNamedStatements[name] ?? prepared[name];
        if (earlier !== undefined && earlier !== text) return new Error(`two statements have the name ${name}`);
        if (earlier === undefined) prepared[name] = text;
        messages.push(...query.messages(state, earlier === undefined));
      }
    } catch (error) {
      return error as Error;
    }
    Object.assign(submittedNamedStatements, prepared);
    if (stream.writable) stream.write(Buffer.concat([...messages, SYNC]));
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.current.described(fields);
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.current.read(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }, on: pg.Connection): void {
    this.current.complete(keptBy(on), text);
    this.done += 1;
  }

  handleReadyForQuery(): void {
    const unread = this.queries.find(query => query.failure);
    this.callback?.(unread?.failure ?? null);
  }

  handleError(error: Error, on: pg.Connection): void {
    // The driver forgets that it asked for the statement that failed; those behind it were not prepared either. A
    // pooler that keeps statements for its clients knows them nevertheless, and would refuse a second one of their
    // name.
    const { parsedStatements, submittedNamedStatements } = undeclared(on);
    for (const { statement } of this.queries.slice(this.done)) {
      if (statement.name === UNNAMED || parsedStatements[statement.name] !== undefined) continue;
      delete submittedNamedStatements[statement.name];
      keptBy(on).unsure.add(statement.name);
    }
    this.callback?.(error);
  }

  /** Messages behind the last statement belong to it as well. */
  private get current(): PreparedQuery {
    return this.queries[Math.min(this.done, this.queries.length - 1)] as PreparedQuery;
  }
}

function objectOf(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [column, name] of names.entries()) object[name] = row[column];
  return object;
}

function undeclared(connection: pg.Connection): Connection {
  return connection as unknown as Connection;
}

function keptBy(connection: pg.Connection): ConnectionState {
  let state = stateOf.get(connection);
  if (!state) {
    const nowMs = performance.now();
    state = { columns: new Map(), unsure: new Set(), openedMs: nowMs, plansMadeMs: nowMs };
    stateOf.set(connection, state);
  }
  return state;
}

/**
 * True if the server should make new plans (docs/adr/0020). It keeps a plan as long as the connection, those of
 * triggers as well, and a plan that was made while a table was empty reads the whole of it for each row, whatever has
 * come in since, until the next ANALYZE. Where a statement before the renewal fails, the plans stay until the next
 * time.
 */
function plansAreOld(state: ConnectionState): boolean {
  const nowMs = performance.now();
  const keptMs = Math.min(Math.max(state.plansMadeMs - state.openedMs, SHORTEST_PLANS_MS), LONGEST_PLANS_MS);
  const areOld = nowMs - state.plansMadeMs >= keptMs;
  if (areOld) state.plansMadeMs = nowMs;
  return areOld;
}
