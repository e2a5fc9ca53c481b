import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { isConnectionLost, isLockTimeout, isRetryable } from '../../../lib/pg-wire/pg-errors.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { answered, ask, askAll } from './ask.js';
import { isCommitLost } from './citus/engine.js';
import type { Database } from './orm.js';
import {
  BEGIN,
  COMMIT,
  CommitUnknown,
  Outgoing,
  onClient,
  type StatementSender,
  type InsertedRows,
  type SqlQuery,
} from './outgoing.js';
import { END_OF_LOG, positionOf, type EndOfLogRow, type Place } from './position.js';
import { committedBefore, readingNow } from './reading.js';
import { attempt } from './retry.js';

export { CommitUnknown, type StatementSender, type SqlQuery } from './outgoing.js';

/** Lets a transaction commit before it is on disk: for what is done again where it was lost with the server. */
export const NOT_DURABLE: SqlQuery = {
  statement: { name: 'not_durable', text: `SELECT set_config('synchronous_commit', 'off', true)` },
  values: [],
};

/**
 * The number of times that a transaction runs when others interfere: deadlocks, locks that are not free in time, a
 * second import.
 */
const ATTEMPTS = { most: 5, pauseMs: 50 };

/** From so many rows on COPY is faster than a statement. */
const LEAST_COPIED = 50;

/**
 * One database transaction of statements that each work on a whole batch. Values are sent as parameters, the rows of a
 * batch as one JSON text for `json_to_recordset`: MikroORM's `execute` would write all values into the statement's
 * text.
 */
export class SqlTransaction {
  /** `isDryRun`: it is rolled back in the end, so it leaves out what only others would read, such as events. */
  constructor(
    private readonly database: Database,
    private readonly client: pg.PoolClient,
    readonly isDryRun = false,
  ) {}

  /**
   * Runs a named prepared statement. Rows are arrays in the order of its columns, with the types of `Database.query`.
   */
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const parts = this.database.cluster.partsOf(statement, values);
    return parts ? askAll<Row>(this.client, parts) : ask<Row>(this.client, statement, values);
  }

  /** Runs a statement that was made ready elsewhere. */
  run<Row extends unknown[]>({ statement, values }: SqlQuery): Promise<Row[]> {
    return this.query<Row>(statement, values);
  }

  /** Runs statements one after another that were made ready elsewhere. Many rows are inserted by COPY. */
  async runAll(queries: readonly SqlQuery[]): Promise<void> {
    for (const query of queries) {
      if (query.rows && this.isCopied(query.rows)) await this.copy(query.rows);
      else await this.run(query);
    }
  }

  private isCopied({ drafts, behind }: InsertedRows): boolean {
    return drafts.length >= LEAST_COPIED && (!this.database.cluster.isApart || behind !== null);
  }

  private async copy(rows: InsertedRows): Promise<void> {
    const { table, columns, drafts, behind } = rows;
    const stream = this.client.query(copyFrom(`COPY "${table}" (${columns.join(', ')}) FROM STDIN`));
    await pipeline(linesOf(rows), stream);
    if (behind && this.database.cluster.isApart) await askAll(this.client, behind(drafts));
  }
}

/** The lines that are made at once: the server writes them while the next ones are made. */
const LINES_AT_ONCE = 256;

/** Rows in the text format of COPY. */
function* linesOf({ columns, drafts }: InsertedRows): Generator<string> {
  const lineOf = (draft: InsertedRows['drafts'][number]) =>
    `${columns.map(column => fieldOf(draft[column])).join('\t')}\n`;
  for (let from = 0; from < drafts.length; from += LINES_AT_ONCE) {
    yield drafts
      .slice(from, from + LINES_AT_ONCE)
      .map(lineOf)
      .join('');
  }
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in the text format of COPY. */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(SPECIAL, character => ESCAPED[character] ?? character);
}

/** A row that was missing when we looked existed when we wrote: another process imports the same. */
export class Interfered extends Error {
  override readonly name = 'Interfered';
}

/** True if a transaction may succeed when it begins again. */
function passes(error: unknown): boolean {
  return error instanceof Interfered || isRetryable(error) || isLockTimeout(error);
}

/** Runs work in a transaction, and again from the start if others interfered. */
export type TransactionRunner = <Result>(work: (transaction: SqlTransaction) => Promise<Result>) => Promise<Result>;

/**
 * Runs `work` with transactions that are parts of one, so each sees what the ones before it wrote, and all their locks
 * are held until the end. A part that fails leaves the others as they are. In the end all of them are kept, if `work`
 * did not fail, or rolled back where it is a dry run.
 */
export function inParts<Result>(
  database: Database,
  isDryRun: boolean,
  work: (transacting: TransactionRunner) => Promise<Result>,
): Promise<Result> {
  return onConnection(database, async client => {
    await answered(client, 'begin');
    const transaction = new SqlTransaction(database, client, isDryRun);
    const result = await work(part => attempt(ATTEMPTS, passes, () => undoneAlone(client, () => part(transaction))));
    await answered(client, isDryRun ? 'rollback' : 'commit');
    if (database.replicas) await noteEnd(client);
    return result;
  });
}

/** Runs a part of a transaction. If it fails, it is undone, and what was done before it stays. */
async function undoneAlone<Result>(client: pg.PoolClient, part: () => Promise<Result>): Promise<Result> {
  await answered(client, 'savepoint part');
  try {
    return await part();
  } catch (error) {
    await answered(client, 'rollback to part').catch(() => undefined);
    throw error;
  } finally {
    await answered(client, 'release part').catch(() => undefined);
  }
}

/** Runs `work` in a transaction, and again from the start if others interfered. */
export function inTransaction<Result>(
  database: Database,
  work: (transaction: SqlTransaction) => Promise<Result>,
): Promise<Result> {
  const once = async (client: pg.PoolClient): Promise<Result> => {
    await answered(client, 'begin');
    const result = await work(new SqlTransaction(database, client));
    await answered(client, 'commit');
    if (database.replicas) await noteEnd(client);
    return result;
  };
  return attempt(ATTEMPTS, passes, () => onConnection(database, once));
}

/** Notes for the request that commits where its log ends. What is committed stays so where that is not known. */
async function noteEnd(client: pg.PoolClient): Promise<void> {
  if (!readingNow()) return;
  const [end] = await ask<EndOfLogRow>(client, END_OF_LOG).catch(() => []);
  if (end) committedBefore(positionOf(end));
}

function onConnection<Result>(database: Database, run: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  return onClient(database.pool, async client => {
    await database.cluster.recognise(client);
    return run(client);
  });
}

/** A step of a transaction: it reads, and then writes what follows from that. */
export interface Step<Plan> {
  /** It must ask for all of its statements before it awaits any. */
  readonly first: (transaction: StatementSender) => Promise<Plan>;
  readonly last: (plan: Plan) => readonly SqlQuery[];
}

/**
 * A transaction in two round trips: the statements of `first` are sent with BEGIN, and those that `last` returns with
 * COMMIT. See `inSteps`.
 */
export async function inTwoRoundTrips<Plan>(
  database: Database,
  first: Step<Plan>['first'],
  last: Step<Plan>['last'],
  committed?: (before: Place) => void,
): Promise<Plan> {
  const [plan] = await inSteps(database, [{ first, last }], committed);
  return plan as Plan;
}

/**
 * A transaction of steps, in one round trip more than it has steps: what a step writes is sent with what the next one
 * reads, and at last with COMMIT. Where a statement fails, the server skips those behind it, COMMIT among them. Throws
 * `CommitUnknown` besides what the statements throw. Where there are replicas, `committed` is told where the log ends
 * behind the COMMIT.
 */
export async function inSteps<Plan>(
  database: Database,
  steps: readonly Step<Plan>[],
  committed: (before: Place) => void = () => undefined,
): Promise<readonly Plan[]> {
  let committing = false;
  try {
    return await onConnection(database, async client => {
      const plans: Plan[] = [];
      let outgoing = new Outgoing(database.cluster);
      let sent: Promise<unknown> = outgoing.query(BEGIN, []);
      for (const { first, last } of steps) {
        const [, plan] = await Promise.all([sent, first(outgoing), outgoing.send(client)]);
        plans.push(plan);
        const queries = last(plan);
        outgoing = new Outgoing(database.cluster);
        sent = outgoing.queryAll(queries);
      }
      committing = true;
      const commit = outgoing.query(COMMIT, []);
      const end = database.replicas ? outgoing.query<EndOfLogRow>(END_OF_LOG, []) : null;
      const [rows] = await Promise.all([end, sent, commit, outgoing.send(client)]);
      if (rows?.[0]) committed(positionOf(rows[0]));
      return plans;
    });
  } catch (error) {
    throw committing && (isConnectionLost(error) || isCommitLost(error)) ? new CommitUnknown(error) : error;
  }
}
