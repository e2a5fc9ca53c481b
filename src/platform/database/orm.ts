import { UnderscoreNamingStrategy, type EntityClass } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroORM, type EntityManager, type QueryBuilder } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { ask, askEach, askInOrder, type Question } from './ask.js';
import { hostsOf, wantsWrites } from './address.js';
import { releaseLostClients, SharedConnections } from './connections.js';
import { Connector, ReadOnlyServer } from './connector.js';
import { keepDeadlines } from './deadline.js';
import { Driver } from './driver.js';
import type { StatementSender, SqlQuery } from './outgoing.js';
import { readingNow, type ReadRouter } from './reading.js';
import { statementPool } from './statement-pool.js';
import { SESSION, setSessions, withoutThoseOf, type Pooling, type SessionSettings } from './session.js';
import { leavesConnectionIntact } from '../../../lib/pg-wire/pg-errors.js';
import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import { Cluster } from './citus/cluster.js';

/** The address of a database, and the poolers before it. */
export interface Address {
  readonly url: string;
  readonly pooling: Pooling;
}

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/database`, with `sslmode` and the like as parameters; or with several hosts,
   * one of which takes writes.
   */
  readonly url: string;
  /** True if connections may lead to a standby, which only answers reads. */
  readonly acceptsStandby?: boolean;
  /**
   * The kind of pooling that is known to be between `url` and the server. Where nothing is known, each connection finds
   * out by itself.
   */
  readonly pooling?: Pooling;
  /** Where connections have sessions of their own, if `url` goes through a pooler that gives them none. */
  readonly direct?: Address | null;
  /** At most so many connections. */
  readonly poolSize: number;
  readonly entities: readonly EntityClass[];
  /** The name of our connections in the server's own lists. */
  readonly applicationName: string;
  /** Replaces single settings of a session, for example `{ statement_timeout: '0' }` for long work. */
  readonly session?: SessionSettings;
  /**
   * False where no statement goes through MikroORM, so that every dead connection is released by its holder: holders
   * that keep the function to release it would call it a second time, which is an error.
   */
  readonly throughOrm?: boolean;
  /** Called for problems that no caller sees, such as a broken idle connection. Has nothing of a statement's values. */
  readonly warn?: (message: string) => void;
}

/** A transaction that sends each statement when it is asked for, unlike that of a command, which gathers them. */
interface OpenTransaction extends StatementSender {
  runAll(queries: readonly SqlQuery[]): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Opens no connection yet: the first statement does, and fails if the database is away. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const hosts = hostsOf(options.url);
  const address = hosts[0] as string;
  const accepts = options.acceptsStandby ? 'any' : wantsWrites(options.url) ? 'writable' : 'primary';
  const connector = new Connector({ hosts, accepts });
  const reads = statementPool((statement, values) => database.read(statement, values));
  const orm = new MikroORM({
    driver: Driver,
    clientUrl: address,
    dbName: databaseOf(address),
    entities: [...options.entities],
    metadataProvider: ReflectMetadataProvider,
    metadataCache: { enabled: false },
    namingStrategy: UnderscoreNamingStrategy,
    forceUtcTimezone: true,
    // A query with an undefined value must fail. Without the condition it would find everything.
    ignoreUndefinedInQuery: false,
    validateRequired: true,
    discovery: { warnWhenNoEntities: false },
    // The operator of the server creates databases; `createDatabaseIfMissing` does it for the embedded one.
    ensureDatabase: false,
    debug: false,
    colors: false,
    logger: message => options.warn?.(message),
    pool: { min: 0, max: options.poolSize, idleTimeoutMillis: IDLE_TIMEOUT_MS },
    driverOptions: {
      // MikroORM takes host, user and database from the address and drops the rest, such as `sslmode`. The driver reads
      // all.
      connectionString: address,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      Client: connector.Client,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      // Sends statements without waiting for the answers to earlier ones.
      pipeline: true,
    },
    // MikroORM sends reads outside of transactions to this connection, unless they ask for `connectionType: 'write'`.
    replicas: [{ name: 'reads', driverOptions: () => new PostgresDialect({ pool: reads }) }],
  });
  // This makes the pool, but no connection.
  const pool = await orm.em.getConnection().getNativeClient();
  if (options.throughOrm !== false) releaseLostClients(pool);
  connector.over(pool);
  keepDeadlines(pool);
  const settings = withoutThoseOf(address, { ...SESSION, ...options.session });
  setSessions(pool, options.pooling ?? 'none', settings, error =>
    options.warn?.(`A database connection did not take its settings and was closed: ${error.message}`),
  );
  pool.on('error', error => options.warn?.(`An idle database connection broke: ${error.message}`));
  const database = new Database(orm, pool, options);
  return database;
}

/** The PostgreSQL database: entities for rare reads, named statements for hot reads and writes, one pool for both. */
export class Database {
  readonly orm: MikroORM;
  /** MikroORM's own pool. */
  readonly pool: pg.Pool;
  /** Answers reads of requests, where replicas are set up. */
  replicas: ReadRouter | null = null;
  /** Tells if the server is a cluster of Citus, and what is different there. */
  readonly cluster = new Cluster();
  #watchPool: ((pool: pg.Pool) => void) | null = null;
  readonly #options: DatabaseOptions;
  readonly #shared: SharedConnections;

  constructor(orm: MikroORM, pool: pg.Pool, options: DatabaseOptions) {
    this.orm = orm;
    this.pool = pool;
    this.#options = options;
    this.#shared = new SharedConnections(pool);
  }

  /** The address that it was opened with. */
  get url(): string {
    return this.#options.url;
  }

  /**
   * MikroORM's EntityManager, for one unit of work: the ordinary way to read. What it finds is read as `read` reads: a
   * replica may answer where a request asks, within the time of the request. With a transaction its statements are part
   * of that.
   */
  em(transaction: OpenTransaction | null = null): EntityManager {
    return transaction ? this.#emOver(transaction) : this.orm.em.fork();
  }

  /**
   * An EntityManager whose statements the primary answers, each by itself, as `query`: for what decides about a write
   * without a transaction, and for what must not be older than now.
   */
  primary(): EntityManager {
    return this.#emOver(this);
  }

  #emOver(asking: Pick<StatementSender, 'query'>): EntityManager {
    const em = this.orm.em.fork();
    const pool = statementPool((statement, values) => asking.query(statement, values));
    em.setTransactionContext(new Kysely({ dialect: new PostgresDialect({ pool }) }));
    return em;
  }

  /**
   * Returns the statement of a QueryBuilder, for a command: a command gathers its statements, and sends them together.
   */
  queryOf(builder: Pick<QueryBuilder<object>, 'toQuery'>): SqlQuery {
    const { sql, params } = builder.toQuery();
    const { text, values } = (this.orm.driver as Driver).getPlatform().sent(sql, params);
    return { statement: statementOf(text), values };
  }

  /**
   * Runs a named prepared statement and gives its rows as arrays, in the order of its columns. int8 arrives as bigint,
   * numeric and date as text, timestamptz as '2026-01-31T23:59:59.250Z', timestamp as '2026-01-31T23:59:59', jsonb
   * parsed, bytea as Buffer.
   */
  query<Row extends unknown[]>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#alone(client =>
      this.cluster.isPlain ? ask<Row>(client, statement, values) : this.#askInParts<Row>(client, statement, values),
    );
  }

  async #askInParts<Row extends unknown[]>(
    client: pg.PoolClient,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    await this.cluster.recognise(client);
    const parts = this.cluster.partsOf(statement, values);
    return parts ? askEach<Row>(client, parts) : ask<Row>(client, statement, values);
  }

  /**
   * Reads for a request: a replica may answer, so the rows may be older than now. Reads that decide about a write, and
   * reads that must see the newest rows, ask by `query`.
   */
  read<Row extends unknown[]>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#readBy(statement, values, false) ?? this.query<Row>(statement, values);
  }

  /** `read` over a connection that batches share (see `SharedConnections`), so each statement must be short. */
  queryTogether<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const read = this.#readBy<Row>(statement, values, true);
    if (read) return read;
    return this.cluster.isPlain
      ? this.#shared.query<Row>(statement, values)
      : this.#togetherInParts<Row>(statement, values);
  }

  async #togetherInParts<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    await this.isDistributed();
    const parts = this.cluster.partsOf(statement, values);
    if (!parts) return this.#shared.query<Row>(statement, values);
    const rows = await Promise.all(parts.map(part => this.#shared.query<Row>(part.statement, part.values)));
    return rows.flat();
  }

  /** True if Citus distributes the tables of the server. */
  async isDistributed(): Promise<boolean> {
    if (!this.cluster.isKnown) await this.#alone(async client => this.cluster.recognise(client));
    return this.cluster.isApart;
  }

  /** Runs statements one after another in one round trip, and gives the rows of each. */
  flight(questions: readonly Question[], isShort: boolean): Promise<unknown[][][]> {
    const send = (client: pg.PoolClient) => askInOrder(client, questions);
    return isShort ? this.#shared.run(send) : this.#alone(send);
  }

  /** Null for what is no read of a request, and where there are no replicas. */
  #readBy<Row>(statement: Statement, values: readonly unknown[], isShort: boolean): Promise<Row[]> | null {
    const reading = this.replicas && readingNow();
    return reading && (this.replicas?.read(reading, { statement, values, isShort }) as Promise<Row[]>);
  }

  async #alone<Result>(send: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken = false;
    try {
      return await send(client);
    } catch (error) {
      // The pool's own `query` drops the connection after any error, so bad input could make us reconnect all day.
      broken = !leavesConnectionIntact(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Throws unless the database answers in time, and takes writes. */
  async ping(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`timeout expired: the database did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
    });
    try {
      await Promise.race([this.#alone(askForWrites), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Hands over the pool of its connections now, and those of replicas and others when they are opened. */
  watchPools(watch: (pool: pg.Pool) => void): void {
    this.#watchPool = watch;
    watch(this.pool);
  }

  /** Opens this database once more with connections of its own, for work that needs other settings. Close it, too. */
  async reopen(changes: Partial<DatabaseOptions>): Promise<Database> {
    const session = { ...this.#options.session, ...changes.session };
    const other = await openDatabase({ ...this.#options, ...changes, session });
    if (this.#watchPool) other.watchPools(this.#watchPool);
    return other;
  }

  /**
   * Opens this database once more through connections that each have a session of the server to themselves: for session
   * locks, LISTEN, and settings that a role does not have. Close it, too.
   */
  reopenDirect(changes: Partial<DatabaseOptions>): Promise<Database> {
    return this.reopen({ ...changes, ...this.#options.direct });
  }

  /** Waits for the statements that are running, then closes every connection. */
  async close(): Promise<void> {
    await this.orm.close(true);
    // MikroORM ends the pool only if it has run a statement itself.
    if (!this.pool.ending) await this.pool.end();
  }
}

const PING: Statement = { name: 'ping', text: `SELECT current_setting('transaction_read_only') = 'off'` };

async function askForWrites(client: pg.PoolClient): Promise<void> {
  const [row] = await ask<[boolean]>(client, PING);
  if (!row?.[0]) throw new ReadOnlyServer();
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}
